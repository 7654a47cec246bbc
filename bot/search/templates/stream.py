"""The stream of candidates of fix templates: each failure's likeliest fixes in turn, few in all.

Nothing is run here; what does not compile, or was proposed before, is left out.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from bot.domain import Candidate, Patch
from bot.errors import PatchError
from bot.internal_errors import each
from bot.patch.apply import apply
from bot.patch.globs import matches
from bot.patch.policy.files.protected import PROTECTED
from bot.search.operators.base import Mutation
from bot.search.symptoms import ACCEPTED_BOOST
from bot.search.templates.failure import Failure, failures_of
from bot.search.templates.project import Project
from bot.search.templates.registry import TEMPLATES
from bot.search.templates.syntax import first_error, syntax_fixes
from sandbox.reports import TestResult

MAX_FOR_ONE = 12  # candidates for one failure
MAX_FAILURES = 6  # distinct failures that are looked at
MAX_CANDIDATES = 48  # candidates in all: about what half a second of verdicts takes
# Below this a fix is a guess among many, and those are the search's business.
MIN_WEIGHT = 0.4


class _Fix(NamedTuple):
    origin: str
    mutation: Mutation


def from_templates(
    sources: Mapping[str, str], failing: Sequence[TestResult], accepted: Collection[str] = ()
) -> Iterator[Candidate]:
    """Fixes that the failures' own messages call for, likeliest first; none where they say nothing.

    Args:
        sources: all files of the project; those of the tests are read, never changed.
        failing: the failing results.
        accepted: templates whose fixes come before others of about the same weight.

    Returns:
        Candidates that compile, no two with the same result, with falling scores in (0, 1].
    """
    project = Project(sources, failing, _is_allowed)
    failures = failures_of(failing, project.paths)[:MAX_FAILURES]
    by_failure = [_fixes(failure, project, accepted) for failure in failures]
    seen: set[tuple[tuple[str, str], ...]] = set()
    score, count = 1.0, 0
    for rank in zip_longest(*by_failure):
        for fix in rank:
            if fix is None or count >= MAX_CANDIDATES:
                continue
            patch = Patch(edits=fix.mutation.edits)
            changed = _compiled(patch, sources) if all(map(_is_allowed, patch.paths)) else ()
            if changed and changed not in seen:
                seen.add(changed)
                count += 1
                score = min(score, fix.mutation.weight)
                why = fix.mutation.explanation
                yield Candidate(patch=patch, origin=fix.origin, explanation=why, score=score)


def _is_allowed(path: str) -> bool:
    return not matches(path, PROTECTED)


def _fixes(failure: Failure, project: Project, accepted: Collection[str]) -> Iterator[_Fix]:
    """One failure's fixes, made when the first is wanted."""
    found: list[_Fix] = []
    for name, fixes in (("syntax", syntax_fixes), *((one.name, one.apply) for one in TEMPLATES)):
        given = each(f"the fix template '{name}'", partial(fixes, failure, project))
        found += [_Fix(name, mutation) for mutation in given]
    found.sort(key=lambda fix: -fix.mutation.weight * (ACCEPTED_BOOST if fix.origin in accepted else 1.0))
    best: dict[Patch, _Fix] = {}
    for fix in found:
        if fix.mutation.weight >= MIN_WEIGHT:
            best.setdefault(Patch(edits=fix.mutation.edits), fix)
    yield from list(best.values())[:MAX_FOR_ONE]


def _compiled(patch: Patch, sources: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The changed sources; empty when nothing changes or a file does not compile."""
    try:
        changed = apply(patch, sources)
    except PatchError:
        return ()
    compiles = all(first_error(code) is None for path, code in changed.items() if path.endswith(".py"))
    return tuple(sorted(changed.items())) if compiles else ()
