"""Files that do not parse: edits of lines and tokens near the compiler's mark, kept where it agrees.

There is no tree to work on, so the fixes are of the text: what a person forgets, misspells or leaves behind.
An edit is kept when the file compiles, and followed up when it moves the first error further down, since a
file may hold several (minimum-distance error correction after Aho and Peterson, SIAM J. Comput. 1972, here
with few hand-picked edits and a beam in place of all).
"""

import hashlib
import re
from collections.abc import Iterator

from bot.patch.apply import from_sources
from bot.search.operators.base import Mutation
from bot.search.operators.statements import LINE
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project
from bot.search.templates.syntax.layout import LAYOUT
from bot.search.templates.syntax.text import Near, Variant
from bot.search.templates.syntax.tokens import TOKENS
from sandbox.silenced import silenced

_KINDS = frozenset({"SyntaxError", "IndentationError", "TabError"})
_NAMED = re.compile(r"\((\S+?\.py), line \d+\)")
_MAX_TRIED = 240  # variants of one text that are shown to the compiler
# Characters of them in all, which takes it about three seconds; and how many are shown in any case.
_MAX_READ, _LEAST_TRIED = 4_000_000, 8
_MAX_FOUND = 12
_DEPTH = 4  # errors in one file that are fixed together
_BEAM = 3
_FURTHER = 0.9  # what each further error costs


def syntax_fixes(failure: Failure, project: Project) -> Iterator[Mutation]:
    """Fixes of the files that the failure says do not parse."""
    if failure.kind not in _KINDS:
        return
    named = _NAMED.search(failure.message)
    paths = [frame.path for frame in failure.frames]
    paths += [path for path in project.paths if named and path.endswith(named.group(1).lstrip("./"))]
    for path in dict.fromkeys(paths):
        if path in project.paths and first_error(project.sources[path]) is not None:
            yield from _fixes_of(path, project.sources[path])
            return


def first_error(code: str) -> SyntaxError | None:
    """What the compiler objects to first in a text, which is not run; None when nothing."""
    readable = code.removeprefix("\ufeff").encode("utf-8", "replace").decode()
    try:
        with silenced():
            compile(readable, "<candidate>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return SyntaxError(str(error))
    return None


def _fixes_of(path: str, code: str) -> Iterator[Mutation]:
    found: dict[str, tuple[float, str]] = {}
    level = [(1.0, code, "")]
    for _ in range(_DEPTH):
        further: dict[str, tuple[float, str]] = {}
        for share, base, said in level:
            _explore(base, share, said, found, further)
        if found or not further:
            break
        ordered = sorted(further.items(), key=lambda item: -item[1][0])
        level = [(weight * _FURTHER, base, why) for base, (weight, why) in ordered[:_BEAM]]
    for changed, (weight, why) in sorted(found.items(), key=lambda item: -item[1][0])[:_MAX_FOUND]:
        edits = from_sources({path: code}, {path: changed}).edits
        yield Mutation(edits=edits, weight=weight, explanation=why)


def _explore(
    code: str,
    share: float,
    said: str,
    found: dict[str, tuple[float, str]],
    further: dict[str, tuple[float, str]],
) -> None:
    """Sorts the variants of one text into those that compile and those that fail further down."""
    error = first_error(code)
    if error is None:
        return
    here = _place(error)
    for changed, variant in _variants(code, error):
        why = f"{said}; {variant.why}" if said else variant.why
        weight = share * variant.weight
        problem = first_error(changed)
        if problem is None:
            found[changed] = max(found.get(changed, (0.0, "")), (weight, why))
        elif _place(problem) > here:
            further[changed] = max(further.get(changed, (0.0, "")), (weight, why))


def _place(error: SyntaxError) -> tuple[int, int]:
    return error.lineno or 1, error.offset or 1


def _variants(code: str, error: SyntaxError) -> Iterator[tuple[str, Variant]]:
    """The likeliest variants with their texts, no two alike."""
    near = Near(LINE.findall(code), error)
    if not near.is_legible(near.index):
        return
    made = [variant for maker in (*LAYOUT, *TOKENS) for variant in maker(near)]
    most = min(_MAX_TRIED, max(_LEAST_TRIED, _MAX_READ // len(code)))
    seen = {_digest(code)}
    for variant in sorted(made, key=lambda each: -each.weight):
        changed = variant.code
        if (digest := _digest(changed)) not in seen:
            seen.add(digest)
            yield changed, variant
            if len(seen) > most:
                return


def _digest(code: str) -> bytes:
    """What distinguishes texts in place of the texts, which may be large."""
    return hashlib.blake2b(code.encode("utf-8", "surrogatepass"), digest_size=16).digest()
