"""An interpreter is asked about itself, whatever what was installed into it prints meanwhile."""

from __future__ import annotations

import sys

import pytest

from sandbox.errors import SandboxUnavailable
from sandbox.interpreter import Interpreter


@pytest.fixture
def talking(tmp_path):
    """Makes an interpreter that says something of its own before and after it does what it is told."""

    def make(before, after=""):
        program = tmp_path / "python"
        program.write_text(f'#!/bin/sh\n{before}\n{sys.executable} "$@"\n{after}\n')
        program.chmod(0o755)
        return str(program)

    return make


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("echo 'hello from a .pth'", "echo 'and good bye'"),
        ("printf 'no end of line'", ""),
        (r"printf '\377\000[1, 2]\n{}\n'", ""),
    ],
)
def test_what_a_pth_file_prints_is_no_answer(talking, before, after):
    known = Interpreter.of(sys.executable)
    found = Interpreter.of(talking(before, after))
    assert found.version == known.version
    assert set(known.folders) <= set(found.folders)


@pytest.mark.parametrize("instead", ["exit 0", "echo '[]'; exit 0", "exit 3"])
def test_what_does_not_answer_is_no_python(talking, instead):
    with pytest.raises(SandboxUnavailable, match="not a working Python interpreter"):
        Interpreter.of(talking(instead))
