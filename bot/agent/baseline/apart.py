"""Sets tests apart that no change of the project's code can make pass, by the cause of their failure.

They count neither for nor against a patch, and are listed in the evidence.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from bot.causes.exceptions import Cause, CauseKind, cause, top_level_names
from bot.request import NOTHING_ABSENT, Absent
from sandbox.reports import TestResult

IMPORTABLE_SHARE = 0.5
"""Where modules are missing for so many of the tests that are set apart, that is the answer."""

LISTED = 3
NONE_KNOWN: Mapping[str, str] = MappingProxyType({})
MAX_MODULES_FILE = 100_000
"""Bytes of ``.gitmodules`` that are read."""

_COMPILED = frozenset({".pyx", ".c", ".cc", ".cpp", ".cxx"})
_MODULES = frozenset({".py", ".so", ".pyd"})
_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(\S[^\n]*?)[ \t\r]*$", re.MULTILINE)
_MODULE = re.compile(r"No module named '?(\w+)")
_WHOLE_MODULE = re.compile(r"No module named '([\w.]+)'")
_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """Failing tests: those that a repair may look at, and those set apart, with the cause of each."""

    failing: tuple[TestResult, ...]
    apart: tuple[tuple[TestResult, Cause], ...]

    @property
    def reasons(self) -> tuple[tuple[str, str], ...]:
        """The tests that are set apart, by their ids, with the reason in words."""
        return tuple((result.test, why.why) for result, why in self.apart)


def absent_from(files: Mapping[str, bytes]) -> Absent:
    """What ``files``, those of a checkout, lack."""
    return Absent(submodules=_empty_submodules(files), extensions=_unbuilt_extensions(files))


def _empty_submodules(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The directories of git submodules, by ``.gitmodules`` of ``files``, that hold no file."""
    declared = files.get(".gitmodules", b"")[:MAX_MODULES_FILE].decode("utf-8", "replace")
    paths = dict.fromkeys(path.strip("/") for path in _SUBMODULE.findall(declared))
    held = {parent.as_posix() for file in files for parent in PurePosixPath(file).parents}
    return tuple(path for path in paths if path not in held)


def _unbuilt_extensions(files: Iterable[str]) -> tuple[str, ...]:
    """The dotted paths of modules that a compiler has to make, and has not."""
    paths = [PurePosixPath(file) for file in files]
    made = {path.with_name(path.name.partition(".")[0]) for path in paths if path.suffix in _MODULES}
    sources = (path.with_suffix("") for path in paths if path.suffix in _COMPILED)
    return tuple(sorted({".".join(path.parts) for path in sources if path not in made}))


def sort_failing(
    failing: Sequence[TestResult],
    sources: Mapping[str, str],
    *,
    known: Mapping[str, str] = NONE_KNOWN,
    absent: Absent = NOTHING_ABSENT,
) -> Sorted:
    """Which of ``failing`` fail because of the code in ``sources``, the project's Python files by path.

    ``known`` are tests that are known to fail because of a dependency's release, with the reason;
    ``absent`` is what the project's files lack.
    """
    own = top_level_names(sources)
    if any("No module named" in result.message for result in failing):
        # A name that is nearly one that other files import is a misspelling, and the code's doing.
        missing = {name for result in failing for name in _MODULE.findall(result.message)}
        imported = {name for source in sources.values() for name in _IMPORT.findall(source)}
        own |= imported - missing
    kept: list[TestResult] = []
    apart: list[tuple[TestResult, Cause]] = []
    for result in failing:
        why = _of_submodule(result, absent.submodules) or _of_extension(result, absent.extensions)
        why = why or cause(result.exception, result.message, own=own)
        if result.test in known:
            said = known[result.test]
            why = Cause(kind=CauseKind.DEPENDENCY, subkind="version_conflict", weight=1.0, why=said)
        if why.kind in {CauseKind.CODE, CauseKind.FLAKY}:
            kept.append(result)
        else:
            apart.append((result, why))
    return Sorted(failing=tuple(kept), apart=tuple(apart))


def _of_submodule(result: TestResult, submodules: Sequence[str]) -> Cause | None:
    """Set where a file or a module is missing that lies in one of ``submodules``."""
    for path in submodules:
        file = rf"No such file or directory.*(?<![\w.-]){re.escape(path)}(?![\w-])"
        module = rf"No module named '{re.escape(PurePosixPath(path).name)}\b"
        if re.search(f"{file}|{module}", result.message):
            why = f"the git submodule {path} is not checked out: git submodule update --init"
            return Cause(kind=CauseKind.CONFIGURATION, subkind="submodule", weight=1.0, why=why)
    return None


def _of_extension(result: TestResult, unbuilt: Sequence[str]) -> Cause | None:
    """Set where a module is missing that has not been compiled."""
    found = _WHOLE_MODULE.search(result.message)
    if found and any(f".{path}".endswith(f".{found[1]}") for path in unbuilt):
        why = f"the extension module {found[1]} is not compiled here"
        return Cause(kind=CauseKind.CONFIGURATION, subkind="extension", weight=1.0, why=why)
    return None


def why_apart(found: Sorted) -> str:
    """Why there is nothing to repair where all failing tests are set apart, and what helps."""
    missing = [(result, why) for result, why in found.apart if why.subkind == "missing_module"]
    if missing and len(missing) >= IMPORTABLE_SHARE * len(found.apart):
        result, why = missing[0]
        return (
            f"{len(missing)} tests cannot run here: {why.why} ({result.test}). Install it: name a "
            "command that does with --setup-command, or an interpreter that has it with --python"
        )
    counts = Counter(why.why for _, why in found.apart)
    causes = "; ".join(f"{number} because {why}" for why, number in counts.most_common(LISTED))
    count, first = len(found.apart), found.apart[0][0]
    return f"no change of the code can make the {count} failing tests pass: {causes} ({first.test})"
