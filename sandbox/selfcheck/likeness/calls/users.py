"""Who runs the tests, and where that user is at home."""

from __future__ import annotations

import getpass
import grp
import os
import pathlib
import pwd
from typing import Callable, List

from .answers import TRUE, TYPE, VALUE, Call, raised

USER_VARIABLES = ["LOGNAME", "USER", "LNAME", "USERNAME"]


def _entry() -> pwd.struct_passwd:
    return pwd.getpwuid(os.getuid())


def _without(names: List[str], call: Callable[[], str]) -> str:
    kept = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        return call()
    finally:
        os.environ.update(kept)


def _home() -> str:
    return os.path.expanduser("~")


def _writes_at_home() -> str:
    path = pathlib.Path.home() / "regreen-self-check"
    path.write_text("here")
    try:
        return path.read_text()
    finally:
        path.unlink()


CALLS: List[Call] = [
    ("pwd.getpwuid(os.getuid())", TYPE, _entry),
    ("the user's entry names $USER", TRUE, lambda: _entry().pw_name == os.environ["USER"]),
    ("the user's entry names $HOME", TRUE, lambda: _entry().pw_dir == os.environ["HOME"]),
    ("the user's shell is a program", TRUE, lambda: os.access(_entry().pw_shell, os.X_OK)),
    ("pwd.getpwnam of that entry's name", TRUE, lambda: pwd.getpwnam(_entry().pw_name) == _entry()),
    ("pwd.getpwnam('root').pw_uid", VALUE, lambda: pwd.getpwnam("root").pw_uid),
    ("pwd.getpwnam('nobody')", TYPE, lambda: pwd.getpwnam("nobody")),
    ("pwd.getpwnam of nobody known", VALUE, lambda: raised(lambda: pwd.getpwnam("no-such-user"))),
    ("pwd.getpwall()", TRUE, lambda: _entry() in pwd.getpwall()),
    ("grp.getgrgid(os.getgid())", TYPE, lambda: grp.getgrgid(os.getgid())),
    ("grp.getgrnam('root').gr_gid", VALUE, lambda: grp.getgrnam("root").gr_gid),
    ("grp.getgrall()", TYPE, lambda: grp.getgrall()),
    (
        "grp.getgrgid of each of os.getgroups()",
        TYPE,
        lambda: [grp.getgrgid(g).gr_name for g in os.getgroups()],
    ),
    ("getpass.getuser()", TYPE, lambda: getpass.getuser()),
    ("getpass.getuser() without variables", TYPE, lambda: _without(USER_VARIABLES, getpass.getuser)),
    ("os.getlogin()", VALUE, lambda: raised(os.getlogin)),
    ("pathlib.Path.home()", TYPE, lambda: pathlib.Path.home()),
    ("os.path.expanduser('~') without $HOME", TRUE, lambda: _without(["HOME"], _home) == os.environ["HOME"]),
    ("os.path.expanduser('~root')", VALUE, lambda: os.path.expanduser("~root")),
    ("a file at home", VALUE, _writes_at_home),
    (
        "pathlib.Path.owner() of a file of one's own",
        TRUE,
        lambda: pathlib.Path.home().owner() == _entry().pw_name,
    ),
    ("$LOGNAME is $USER", TRUE, lambda: os.environ["LOGNAME"] == os.environ["USER"]),
    ("$SHELL is a program", TRUE, lambda: os.access(os.environ["SHELL"], os.X_OK)),
    ("os.getuid() == os.geteuid()", VALUE, lambda: os.getuid() == os.geteuid()),
    ("os.getuid()", VALUE, lambda: os.getuid()),
]
