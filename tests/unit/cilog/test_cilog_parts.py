"""The small readers: paths, summary lines."""

from every_case import every_case

from bot.cilog.model import LogStatus
from bot.cilog.paths import project_path
from bot.cilog.pytest_sessions.summary import (
    Final,
    SummaryEntry,
    entry,
    final_line,
    progress,
    ruler,
    split_entry,
)


@every_case(
    ("text", "path"),
    [
        ("tests/test_a.py", "tests/test_a.py"),
        ("./tests/test_a.py", "tests/test_a.py"),
        (r"tests\unit\test_a.py", "tests/unit/test_a.py"),
        ("/home/runner/work/demo/demo/pkg/a.py", "pkg/a.py"),
        (r"D:\a\demo\demo\pkg\a.py", "pkg/a.py"),
        ("/__w/demo/demo/pkg/a.py", "pkg/a.py"),
        ("/github/workspace/pkg/a.py", "pkg/a.py"),
        ("/srv/build/pkg/a.py", "pkg/a.py"),
        ("/home/vsts/work/1/s/pkg/a.py", "pkg/a.py"),
        ("/builds/group/demo/pkg/a.py", "pkg/a.py"),
        ("/usr/src/app/pkg/a.py", "pkg/a.py"),
        ("/mnt/disk/demo/pkg/a.py", "pkg/a.py"),
        ("/mnt/disk/demonstration/pkg/a.py", None),
        (r"C:\hostedtoolcache\windows\Python\3.9.13\x64\lib\unittest\case.py", None),
        ("/elsewhere/pkg/a.py", None),
        ("../outside.py", None),
        ("a/../../outside.py", None),
        ("<frozen importlib._bootstrap>", None),
        ("../micromamba/lib/python3.8/site-packages/x.py", None),
        ("/home/runner/work/demo/demo/.venv/lib/python3.11/site-packages/x.py", None),
        (".tox/py311/lib/python3.11/site-packages/x.py", None),
        ("", None),
        ("/", None),
    ],
)
def test_paths(text, path):
    assert project_path(text, roots=["/srv/build", "demo"]) == path


@every_case(
    ("line", "title"),
    [
        ("=== FAILURES ===", "FAILURES"),
        ("= a very long title = with a sign =", "a very long title = with a sign"),
        ("____ test_a[x_] _____", "test_a[x_]"),
        ("_ _ _ _ _ _ _ _", ""),
        ("==========", ""),
        ("===FAILURES===", ""),
        ("=== open", ""),
        ("= =", ""),
    ],
)
def test_rulers(line, title):
    assert ruler(line) == title


@every_case(
    ("title", "final"),
    [
        ("2 failed, 3 passed in 0.10s", Final(failed=2, passed=3)),
        (
            "1 failed, 2 passed, 1 skipped, 1 warning, 2 errors in 75.30s (0:01:15)",
            Final(failed=1, passed=2, errors=2),
        ),
        ("5 errors in 1.81s", Final(errors=5)),
        ("no tests ran in 0.01s", Final()),
        ("1 failed, 2 passed in 3.05 seconds", Final(failed=1, passed=2)),
        ("1 failed, 1 passed, 2 subtests passed in 0.10s", Final(failed=1, passed=3)),
        ("built 3 wheels in 0.1s", None),
        ("3 passed", None),
        ("99999999999999999999 passed in 1s", None),
    ],
)
def test_final_lines(title, final):
    assert final_line(title) == final


@every_case(
    ("text", "test", "message"),
    [
        ("t.py::test_a - assert x[0] - 1", "t.py::test_a", "assert x[0] - 1"),
        ("t.py::test_a[a - b] - assert 0", "t.py::test_a[a - b]", "assert 0"),
        ("t.py::test_a[x] - y] - ValueError: z", "t.py::test_a[x] - y]", "ValueError: z"),
        ("t.py::test_a[a - b]", "t.py::test_a[a - b]", ""),
        ("t.py - ImportError: no a::b", "t.py", "ImportError: no a::b"),
        ("my - dir/t.py::test_a - boom", "my - dir/t.py::test_a", "boom"),
        ("t.py", "t.py", ""),
        ("t.py::C::test_a[long", "t.py::C::test_a[long", ""),
    ],
)
def test_splitting_an_entry(text, test, message):
    assert split_entry(text) == (test, message)


def test_a_known_block_decides_where_an_id_ends():
    text = "t.py::test_a[x] - assert] - assert 0"

    assert split_entry(text, known={"test_a[x] - assert]"}) == ("t.py::test_a[x] - assert]", "assert 0")


@every_case(
    ("line", "expected"),
    [
        ("FAILED t.py::a - b", SummaryEntry(status=LogStatus.FAILED, text="t.py::a - b")),
        ("ERROR t.py", SummaryEntry(status=LogStatus.ERROR, text="t.py")),
        ("SUBFAILED(i=1) t.py::a", SummaryEntry(status=LogStatus.FAILED, text="t.py::a", part="(i=1)")),
        (
            "SUBFAILED[hi there] (i=1) t.py::a",
            SummaryEntry(status=LogStatus.FAILED, text="t.py::a", part="[hi there] (i=1)"),
        ),
        ("FAILED (errors=1)", SummaryEntry(status=LogStatus.FAILED, text="(errors=1)")),
        ("PASSED t.py::a", None),
        (" FAILED t.py::a", None),
    ],
)
def test_entries(line, expected):
    assert entry(line) == expected


@every_case(
    ("line", "test"),
    [
        ("t.py::a[x y] FAILED      [ 33%]", "t.py::a[x y]"),
        ("[gw1] [100%] FAILED t.py::a ", "t.py::a"),
        ("t.py::a FAILED      [2/40]", "t.py::a"),
        ("[gw1] [ 2/40] ERROR t.py::a ", "t.py::a"),
        ("t.py::a PASSED [ 33%]", None),
        ("a line that says FAILED", None),
    ],
)
def test_progress(line, test):
    found = progress(line)

    assert (found and found.text) == test
