"""Where suggestions may stand, by what a pull request's diff shows."""

from every_case import every_case

from bot.delivery.suggestions import MAX_SUGGESTIONS, Suggestion, place
from bot.github.records import ChangedFile

OLD = b"".join(b"line %d\n" % n for n in range(1, 31))


def shown(first: int, last: int, *, text: bytes = OLD, path: str = "a.py", **fields) -> ChangedFile:
    """A diff that shows lines ``first`` to ``last``, the first of which it adds."""
    lines = text.decode().splitlines()[first - 1 : last]
    hunk = "\n".join([f"+{lines[0]}", *(f" {line}" for line in lines[1:])])
    length = last - first + 1
    header = f"@@ -{first},{length - 1} +{first},{length} @@ def f():"
    return ChangedFile(**{"path": path, "status": "modified", "patch": f"{header}\n{hunk}", **fields})


def changed(*pairs: tuple[bytes, bytes], text: bytes = OLD) -> bytes:
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def suggestions(after: bytes, *diff: ChangedFile, before: bytes = OLD):
    placement = place({"a.py": before}, {"a.py": after}, diff)
    return placement.problem or [(one.start, one.end, "".join(one.lines)) for one in placement.suggestions]


NEAR = ((b"line 3\n", b"three\n"), (b"line 6\n", b"six\n"))
TWO_HUNKS = shown(1, 4, patch=f"{shown(1, 4).patch}\n{shown(5, 8).patch}")


@every_case(
    ("after", "diff", "placed"),
    [
        (
            changed(*NEAR, (b"line 20\n", b"twenty\n")),
            shown(1, 25),
            [(3, 6, "three\nline 4\nline 5\nsix\n"), (20, 20, "twenty\n")],
        ),
        (changed(*NEAR), TWO_HUNKS, [(3, 3, "three\n"), (6, 6, "six\n")]),
        # lines go and come
        (changed((b"line 3\nline 4\n", b"")), shown(1, 9), [(3, 4, "")]),
        (changed((b"line 3\n", b"line 3\nnew\n")), shown(1, 9), [(3, 3, "line 3\nnew\n")]),
        (b"new\n" + OLD, shown(1, 9), [(1, 1, "new\nline 1\n")]),
        (OLD + b"new\n", shown(20, 30), [(30, 30, "line 30\nnew\n")]),
        # at the line behind, where the one before is not shown
        (changed((b"line 4\n", b"new\nline 4\n")), shown(4, 9), [(4, 4, "new\nline 4\n")]),
    ],
)
def test_far_changes_are_apart_and_near_ones_of_a_hunk_together(after, diff, placed):
    assert suggestions(after, diff) == placed


@every_case(
    ("after", "diff", "why"),
    [
        (changed((b"line 9\n", b"nine\n")), shown(1, 8), "line 9 of a.py lies outside"),
        (changed((b"line 8\nline 9\n", b"x\n")), shown(1, 8), "line 8 of a.py lies outside"),
        (changed((b"line 3\n", b"three\n")), shown(1, 8, patch=""), "does not show a.py"),
        (changed((b"line 3\n", b"three\n")), shown(1, 8, path="b.py"), "does not show a.py"),
        (changed((b"line 3\n", b"three\n")), shown(1, 8, status="removed"), "does not show a.py"),
        (changed((b"line 3\n", b"three\n")), shown(1, 8, patch="no diff at all"), "outside"),
        (changed((b"line 3\n", b"three\n")), shown(1, 8, patch="@@ -1,8 +1,8 @@\n cut"), "outside"),
        (changed((b"line 3\n", b"three\n")), shown(1, 8, text=OLD.replace(b"line", b"row")), "outside"),
        (changed((b"line 3\n", b"three\r\n")), shown(1, 8), "carriage returns"),
        (changed((b"line 3\n", "\u202ethree\n".encode())), shown(1, 8), "characters"),
        (changed((b"line 3\n", b"\x0cthree\n")), shown(1, 8), "characters"),
        (changed((b"line 30\n", b"thirty")), shown(20, 30), "no line feed"),
    ],
)
def test_what_has_no_place_says_why(after, diff, why):
    assert why in suggestions(after, diff)


def test_lines_that_look_like_a_diffs_own_are_lines():
    old = b"-- x\n++ y\n@@ -1 +1 @@\n\\ z\nend\n"
    assert suggestions(old.replace(b"end", b"END"), shown(1, 5, text=old), before=old) == [(5, 5, "END\n")]


def test_too_many_are_none():
    old = b"".join(b"a %d\n" % n + b"b\nc\nd\ne\n" for n in range(MAX_SUGGESTIONS + 1))
    new = b"".join(b"A %d\n" % n + b"b\nc\nd\ne\n" for n in range(MAX_SUGGESTIONS + 1))
    assert "more than one reads" in suggestions(new, shown(1, old.count(b"\n"), text=old), before=old)


def test_a_new_file_is_no_suggestion():
    assert place({"a.py": None}, {"a.py": b"x\n"}, []).problem == "a.py is a new file"


def test_all_files_or_none():
    before, after = {"a.py": OLD, "b.py": OLD}, {"a.py": OLD[:-3] + b"31\n", "b.py": OLD + b"x\n"}
    assert place(before, after, [shown(20, 30)]).suggestions == ()
    found = place(before, after, [shown(20, 30), shown(20, 30, path="b.py")]).suggestions
    assert [type(one) for one in found] == [Suggestion, Suggestion]
