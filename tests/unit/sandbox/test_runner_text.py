"""Where two texts differ, by whole lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.runner.text import NotUtf8, Text, read

TEXTS = st.lists(st.sampled_from(["a", "b", "", "ab", "\u00e4"]), min_size=1, max_size=8).map("\n".join)


def by_lines(old, new):
    """The same, by comparing line after line."""
    limit = min(len(old), len(new))
    first = next((n for n in range(limit) if old[n] != new[n]), limit)
    rest = limit - first
    same = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    return first, len(old) - same, len(new) - same


@given(TEXTS, TEXTS)
def test_what_lies_outside_of_the_region_is_alike(one, other):
    old, new = one.split("\n"), other.split("\n")
    first, old_end, new_end = Text(one.encode()).changed_region(other.encode())
    assert old[:first] == new[:first]
    assert old[old_end:] == new[new_end:]
    assert 0 <= first <= old_end <= len(old)
    assert first <= new_end <= len(new)


@given(TEXTS, TEXTS)
def test_the_region_is_as_small_as_by_lines_or_has_one_line_more(one, other):
    if one == other:
        return
    first, old_end, new_end = Text(one.encode()).changed_region(other.encode())
    least = by_lines(one.split("\n"), other.split("\n"))
    assert least[0] - 1 <= first <= least[0]
    assert (old_end - first) - (least[1] - least[0]) in {0, 1}
    assert (old_end - first) - (new_end - first) == (least[1] - least[0]) - (least[2] - least[0])


def test_a_line_put_behind_a_function_belongs_to_no_line_of_it():
    old = "def f():\n    a\n\n\ndef g():\n    b\n"
    new = "def f():\n    a\n    c\n\n\ndef g():\n    b\n"
    assert Text(old.encode()).changed_region(new.encode()) == (2, 2, 3)


@given(TEXTS, TEXTS, TEXTS)
def test_a_part_around_the_region_is_what_the_new_text_has_there(before, one, other):
    old, new = f"{before}\n{one}\n{before}", f"{before}\n{other}\n{before}"
    first, old_end, new_end = Text(old.encode()).changed_region(new.encode())
    count = len(new.split("\n"))
    for start in range(first + 1):
        for more in range(count - new_end + 1):
            part = Text(old.encode()).part(new.encode(), start, old_end + more)
            if start < old_end + more and start < new_end + more:
                assert part == "\n".join(new.split("\n")[start : new_end + more])


def test_what_is_not_utf_8_is_said():
    with pytest.raises(NotUtf8, match="not UTF-8"):
        Text(b"a\nb\n").part(b"a\n\xff\n", 0, 2)


@pytest.mark.parametrize(
    ("raw", "is_read"),
    [
        (b"", True),
        (b"# coding: utf-8\nx", True),
        (b"# coding: latin-1", False),
        (b"#!/x\n# coding: latin-1\n", False),
        (b"#!/x\n# coding: latin-1", False),
        (b"#!/x\n\n# coding: latin-1\n", True),
        (b"\xef\xbb\xbfx", False),
    ],
)
def test_a_file_that_names_another_encoding_is_not_read(tmp_path, raw, is_read):
    path = tmp_path / "m.py"
    path.write_bytes(raw)
    if is_read:
        assert read(str(path)) == raw
    else:
        with pytest.raises(NotUtf8, match="names its encoding"):
            read(str(path))
