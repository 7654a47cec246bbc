"""What an exception shows about a failure: its name, its message, its frames inside the project."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, Dict, Iterator, List, Optional, Tuple

from .alarm import TestTimeout
from .doctests import unwrapped

TEXT_LIMIT = 2000
FRAME_LIMIT = 40
PLACE_LIMIT = 300
GROUP_DEPTH = 20
OWN_PACKAGES = ("_pytest/", "pytest/", "pluggy/")  # what runs the tests is in every traceback
Frame = Tuple[str, int, str]
_realpath = os.path.realpath  # bound before a test replaces it


class Explainer:
    """Explains exceptions to someone who knows the project's directory ``root`` only by relative paths."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root) + os.sep
        self._known: Dict[str, Optional[str]] = {}

    def relative(self, path: str) -> Optional[str]:
        """``path`` inside the project with forward slashes, or None when it lies elsewhere."""
        try:
            return self._known[path]
        except KeyError:
            full = _real(path)
            inside = not path.startswith("<") and full.startswith(self._root)
            found = full[len(self._root) :].replace(os.sep, "/") if inside else None
            self._known[path] = found
            return found

    def explain(self, error: BaseException) -> Dict[str, Any]:
        """``exception``, ``message`` and ``frames`` (outermost first) of an error and its causes.

        ``foreign`` is the place in an installed package where it was raised, below the project's own frames;
        empty where the project raised it. A failed example of a doctest has a ``comparison``, too.
        """
        root_cause = error
        while type(error).__name__ == "CollectError" and root_cause.__cause__ is not None:
            root_cause = root_cause.__cause__
        error, _ = unwrapped(only_member(error))
        root_cause, comparison = unwrapped(only_member(root_cause))
        frames: List[Frame] = []
        chain: Optional[BaseException] = error
        seen = set()
        while chain is not None and id(chain) not in seen and len(frames) < FRAME_LIMIT:
            seen.add(id(chain))
            frames = self._frames(chain) + frames
            chain = _cause(chain)
        # The exception in hand is what the test saw: its frames come last, as the innermost ones.
        explained = {
            "exception": type(root_cause).__name__,
            "message": short_text(root_cause),
            "frames": frames[-FRAME_LIMIT:],
            "foreign": self._foreign(root_cause),
        }
        if comparison:
            said = "%s is printed where %s is expected" % (comparison[1], comparison[2])
            explained.update(message=said[:TEXT_LIMIT], comparison=comparison)
        return explained

    def verdict(self, error: BaseException, status: str) -> Dict[str, Any]:
        """The result of a test that raised ``error``: ``status``, unless that says otherwise itself."""
        names = {kind.__name__ for kind in type(error).__mro__}
        if names & {"Skipped", "SkipTest"}:
            return {"status": "skipped"}
        if "XFailed" in names:
            return {"status": "xfailed"}
        return dict(self.explain(error), status="timeout" if isinstance(error, TestTimeout) else status)

    def _foreign(self, error: BaseException) -> str:
        """The innermost frame in an installed package, if none of the project is deeper."""
        found = ""
        for entry in entries(error):
            path = entry.tb_frame.f_code.co_filename
            if self.relative(path):
                found = ""
            else:
                _, installed, inside = path.replace(os.sep, "/").rpartition("-packages/")
                if installed and not inside.startswith(OWN_PACKAGES):
                    found = "%s:%d" % (inside, entry.tb_lineno)
        return found[:PLACE_LIMIT]

    def _frames(self, error: BaseException) -> List[Frame]:
        frames: List[Frame] = []
        for entry in entries(error):
            code = entry.tb_frame.f_code
            path = self.relative(code.co_filename)
            if path:
                frames.append((path, entry.tb_lineno, code.co_name))
        for file, line, function in error.places if isinstance(error, TestTimeout) else ():
            path = self.relative(file)
            if path and (path, line, function) not in frames:
                frames.append((path, line, function))
        if isinstance(error, SyntaxError):
            path, line = _place(error)
            inside = self.relative(path) if path else None
            if inside:
                frames.append((inside, line, "<module>"))
        return frames


def entries(error: BaseException) -> Iterator[TracebackType]:
    """The traceback of ``error`` from the outermost entry to the one that raised it."""
    entry = error.__traceback__
    while entry is not None:
        yield entry
        entry = entry.tb_next


def only_member(error: BaseException) -> BaseException:
    """The exception in a group of one, however deep; a group of several as it is."""
    for _ in range(GROUP_DEPTH):
        members = getattr(error, "exceptions", None)
        if not isinstance(members, tuple) or len(members) != 1 or not isinstance(members[0], BaseException):
            break
        error = members[0]
    return error


def _cause(error: BaseException) -> Optional[BaseException]:
    """What a traceback of ``error`` would show before it."""
    if error.__cause__ is not None:
        return error.__cause__
    return None if error.__suppress_context__ else error.__context__


def _place(error: SyntaxError) -> Tuple[str, int]:
    """The file and line that ``error`` names: whoever raises it may put anything there."""
    file, line = error.filename, error.lineno
    is_text = isinstance(file, str) and "\0" not in file
    return str(file) if is_text else "", line if isinstance(line, int) and line > 0 else 1


def short_text(error: BaseException) -> str:
    """``str(error)``, shortened."""
    try:
        return str(error)[:TEXT_LIMIT]
    except Exception as problem:  # __str__ is the project's code and may raise anything
        return "<str() of the exception raised %s>" % type(problem).__name__


def short_repr(value: Any) -> str:
    """``repr(value)``, shortened."""
    try:
        return repr(value)[:TEXT_LIMIT]
    except Exception as problem:  # __repr__ is the project's code and may raise anything
        return "<repr() raised %s>" % type(problem).__name__


def _real(path: str) -> str:
    try:
        return _realpath(path)
    except Exception:  # a test has replaced what it calls
        return path
