"""What the search tests share: suspicion of given lines, and the texts that candidates lead to."""

from collections.abc import Iterator, Sequence

from bot.domain import Candidate, Patch, SpanEdit, Suspicion
from bot.search import candidates
from sandbox.reports import TestResult

PATH = "shop/module.py"


def applied(text: str, patch: Patch) -> str:
    for edit in sorted(patch.edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text


def change(text: str, old: str, new: str, score: float = 0.5) -> Candidate:
    """A candidate that puts ``new`` in the place of ``old``."""
    start = text.index(old)
    edit = SpanEdit(path=PATH, start=start, end=start + len(old), replacement=new)
    patch = Patch(edits=(edit,))
    return Candidate(patch=patch, origin="mine", explanation=f"{old} to {new}", score=score)


def everywhere(text: str, path: str = PATH) -> list[Suspicion]:
    return [Suspicion(path=path, line=number, score=1.0) for number in range(1, len(text.splitlines()) + 1)]


def candidates_of(text: str, failing: Sequence[TestResult] = ()) -> Iterator[Candidate]:
    return candidates({PATH: text}, everywhere(text), failing)


def texts(text: str, failing: Sequence[TestResult] = ()) -> list[str]:
    return [applied(text, candidate.patch) for candidate in candidates_of(text, failing)]
