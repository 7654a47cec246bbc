"""Children of a process: noticed, and ended with all that they started."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sections import sections

from sandbox.runner.explain import FRAME_LIMIT, TEXT_LIMIT, Explainer, short_repr, short_text
from sandbox.runner.kept import Head, Tail

# Run in an interpreter of its own: it ends every descendant that it has.
SOURCES = sections("sources/runner_processes.txt")[0].parts
DESCENDANTS = SOURCES["DESCENDANTS"]


def test_daemons_of_daemons_are_noticed_and_ended():
    done = subprocess.run(
        [sys.executable, "-c", DESCENDANTS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("none left\n", "")


@given(chunks=st.lists(st.binary(max_size=9)), limit=st.integers(0, 12))
def test_what_is_kept_of_a_long_output(chunks, limit):
    tail, head = Tail(limit), Head(limit)
    for kept in (tail, head):
        for chunk in chunks:
            kept.feed(chunk)
    whole = b"".join(chunks)
    assert (tail.data, head.data) == (whole[max(0, len(whole) - limit) :], whole[:limit])
    assert tail.truncated is head.truncated is (len(whole) > limit)
    assert tail.total == head.total == len(whole)


class Rude(Exception):
    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


def test_exceptions_that_cannot_be_shown_are_explained(tmp_path):
    assert short_text(Rude()) == "<str() of the exception raised RuntimeError>"
    assert short_repr(Rude()) == "<repr() raised RuntimeError>"
    assert len(short_text(ValueError("x" * 9999))) == TEXT_LIMIT
    assert Explainer(str(tmp_path)).explain(Rude())["exception"] == "Rude"


@pytest.fixture
def shop(tmp_path):
    """Executes the text of a module of the project; its names."""

    def run(text):
        path = tmp_path / "shop.py"
        path.write_text(text)
        space = {}
        exec(compile(text, str(path), "exec"), space)
        return space

    return run


RAISING = "def inner(error):\n    raise error\n"


def test_causes_come_first_and_frames_outside_of_the_project_are_left_out(tmp_path, shop):
    outer = shop(
        "def inner():\n    raise KeyError(1)\n\n\ndef outer():\n    try:\n        inner()\n"
        "    except KeyError as error:\n        raise ValueError('no') from error\n"
    )["outer"]
    with pytest.raises(ValueError, match="no") as caught:
        outer()
    said = Explainer(str(tmp_path)).explain(caught.value)
    assert (said["exception"], said["message"]) == ("ValueError", "no")
    assert [frame[2] for frame in said["frames"]] == ["outer", "inner", "outer"]
    assert {frame[0] for frame in said["frames"]} == {"shop.py"}


class Falsy(Exception):
    def __bool__(self):
        raise RuntimeError


def test_a_cause_counts_whatever_it_says_of_its_truth(tmp_path, shop):
    error = KeyError("outer")
    with pytest.raises(Falsy) as caught:
        shop(RAISING)["inner"](Falsy())
    error.__cause__ = caught.value
    assert Explainer(str(tmp_path)).explain(error)["frames"] == [("shop.py", 2, "inner")]


def test_of_a_long_chain_the_last_frames_are_kept(tmp_path, shop):
    space = shop(RAISING)
    explainer, error = Explainer(str(tmp_path)), None
    looked_at = []
    explainer._frames = lambda error, look=explainer._frames: looked_at.append(error) or look(error)
    for number in range(5000):
        try:
            space["inner"](ValueError(number))
        except ValueError as raised:
            raised.__context__, error = error, raised
    assert explainer.explain(error)["frames"] == [("shop.py", 2, "inner")] * FRAME_LIMIT
    assert len(looked_at) == FRAME_LIMIT


@pytest.mark.parametrize(
    ("file", "line", "frames"),
    [
        (b"shop.py", 3, []),
        (7, 3, []),
        ("shop.py", "x", [("shop.py", 1, "<module>")]),
        ("shop.py", -1, [("shop.py", 1, "<module>")]),
        ("shop.py", 3, [("shop.py", 3, "<module>")]),
        ("shop\0.py", 3, []),
    ],
)
def test_a_syntax_error_may_name_anything_as_its_place(tmp_path, monkeypatch, file, line, frames):
    monkeypatch.chdir(tmp_path)
    error = SyntaxError("no")
    error.filename, error.lineno = file, line
    assert Explainer(str(tmp_path)).explain(error)["frames"] == frames


def test_a_circle_of_causes_ends(tmp_path):
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    assert Explainer(str(tmp_path)).explain(one)["message"] == "one"


def test_links_and_made_up_files_are_not_the_projects(tmp_path):
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    own, link = str(tmp_path / "a" / "b.py"), str(tmp_path / "link.py")
    found = map(Explainer(str(tmp_path)).relative, [own, link, "<string>", "/etc/passwd"])
    assert list(found) == ["a/b.py", None, None, None]


def failure_of(name, **attributes):
    return type(name, (Exception,), attributes)("<DocTest of a file>")


def test_a_failed_doctest_says_what_its_example_printed_or_raised(tmp_path):
    example = SimpleNamespace(want="[1, 2]\n")
    failed = failure_of("DocTestFailure", got="[1]\n", example=example)
    for error in (failed, failure_of("MultipleDoctestFailures", failures=[failed, None])):
        explained = Explainer(str(tmp_path)).explain(error)
        assert explained["comparison"] == ["==", "[1]", "[1, 2]"]
        assert explained["message"] == "[1] is printed where [1, 2] is expected"
    raised = failure_of("UnexpectedException", exc_info=(KeyError, KeyError("a"), None))
    explained = Explainer(str(tmp_path)).explain(raised)
    assert (explained["exception"], explained["message"]) == ("KeyError", "'a'")
    assert "comparison" not in explained


@pytest.mark.parametrize(
    "error",
    [
        failure_of("DocTestFailure"),
        failure_of("DocTestFailure", got=1, example=None),
        failure_of("UnexpectedException", exc_info=(None, None)),
        failure_of("UnexpectedException", exc_info=property(lambda _self: 1 / 0)),
        failure_of("MultipleDoctestFailures", failures=[]),
    ],
)
def test_what_only_looks_like_a_doctest_is_explained_as_it_is(tmp_path, error):
    explained = Explainer(str(tmp_path)).explain(error)
    assert explained["exception"] == type(error).__name__
    assert "comparison" not in explained
