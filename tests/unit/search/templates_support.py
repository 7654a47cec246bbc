"""What the tests of the fix templates share: projects that are really run, and their failures.

A case is run in this process, from files, so that the exception, its words and its frames are what this
Python says of it.
"""

import contextlib
import gc
import importlib
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sections import GOLDEN, sections

from bot.domain import Patch
from bot.patch.apply import apply
from bot.search.templates import from_templates
from sandbox.reports import Comparison, Frame, TestResult, TestStatus

TEST = "test_it.py"
HOW_DEEP = 150  # frames after which a recursion counts as endless


class Case(NamedTuple):
    """A project with a fault, its test among the files, and the text that one file should have."""

    name: str
    files: dict[str, str]
    path: str
    fix: str


def cases(directory: str, group: str) -> Iterator[Case]:
    """The cases of one golden file; one ``, before Python 3.x`` is a fault there alone."""
    for name, _, parts in sections(f"{directory}/{group}.txt"):
        until = re.search(r", before Python 3\.(\d+)$", name)
        if until and sys.version_info >= (3, int(until[1])):
            continue
        files = {path: body for path, body in parts.items() if not path.startswith("fix ")}
        fix = next(path for path in parts if path.startswith("fix "))
        yield Case(f"{group}: {name}", files, fix.removeprefix("fix "), parts[fix])


def groups(directory: str) -> list[str]:
    """The names of the golden files in a directory."""
    return sorted(path.stem for path in (GOLDEN / directory).glob("*.txt"))


def failure_of(files: dict[str, str], root: Path) -> TestResult | None:
    """How the test of a project, laid out below ``root``, fails; None when it passes."""
    found = _failure_of(files, root)
    if any("async def" in text for text in files.values()):
        gc.collect()  # a coroutine that nobody awaited must not warn in the middle of another test
    return found


def _failure_of(files: dict[str, str], root: Path) -> TestResult | None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    path, known, limit = sys.path[:], set(sys.modules), sys.getrecursionlimit()
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    space: dict[str, object] = {}
    try:
        sys.setrecursionlimit(len(list(traceback.walk_stack(None))) + HOW_DEEP)
        exec(compile(files[TEST], str(root / TEST), "exec", dont_inherit=True), space)
        space["test"]()
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever the project raises is its result
        sys.setrecursionlimit(limit)
        return explained(error, root, files[TEST], space)
    finally:
        sys.setrecursionlimit(limit)
        sys.path[:], sys.dont_write_bytecode = path, writes
        for name in set(sys.modules) - known:
            if str(root) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
    return None


def explained(error: BaseException, root: Path, test: str, space: dict[str, object]) -> TestResult:
    # As the sandbox's runner does: what an exception was made from comes before its own frames.
    frames = frames_of(error.__cause__, root) + frames_of(error, root)
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(root):
        path = Path(error.filename).relative_to(root).as_posix()
        frames.append(Frame(path=path, line=error.lineno or 1, function="<module>"))
    comparison = None
    if isinstance(error, AssertionError):
        left, _, right = test.strip().splitlines()[-1].strip().removeprefix("assert ").partition(" == ")
        with contextlib.suppress(Exception):
            sides = [repr(eval(side, space)) for side in (left, right)]
            comparison = Comparison(operator="==", left=sides[0], right=sides[1])
    return TestResult(
        test=f"{TEST}::test",
        status=TestStatus.FAILED,
        exception=type(error).__name__,
        message=str(error)[:2000],
        frames=tuple(frames[-40:]),
        comparison=comparison,
    )


def frames_of(error: BaseException | None, root: Path) -> list[Frame]:
    frames = []
    for frame, line in traceback.walk_tb(error and error.__traceback__):
        name = Path(frame.f_code.co_filename)
        if name.is_relative_to(root):
            path = name.relative_to(root).as_posix()
            frames.append(Frame(path=path, line=line, function=frame.f_code.co_name))
    return frames


def patches_of(files: dict[str, str], failure: TestResult) -> list[Patch]:
    return [candidate.patch for candidate in from_templates(files, [failure])]


def rank_of(case: Case, patches: list[Patch]) -> int | None:
    """The 1-based rank of the right fix; None when it is not among the patches."""
    fixes = (apply(patch, case.files).get(case.path) for patch in patches)
    return next((rank for rank, text in enumerate(fixes, 1) if text == case.fix), None)
