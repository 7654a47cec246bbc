"""Sets tests apart that no change of the project's code can make pass, by the cause of their failure.

They count neither for nor against a patch, and are listed in the evidence.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bot.causes.exceptions import Cause, CauseKind, cause, top_level_names
from sandbox.reports import TestResult

IMPORTABLE_SHARE = 0.5
"""Where modules are missing for so many of the tests that are set apart, that is the answer."""

LISTED = 3
NONE_KNOWN: Mapping[str, str] = MappingProxyType({})
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


def sort_failing(
    failing: Sequence[TestResult], sources: Mapping[str, str], *, known: Mapping[str, str] = NONE_KNOWN
) -> Sorted:
    """Which of ``failing`` fail because of the code in ``sources``, the project's Python files by path.

    ``known`` are tests that are known to fail because of a dependency's release, with the reason.
    """
    own = top_level_names(sources)
    if any("No module named" in result.message for result in failing):
        # A name that is nearly one that other files import is a misspelling, and the code's doing.
        missing = {name for result in failing for name in _MODULE.findall(result.message)}
        own |= _imported(sources) - missing
    kept: list[TestResult] = []
    apart: list[tuple[TestResult, Cause]] = []
    for result in failing:
        why = _released(known[result.test]) if result.test in known else _cause(result, own)
        if why.kind in {CauseKind.CODE, CauseKind.FLAKY}:
            kept.append(result)
        else:
            apart.append((result, why))
    return Sorted(failing=tuple(kept), apart=tuple(apart))


def _imported(sources: Mapping[str, str]) -> frozenset[str]:
    """The top-level modules that the files import."""
    return frozenset(name for source in sources.values() for name in _IMPORT.findall(source))


def _released(why: str) -> Cause:
    return Cause(kind=CauseKind.DEPENDENCY, subkind="version_conflict", weight=1.0, why=why)


def _cause(result: TestResult, own: Collection[str]) -> Cause:
    return cause(result.exception, result.message, own=own)


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
