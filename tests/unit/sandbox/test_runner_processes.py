"""Children of a process: noticed, and ended with all that they started."""

from __future__ import annotations

import subprocess
import sys

from sandbox.runner.explain import TEXT_LIMIT, Explainer, short_repr, short_text
from sandbox.runner.kept import Head, Tail

# Run in an interpreter of its own: it ends every descendant that it has.
DESCENDANTS = """
import os, signal, sys
from sandbox.runner.processes import end_descendants, has_children, protect_supervisor
protect_supervisor()
assert not has_children()
end_descendants()
read_fd, write_fd = os.pipe()
if os.fork() == 0:
    os.setsid()
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            os.write(write_fd, b"%d " % os.getpid())
            signal.pause()
    os._exit(0)
pids = b""
while pids.count(b" ") < 3:
    pids += os.read(read_fd, 100)
assert has_children()
end_descendants()
assert not has_children()
for pid in pids.split():
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        continue
    sys.exit("a daemon is left")
print("none left")
"""


def test_daemons_of_daemons_are_noticed_and_ended():
    done = subprocess.run(
        [sys.executable, "-c", DESCENDANTS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("none left\n", "")


def test_what_is_kept_of_a_long_output():
    tail, head = Tail(4), Head(4)
    for kept in (tail, head):
        for chunk in (b"abc", b"def", b""):
            kept.feed(chunk)
    assert (tail.data, head.data) == (b"cdef", b"abcd")
    assert tail.truncated
    assert tail.total == head.total == 6
    assert Tail(0).data == b""


class Rude(Exception):
    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


def test_exceptions_that_cannot_be_shown_are_explained(tmp_path):
    assert short_text(Rude()) == "<str() of the exception raised RuntimeError>"
    assert short_repr(Rude()) == "<repr() raised RuntimeError>"
    assert len(short_text(ValueError("x" * 9999))) == TEXT_LIMIT
    assert Explainer(str(tmp_path)).explain(Rude())["exception"] == "Rude"


def test_causes_come_first_and_frames_outside_of_the_project_are_left_out(tmp_path):
    path = tmp_path / "shop.py"
    path.write_text(
        "def inner():\n    raise KeyError(1)\n\n\ndef outer():\n    try:\n        inner()\n"
        "    except KeyError as error:\n        raise ValueError('no') from error\n"
    )
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    try:
        space["outer"]()
    except ValueError as error:
        told = Explainer(str(tmp_path)).explain(error)
    assert (told["exception"], told["message"]) == ("ValueError", "no")
    assert [(frame[0], frame[2]) for frame in told["frames"]] == [
        ("shop.py", "outer"),
        ("shop.py", "inner"),
        ("shop.py", "outer"),
    ]


def test_a_circle_of_causes_ends(tmp_path):
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    assert Explainer(str(tmp_path)).explain(one)["message"] == "one"


def test_links_and_made_up_files_are_not_the_projects(tmp_path):
    explainer = Explainer(str(tmp_path))
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    assert explainer.relative(str(tmp_path / "a" / "b.py")) == "a/b.py"
    assert explainer.relative(str(tmp_path / "link.py")) is None
    assert explainer.relative("<string>") is None
    assert explainer.relative("/etc/passwd") is None
