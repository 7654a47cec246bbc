"""Delta debugging of a patch: the fewest edits that still pass.

It knows nothing of tests: passing is the caller's predicate, and may be costly, so that checks are counted.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bot.domain import Patch, SpanEdit
from bot.patch.apply import apply, from_sources
from bot.patch.delta_debugging import smallest
from bot.patch.syntax import parsed, syntax_problem, unreachable
from bot.patch.text import Sources, split_lines

Edits = tuple[SpanEdit, ...]

# Each round starts from a smaller diff; two or three are usual.
MAX_ROUNDS = 20


def minimised(
    patch: Patch, sources: Sources, still_passes: Callable[[Patch], bool], *, max_checks: int = 64
) -> Patch:
    """The smallest part of ``patch`` found that still passes; ``patch`` itself when none smaller does.

    The hunks are minimised first, then the lines within them, then the new lines of what cannot be split.
    When ``max_checks`` suffice, no single remaining edit can be left out. Candidates that do not parse, or
    that leave more code that is never reached, are never asked about. Deterministic for a deterministic
    predicate.

    Args:
        patch: a patch that passes; it is not asked about again.
        sources: the files that it applies to.
        still_passes: whether a candidate passes.
        max_checks: upper limit for the calls of ``still_passes``.

    Raises:
        PatchError: ``patch`` does not apply to ``sources``.
    """
    search = _Search(patch, sources, still_passes, max_checks)
    edits = search.whole.edits
    for _round in range(MAX_ROUNDS):
        edits = smallest(edits, search.passes).parts
        split = tuple(part for edit in edits for part in _by_lines(edit, sources))
        search.narrow(smallest(split, search.passes).parts)
        # Texts have several diffs: what passed is written in its smallest one, whose edits are others.
        if search.best.edits == edits or search.exhausted:
            break
        edits = search.best.edits
    return search.best


class _Search:
    """Candidates asked about so far, within the budget; ``best`` always passed, as the ``whole`` did."""

    def __init__(
        self, patch: Patch, sources: Sources, still_passes: Callable[[Patch], bool], max_checks: int
    ) -> None:
        known = apply(patch, sources)
        self.best, self.whole = patch, from_sources(sources, known)
        self._sources = sources
        self._still_passes = still_passes
        self._checks_left = max_checks
        # a file that the whole patch leaves unparsable shows nothing about its parts
        self._parsable = {
            path
            for path, source in known.items()
            if path.endswith(".py") and syntax_problem(path, source) is None
        }
        # a part may leave no more code that is never reached than there was, or than the whole does
        self._dead = {path: max(_dead(sources.get(path, "")), _dead(known[path])) for path in self._parsable}
        self._known = {Patch(edits=()): False, self.whole: True}

    @property
    def exhausted(self) -> bool:
        """Whether no check is left."""
        return self._checks_left <= 0

    def passes(self, edits: Sequence[SpanEdit]) -> bool | None:
        """Whether ``edits`` alone pass; what passes becomes the best. None where no check is left."""
        if self.exhausted:
            return None
        changed = apply(Patch(edits=tuple(edits)), self._sources)
        candidate = from_sources(self._sources, changed)
        if candidate not in self._known:
            files = self._parsable.intersection(changed)
            if any(syntax_problem(path, changed[path]) for path in files):
                return False
            if any(_dead(changed[path]) > self._dead[path] for path in files):
                return False
            self._checks_left -= 1
            self._known[candidate] = self._still_passes(candidate)
        if self._known[candidate]:
            self.best = candidate
        return self._known[candidate]

    def narrow(self, edits: Edits) -> None:
        """Leave new lines of ``edits`` out, one at a time while that passes."""
        for position in range(len(edits)):
            while True:
                before, after = edits[:position], edits[position + 1 :]
                parts = ((*before, part, *after) for part in _narrower(edits[position]))
                smaller = next(filter(self.passes, parts), None)
                if smaller is None:
                    break
                edits = smaller


def _dead(source: str) -> int:
    """How many statements are never reached."""
    tree = parsed(source)
    return unreachable(tree) if tree else 0


def _by_lines(edit: SpanEdit, sources: Sources) -> Iterator[SpanEdit]:
    """One edit a line, where old and new lines pair up or one side is empty; else the edit as it is."""
    old = split_lines(sources.get(edit.path, "")[edit.start : edit.end])
    new = split_lines(edit.replacement)
    if (old and new and len(old) != len(new)) or max(len(old), len(new)) < 2:
        yield edit
        return
    start = edit.start
    for number in range(max(len(old), len(new))):
        end = start + (len(old[number]) if old else 0)
        yield SpanEdit(path=edit.path, start=start, end=end, replacement=new[number] if new else "")
        start = end


def _narrower(edit: SpanEdit) -> Iterator[SpanEdit]:
    """``edit`` with one new line left out.

    Old lines are not put back one by one: beside their replacement they would stay as dead code.
    """
    new = split_lines(edit.replacement)
    if len(new) >= 2:
        yield from (replace(edit, replacement="".join(new[:at] + new[at + 1 :])) for at in range(len(new)))
