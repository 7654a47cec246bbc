"""An interpreter is asked about itself, whatever what was installed into it prints meanwhile."""

import sys
import venv

import pytest

from sandbox.base import SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
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
    assert set(known.directories) <= set(found.directories)


@pytest.mark.parametrize("instead", ["exit 0", "echo '[]'; exit 0", "exit 3"])
def test_what_does_not_answer_is_no_python(talking, instead):
    with pytest.raises(SandboxUnavailable, match="not a working Python interpreter"):
        Interpreter.of(talking(instead))


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home directory with something in it that is nobody's business."""
    made = tmp_path / "home"
    made.mkdir()
    (made / "secret").write_text("secret")
    monkeypatch.setenv("HOME", str(made))
    return made


@pytest.fixture
def environment(tmp_path):
    """A virtual environment without pip."""
    venv.create(tmp_path / "environment", symlinks=True, with_pip=False)
    return tmp_path / "environment"


def linked(home, target):
    link = home / "py"
    link.symlink_to(target)
    return link


def through_a_directory(home, target):
    (home / "current").symlink_to(target.parent, target_is_directory=True)
    return home / "current" / target.name


def through_two_links(home, target):
    (home / "other").symlink_to(target)
    return linked(home, "other")


@pytest.mark.parametrize("lead", [linked, through_a_directory, through_two_links])
@pytest.mark.bubblewrap
def test_a_link_at_home_shows_nothing_of_what_lies_beside_it(home, environment, lead):
    python = lead(home, environment / "bin" / "python")
    assert not any(home.is_relative_to(directory) for directory in Interpreter.of(str(python)).directories)
    look = "import os, sys; print(sys.version_info[:3], os.listdir(sys.argv[1]))"
    with BubblewrapProvider().open(SandboxSpec(python=str(python))) as sandbox:
        done = sandbox.exec([str(python), "-c", look, str(home)], timeout_s=30)
    assert done.exit_status == 0, done.stderr
    assert b"py" in done.stdout or b"current" in done.stdout
    assert b"secret" not in done.stdout


def test_an_interpreter_that_is_the_home_directory_itself_is_refused(home):
    venv.create(home, symlinks=True, with_pip=False)
    with pytest.raises(SandboxUnavailable, match="would show all of the home directory"):
        Interpreter.of(str(home / "bin" / "python"))


def test_a_search_path_that_leads_home_is_left_out(home, environment):
    (packages,) = environment.glob("lib/python3*/site-packages")
    (packages / "home.pth").write_text(f"{home}\n{home.parent}\n")
    found = Interpreter.of(str(environment / "bin" / "python"))
    assert str(environment) in found.directories
    assert not any(home.is_relative_to(directory) for directory in found.directories)
