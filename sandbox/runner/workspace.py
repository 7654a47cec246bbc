"""The project's files inside the sandbox: unpack them, lay changes over them, put everything back.

A candidate may delete, add and swap files, by malice or because that is what its mutated code does. The
next one has to find the project as it was.
"""

from __future__ import annotations

import io
import os
import stat
import tarfile

from . import ipc
from .watch import Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Iterator, List, Optional, Set, Tuple

    Mark = Tuple[int, int, int, int]


# Mode with type, size, time of the last change of the contents and of anything (which nobody can set).
NO_MARK = (0, 0, 0, 0)
# However quiet it is, all is looked at now and then: a file may have a second name, outside.
LOOK_EVERY = 64
FIRST_STAMP_S = 1_000_000_000
BYTECODE = "__pycache__"


class Member:
    """What belongs at a path: contents or a link, and how the file looked when it was written."""

    __slots__ = ("data", "link", "mark", "mode")

    def __init__(self, data: bytes, link: Optional[str], mode: int) -> None:
        self.data, self.link, self.mode = data, link, mode
        self.mark: Mark = NO_MARK


SHELL_FILES = (".bash_logout", ".bashrc", ".profile")  # as Debian and Ubuntu give them to a new user


class Workspace:
    """The directory at ``root``; every path given to it is relative and stays inside.

    ``temporary`` are directories that are emptied after each use, since they are the sandbox's own; ``home``
    is the one of them that gets the files that a new user has.
    """

    def __init__(self, root: str, temporary: Tuple[str, ...] = (), home: str = "") -> None:
        self.root = os.path.realpath(root)
        # What is there at the start was mounted there: an interpreter, say.
        self._temporary = {
            directory: (os.stat(directory).st_mode, os.listdir(directory)) for directory in temporary
        }
        self._home = home if home in self._temporary else ""
        self._furnish()
        self._members: Dict[str, Member] = {}
        self._directories: Set[str] = set()
        self._bytecode: Dict[str, Optional[Mark]] = {}
        self._stamp = FIRST_STAMP_S
        self._laid: List[str] = []
        self._watch = Watch()
        self._watched: Set[str] = set()  # the directories that may stay
        self._quiet = 0
        self._looked = True

    def path(self, relative: str) -> str:
        """The absolute path of ``relative``; ValueError when it would leave the root."""
        full = os.path.normpath(os.path.join(self.root, relative))
        if os.path.isabs(relative) or not full.startswith(self.root + os.sep):
            raise ValueError("path leaves the workspace: %r" % relative)
        return full

    def unpack(self, archive: bytes) -> int:
        """Extract a tar archive; returns the number of members. Devices and escapes are refused."""
        members: List[Tuple[str, Member]] = []
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as tar:
            for info in tar:
                target = self.path(info.name)
                if not (info.isreg() or info.isdir() or info.issym()):
                    raise ValueError("not a plain file: %r" % info.name)
                if info.isdir():
                    continue
                source = tar.extractfile(info) if info.isreg() else None
                data = source.read() if source else b""
                link = info.linkname if info.issym() else None
                mode = 0o755 if info.mode & 0o100 else 0o644
                members.append((target, Member(data, link, mode)))
        for target, member in members:
            self._put(target, member)
        self._watch_all()
        return len(members)

    def lay(self, changes: Dict[str, bytes]) -> None:
        """Write whole new contents over files, until ``restore``."""
        # Python knows a stale .pyc by its source's size and time in seconds: no two contents may share it.
        self._stamp += 1
        for relative, data in changes.items():
            path = self.path(relative)
            known = self._members.get(path)
            time_ns = self._stamp * 10**9
            _write(path, Member(data, None, known.mode if known else 0o644), time_ns)
            self._laid.append(path)
        if changes:
            self._watch.settle()

    def restore(self) -> None:
        """Make the files what was unpacked, and the temporary directories empty, whatever was done to them.

        What else a process can leave behind in a sandbox of its own, shared memory and its like, goes too.

        Bytecode that the unchanged project left stays, since making it anew takes long. A candidate's goes:
        Python believes what bytecode says of its source, and pytest does for the tests.
        """
        self._quiet = 0 if self._watch.changed() else self._quiet + 1
        if self._quiet % LOOK_EVERY == 0:
            self._look(keep_bytecode=not self._laid)
        else:
            self._looked = False
        for path in self._laid:
            self._restore(path)
        self._laid = []
        for directory, (mode, kept) in self._temporary.items():
            if os.stat(directory).st_mode != mode:
                os.chmod(directory, stat.S_IMODE(mode))
            for name in os.listdir(directory):
                if name not in kept:
                    _remove(os.path.join(directory, name))
        self._furnish()
        ipc.clear()
        self._watch.settle()

    def untouched(self) -> bool:
        """Whether nobody has written anything since ``restore``; what was is looked at the next time."""
        own = {place: {*kept, *SHELL_FILES} for place, (_, kept) in self._temporary.items()}
        if not self._watch.changed() and all(own[place].issuperset(os.listdir(place)) for place in own):
            return True
        self._looked, self._quiet = False, -1
        return False

    def _furnish(self) -> None:
        for name in set(SHELL_FILES).difference(self._temporary[self._home][1]) if self._home else ():
            with open(os.path.join(self._home, name), "x", encoding="ascii") as file:
                file.write("# Read by bash.\n")

    def inspect(self) -> None:
        """Look at everything, however quiet it was, unless that was done since the last change."""
        if not self._looked:
            self._look(keep_bytecode=False)
            self._watch.settle()

    def _look(self, keep_bytecode: bool) -> None:
        os.chmod(self.root, 0o700)
        if keep_bytecode:
            found = {path: _mark(path) for path in self._found_bytecode()}
            # The unchanged project has no reason to make anew what is there: somebody else did.
            self._bytecode = {p: mark for p, mark in found.items() if self._bytecode.get(p, mark) == mark}
            self._watch_all()
        for path in list(self._unknown_files(self.root)):
            _remove(path)
        for path, member in self._members.items():
            if _mark(path) != member.mark:
                self._restore(path)
        self._looked = True

    def _restore(self, path: str) -> None:
        member = self._members.get(path)
        if member is None:
            _remove(path)
        else:
            _write(path, member, member.mark[2])
            member.mark = _mark(path) or NO_MARK

    def _watch_all(self) -> None:
        self._watched = {self.root, *self._directories, *map(os.path.dirname, self._bytecode)}
        self._watch.start(self._watched)

    def _put(self, path: str, member: Member) -> None:
        _write(path, member)
        member.mark = _mark(path) or NO_MARK
        self._members[path] = member
        directory = os.path.dirname(path)
        while directory.startswith(self.root + os.sep) and directory not in self._directories:
            self._directories.add(directory)
            directory = os.path.dirname(directory)

    def _unknown_files(self, directory: str) -> Iterator[str]:
        """What lies below ``directory``, was never unpacked, and is no bytecode that may stay."""
        with os.scandir(directory) as entries:
            for entry in list(entries):
                is_directory = entry.is_dir(follow_symlinks=False)
                if is_directory and entry.path in self._watched:
                    os.chmod(entry.path, 0o700)
                    yield from self._unknown_files(entry.path)
                elif entry.path not in self._members:
                    kept = self._bytecode.get(entry.path)
                    if kept is None or _mark(entry.path) != kept:
                        yield entry.path

    def _found_bytecode(self) -> Iterator[str]:
        for directory in (self.root, *self._directories):
            place = os.path.join(directory, BYTECODE)
            if os.path.isdir(place) and not os.path.islink(place):
                os.chmod(place, 0o700)
                for name in os.listdir(place):
                    path = os.path.join(place, name)
                    mark = _mark(path)
                    if path not in self._members and mark is not None and stat.S_ISREG(mark[0]):
                        yield path


def _mark(path: str) -> Optional[Mark]:
    """What changes when a file does."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _write(path: str, member: Member, time_ns: Optional[int] = None) -> None:
    """Put ``member`` at ``path``, whatever is there, and let it be last changed at ``time_ns``."""
    if _overwritten(path, member, time_ns):
        return
    parent = os.path.dirname(path)
    while not os.path.isdir(parent) or os.path.islink(parent):
        # A file or a link stands where a directory was.
        top = parent
        while not os.path.lexists(top):
            top = os.path.dirname(top)
        if not os.path.isdir(top) or os.path.islink(top):
            _remove(top)
        os.makedirs(parent, exist_ok=True)
    # What is written into a file that has a second name would end up there as well.
    _remove(path)
    if member.link is not None:
        os.symlink(member.link, path)
        return
    with open(path, "wb") as handle:
        handle.write(member.data)
    os.chmod(path, member.mode)
    if time_ns is not None:
        os.utime(path, ns=(time_ns, time_ns))


def _overwritten(path: str, member: Member, time_ns: Optional[int]) -> bool:
    """The short way: other contents for a plain file that stands where it belongs; False if it does not."""
    if member.link is not None:
        return False
    try:
        fd = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        status = os.fstat(fd)
        if status.st_mode != stat.S_IFREG | member.mode or status.st_nlink != 1:
            return False
        os.ftruncate(fd, 0)
        if os.write(fd, member.data) != len(member.data):
            return False
        if time_ns is not None:
            os.utime(fd, ns=(time_ns, time_ns))
        return True
    finally:
        os.close(fd)


def _remove(path: str) -> None:
    """Remove what is at ``path``: a file, a link, or a directory, whatever its rights and however deep."""
    try:
        if stat.S_ISDIR(os.lstat(path).st_mode):
            _remove_directory(path)
        else:
            os.remove(path)
    except FileNotFoundError:
        pass


def _remove_directory(path: str) -> None:
    # Each directory below is moved up first, so that no path grows too long and nothing has to recurse.
    aside = os.path.join(os.path.dirname(path), ".regreen-removed-")
    number, waiting = 0, [path]
    while waiting:
        directory = waiting.pop()
        os.chmod(directory, 0o700)
        with os.scandir(directory) as entries:
            found = [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in entries]
        for name, is_directory in found:
            if not is_directory:
                os.remove(name)
                continue
            while os.path.lexists(aside + str(number)):
                number += 1
            os.chmod(name, 0o700)
            os.rename(name, aside + str(number))
            waiting.append(aside + str(number))
        os.rmdir(directory)
