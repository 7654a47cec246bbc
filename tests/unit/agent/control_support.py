"""What the tests of control tests share: altered copies, and what they raise."""

import ast
import textwrap

from bot.agent.proof.control_copies import control_copies

MARK = "_0123456789abcdef"
FILE = "test_it.py"


def copies(text, *names, frames=None, unreadable=True, **others):
    files = {FILE: text, **{f"{name}.py": other for name, other in others.items()}}
    data = {
        path: one if isinstance(one, bytes) else textwrap.dedent(one).encode() for path, one in files.items()
    }
    tests = [f"{FILE}::{name}" for name in names]
    return control_copies(tests, data.get, mark=MARK, frames=frames, unreadable=unreadable)


def ending(text, name="test_x", space=None):
    """What the altered copy of a test raises: its message, or None where it returns."""
    (data,) = copies(text, name).files.values()
    space = {"__name__": "it", "__file__": "", **(space or {})}
    exec(compile(ast.parse(data), FILE, "exec"), space)
    function = space
    for part in name.split("::"):
        function = function[part] if isinstance(function, dict) else getattr(function(), part)
    try:
        found = function()
        if hasattr(found, "send"):
            found.send(None)
    except StopIteration:
        return None
    except AssertionError as error:
        return str(error)


def project(source):
    """The names that a file of the project binds: what is defined there is not the tests' own."""
    space = {"__name__": "shop"}
    exec(compile(textwrap.dedent(source), "/workspace/shop.py", "exec"), space)
    return space
