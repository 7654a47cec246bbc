from ci_logs import lines
from every_case import every_case

from bot.cilog.clean import BLOCK_BYTES, MAX_LINE_BYTES


def clean(data: bytes) -> list[str]:
    return list(lines([data]))


@every_case(
    ("raw", "text"),
    [
        (b"plain", "plain"),
        (b"\xef\xbb\xbf2024-01-01T00:00:00.0000000Z first", "first"),
        (b"2024-01-01T00:00:00.0000000Z ", ""),
        (b"2024-01-01T00:00:00Z text", "text"),
        (b"2024-01-01T00:00:00.0000000Z   indented", "  indented"),
        (b"test (3.11)\tRun tests\t2024-01-01T00:00:00.0000000Z E   boom", "E   boom"),
        (b"2024-01-01T00:00:00.0000000Z web_1  | FAILED a", "FAILED a"),
        (b"app-test-1  |   indented", "  indented"),
        (b"[CI/test]   | ==== FAILURES ====", "==== FAILURES ===="),
        (b"a | b", "a | b"),
        (b"#15 12.345 E   boom", "E   boom"),
        (b"#15 a comment", "#15 a comment"),
        (b"[2024-01-01T00:00:00.000Z] text", "text"),
        (b"2024-01-01T00:00:00.000+01:00 text", "text"),
        (b"job\tstep\t\xef\xbb\xbf2024-01-01T00:00:00.0000000Z text", "text"),
        (b"a\tb\tno stamp, no columns", "a\tb\tno stamp, no columns"),
        (b"\x1b[31m\x1b[1mFAILED\x1b[0m a", "FAILED a"),
        (b"\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x07", "link"),
        (b"\x1b]0;a title that never ends", ""),
        (b"\x1b[2K\x1b[1Gdone", "done"),
        (b"end\x1b", "end"),
        (b"10%\r50%\r100%", "100%"),
        (b"text\r", "text"),
        (b"##[error]Process completed with exit code 1.", "Process completed with exit code 1."),
        (b"2024-01-01T00:00:00.0000000Z ##[group]Run pytest", "Run pytest"),
        (b"not ##[group] here", "not ##[group] here"),
        (b"nul\0nul", "nul\ufffdnul"),
        (b"bad \xff byte", "bad \ufffd byte"),
        ("one\u2028line\x85and\x0cmore".encode(), "one\u2028line\x85and\x0cmore"),
    ],
)
def test_a_line_is_freed_of_what_was_added(raw, text):
    assert clean(raw) == [text]


def test_line_ends_of_every_kind():
    assert clean(b"a\nb\r\nc\n\nd") == ["a", "b", "c", "", "d"]
    assert clean(b"") == []
    assert clean(b"\n") == [""]


def test_a_line_without_end_is_cut_and_the_next_one_is_whole():
    found = list(lines(iter([b"x" * 100_000] * 50 + [b"\nnext\n"])))

    assert [len(found[0]), found[1:]] == [MAX_LINE_BYTES, ["next"]]


def test_a_cut_between_blocks_loses_nothing():
    data = b"".join(b"line %d\n" % number for number in range(3 * BLOCK_BYTES // 10))

    assert clean(data) == data.decode().split("\n")[:-1]


def test_lines_without_a_stamp_among_stamped_ones_stay_whole():
    stamp = b"2024-01-01T00:00:00.0000000Z "
    data = stamp + b"first\nshort\n\n" + stamp.rstrip() + b"\n" + stamp + b"last, with some words\n"

    assert clean(data) == ["first", "short", "", "", "last, with some words"]
    assert clean(data.replace(b"short\n\n", b"")) == ["first", "", "last, with some words"]
