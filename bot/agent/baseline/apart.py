"""Sets tests apart that no change of the project's code can make pass, by the cause of their failure.

They count neither for nor against a patch, and are listed in the evidence.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from bot.causes.exceptions import Cause, CauseKind, cause, top_level_names
from sandbox.reports import TestResult

IMPORTABLE_SHARE = 0.5
"""Where modules are missing for so many of the tests that are set apart, that is the answer."""

LISTED = 3
NONE_KNOWN: Mapping[str, str] = MappingProxyType({})
MAX_MODULES_FILE = 100_000
"""Bytes of ``.gitmodules`` that are read."""

_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(\S[^\n]*?)[ \t\r]*$", re.MULTILINE)
_MODULE = re.compile(r"No module named '?(\w+)")
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


def empty_submodules(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The directories of git submodules, by ``.gitmodules`` of ``files``, that hold no file."""
    declared = files.get(".gitmodules", b"")[:MAX_MODULES_FILE].decode("utf-8", "replace")
    paths = dict.fromkeys(path.strip("/") for path in _SUBMODULE.findall(declared))
    held = {parent.as_posix() for file in files for parent in PurePosixPath(file).parents}
    return tuple(path for path in paths if path not in held)


def sort_failing(
    failing: Sequence[TestResult],
    sources: Mapping[str, str],
    *,
    known: Mapping[str, str] = NONE_KNOWN,
    submodules: Sequence[str] = (),
) -> Sorted:
    """Which of ``failing`` fail because of the code in ``sources``, the project's Python files by path.

    ``known`` are tests that are known to fail because of a dependency's release, with the reason;
    ``submodules`` the directories of git submodules that are not checked out.
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
        why = _of_submodule(result, submodules) or cause(result.exception, result.message, own=own)
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
    causes = "; ".join(f"{count} because {why}" for why, count in counts.most_common(LISTED))
    first = found.apart[0][0]
    return (
        f"no change of the code can make the {len(found.apart)} failing tests pass: {causes} ({first.test})"
    )
