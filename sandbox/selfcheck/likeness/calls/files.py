"""Files, directories and devices."""

from __future__ import annotations

import fcntl
import mimetypes
import mmap
import os
import pathlib
import platform
import shutil
import stat
import tempfile
from typing import Any, Callable, List

from .answers import TRUE, TYPE, VALUE, Call, raised

HELLO = b"hello"


def _in_directory(work: Callable[[str], Any], where: Any = None) -> Any:
    with tempfile.TemporaryDirectory(dir=where) as directory:
        return work(os.path.join(directory, "file"))


def _written(path: str) -> bytes:
    with open(path, "wb") as handle:
        handle.write(HELLO)
    with open(path, "rb") as handle:
        return handle.read()


def _mode(path: str) -> int:
    _written(path)
    return stat.S_IMODE(os.stat(path).st_mode)


def _linked(link: Callable[[str, str], None]) -> Callable[[str], bytes]:
    def work(path: str) -> bytes:
        _written(path)
        link(path, path + "-link")
        with open(path + "-link", "rb") as handle:
            return handle.read()

    return work


def _executed(path: str) -> int:
    with open(path, "w") as handle:
        handle.write("#!/bin/sh\nexit 7\n")
    os.chmod(path, 0o755)
    return os.waitpid(os.posix_spawn(path, [path], {}), 0)[1] >> 8


def _locked(path: str) -> str:
    with open(path, "w") as one, open(path, "w") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        return raised(lambda: fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB))


def _mapped(path: str) -> bytes:
    _written(path)
    with open(path, "r+b") as handle, mmap.mmap(handle.fileno(), 0) as mapped:
        return mapped[:2]


def _moved(path: str) -> bytes:
    _written(path)
    target = os.path.join(os.path.expanduser("~"), "regreen-self-check")
    shutil.move(path, target)
    try:
        return pathlib.Path(target).read_bytes()
    finally:
        os.remove(target)


def _odd_name(path: str) -> List[bytes]:
    directory = os.path.dirname(os.fsencode(path))
    open(os.path.join(directory, b"\xff\xc3\xa9"), "w").close()
    return os.listdir(directory)


def _cases(path: str) -> int:
    directory = os.path.dirname(path)
    for name in ("name", "NAME"):
        open(os.path.join(directory, name), "w").close()
    return len(os.listdir(directory))


def _times(path: str) -> int:
    _written(path)
    os.utime(path, ns=(123456789, 987654321))
    return os.stat(path).st_mtime_ns


def _unnamed(path: str) -> int:
    descriptor = os.open(os.path.dirname(path), os.O_RDWR | os.O_TMPFILE)
    try:
        return os.write(descriptor, HELLO)
    finally:
        os.close(descriptor)


def _attribute(path: str) -> bytes:
    _written(path)
    os.setxattr(path, "user.regreen", HELLO)
    return os.getxattr(path, "user.regreen")


def _fifo(path: str) -> bool:
    os.mkfifo(path)
    return stat.S_ISFIFO(os.stat(path).st_mode)


def _closed(path: str) -> str:
    _written(path)
    os.chmod(path, 0)
    return raised(lambda: open(path))


def _first(path: str) -> int:
    with open(path, "rb") as handle:
        return len(handle.read(4))


def _full() -> str:
    with open("/dev/full", "wb", buffering=0) as handle:
        return raised(lambda: handle.write(b"x"))


def _umask() -> int:
    held = os.umask(0)
    os.umask(held)
    return held


CALLS: List[Call] = [
    ("tempfile.gettempdir()", VALUE, lambda: tempfile.gettempdir()),
    ("a file in the temporary directory", VALUE, lambda: _in_directory(_written)),
    ("a file in /var/tmp", VALUE, lambda: _in_directory(_written, "/var/tmp")),
    ("a file in /dev/shm", VALUE, lambda: _in_directory(_written, "/dev/shm")),
    ("a file in the working directory", VALUE, lambda: _in_directory(_written, os.getcwd())),
    (
        "the home is no temporary directory",
        TRUE,
        lambda: not tempfile.gettempdir().startswith(os.environ["HOME"]),
    ),
    ("os.umask is 022", TRUE, lambda: _umask() == 0o022),
    ("the mode of a new file is 644", TRUE, lambda: _in_directory(_mode) == 0o644),
    ("a symbolic link", VALUE, lambda: _in_directory(_linked(os.symlink))),
    ("a hard link", VALUE, lambda: _in_directory(_linked(os.link))),
    ("a program in the temporary directory", VALUE, lambda: _in_directory(_executed)),
    ("a program in the working directory", VALUE, lambda: _in_directory(_executed, os.getcwd())),
    ("a program in /dev/shm", VALUE, lambda: _in_directory(_executed, "/dev/shm")),
    ("fcntl.flock of a locked file", VALUE, lambda: _in_directory(_locked)),
    ("mmap.mmap", VALUE, lambda: _in_directory(_mapped)),
    ("shutil.move to another file system", VALUE, lambda: _in_directory(_moved)),
    ("a name that is no UTF-8", VALUE, lambda: _in_directory(_odd_name)),
    ("two names that differ in case", VALUE, lambda: _in_directory(_cases)),
    ("times in nanoseconds", VALUE, lambda: _in_directory(_times)),
    ("O_TMPFILE", VALUE, lambda: _in_directory(_unnamed)),
    ("os.setxattr", VALUE, lambda: _in_directory(_attribute)),
    ("os.mkfifo", VALUE, lambda: _in_directory(_fifo)),
    ("a file without rights", VALUE, lambda: _in_directory(_closed)),
    ("os.statvfs('/tmp')", TYPE, lambda: os.statvfs("/tmp")),
    ("shutil.disk_usage('/')", TYPE, lambda: shutil.disk_usage("/")),
    ("/dev/null", VALUE, lambda: _first("/dev/null")),
    ("/dev/zero", VALUE, lambda: _first("/dev/zero")),
    ("/dev/urandom", VALUE, lambda: _first("/dev/urandom")),
    ("/dev/full", VALUE, _full),
    ("/dev/tty, without a terminal", VALUE, lambda: raised(lambda: open("/dev/tty"))),
    ("/dev/stdin", VALUE, lambda: os.path.exists("/dev/stdin")),
    ("/dev/fd", TYPE, lambda: os.listdir("/dev/fd")),
    ("mimetypes.guess_type of .json", VALUE, lambda: mimetypes.guess_type("a.json")),
    ("mimetypes.guess_type of .webp", VALUE, lambda: mimetypes.guess_type("a.webp")),
    ("platform.freedesktop_os_release()", TYPE, lambda: platform.freedesktop_os_release()),
    ("/etc/mtab", VALUE, lambda: os.path.exists("/etc/mtab")),
    ("/sys", VALUE, lambda: os.path.isdir("/sys/class")),
]
