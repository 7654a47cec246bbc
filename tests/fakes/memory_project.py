"""A project in memory that runs in this process, and how many lines of it are executed."""

import builtins
import sys
from collections.abc import Mapping, Sequence
from types import FrameType, ModuleType
from typing import Any, Self

LINES_PER_SECOND = 500


class OutOfTime(BaseException):
    """Raised in a test that executes too many lines."""


class MemoryProject:
    """One state of the sources, with an importer of its own: nothing reaches ``sys.modules``."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self._modules: dict[str, ModuleType] = {}

    def load(self, name: str) -> ModuleType:
        if name in self._modules:
            return self._modules[name]
        path = self.path(name)
        if path is None:
            raise ModuleNotFoundError(f"No module named {name!r}")
        parent, _, last = name.rpartition(".")
        if self.path(parent):
            self.load(parent)
        module = ModuleType(name)
        is_package = path.endswith("/__init__.py")
        module.__dict__.update(
            __file__=path,
            __package__=name if is_package else parent,
            __builtins__={**vars(builtins), "__import__": self._import},
        )
        self._modules[name] = module
        try:
            exec(compile(self.files[path], path, "exec", dont_inherit=True), module.__dict__)
        except BaseException:
            del self._modules[name]
            raise
        if parent in self._modules:
            setattr(self._modules[parent], last, module)
        return module

    def path(self, name: str) -> str | None:
        base = name.replace(".", "/")
        return next((p for p in (f"{base}.py", f"{base}/__init__.py") if p in self.files), None)

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 - the builtin's signature
        locals: object = None,  # noqa: A002
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        full = name
        if level:
            package = str((globals or {})["__package__"]).split(".")
            full = ".".join(part for part in [*package[: len(package) - level + 1], name] if part)
        if self.path(full) is None:
            return builtins.__import__(name, globals, locals, fromlist, level)  # type: ignore[arg-type]
        module = self.load(full)
        if not fromlist:
            return self.load(full.split(".")[0])
        for item in fromlist:
            if not hasattr(module, item) and self.path(f"{full}.{item}"):
                self.load(f"{full}.{item}")
        return module


class LineTracer:
    """Counts the lines that project code executes, and remembers them when asked."""

    def __init__(self, files: Mapping[str, bytes], *, limit: int, record: bool) -> None:
        self._files, self._limit, self._record = files, limit, record
        self.count = 0
        self.lines: dict[str, set[int]] = {}

    def __enter__(self) -> Self:
        self._before = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Any:
        return self._line if frame.f_code.co_filename in self._files else None

    def _line(self, frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            self.count += 1
            if self.count > self._limit:
                raise OutOfTime
            if self._record:
                self.lines.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return self._line

    @property
    def seconds(self) -> float:
        return self.count / LINES_PER_SECOND
