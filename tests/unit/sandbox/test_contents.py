"""What distinguishes two environments, in words."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from sandbox.environment.contents import contents, difference
from sandbox.errors import SandboxError

HERE = frozenset({"Python 3.11.7", "attrs-23.1.dist-info", "pytest-8.4.dist-info"})


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (HERE, ""),
        (HERE - {"Python 3.11.7"}, "it lacks Python 3.11.7"),
        (HERE | {"six-1.dist-info"}, "it has six-1.dist-info"),
        (
            HERE - {"Python 3.11.7"} | {"Python 3.12.1"},
            "it lacks Python 3.11.7, it has Python 3.12.1",
        ),
        (HERE | set("abcd"), "it has a, b, c …"),
    ],
)
def test_the_difference_is_said(found, said):
    assert difference(found, HERE) == said


def test_an_interpreter_that_does_not_run_is_an_error_in_one_line():
    class Broken:
        name = "process"

        @contextmanager
        def open(self, _spec):
            ended = SimpleNamespace(exit_status=1, stdout=b"", stderr=b"cannot\nload \x1b[31m")
            yield SimpleNamespace(exec=lambda *_args, **_options: ended)

    with pytest.raises(SandboxError) as raised:
        contents(Broken(), SimpleNamespace(python="/a/python"))
    assert str(raised.value) == r"/a/python does not run: 'cannot\nload \x1b[31m'"
