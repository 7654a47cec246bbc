"""Whether a change is one of form alone, as a formatter makes it: nothing that runs is another."""

import io
import tokenize
from collections import Counter
from collections.abc import Mapping

from bot.domain import Patch
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.policy.files.protected import is_python
from bot.patch.syntax import alike, parsed
from bot.patch.text import encode


def is_formatting(patch: Patch, sources: Mapping[str, str]) -> bool:
    """Whether ``patch`` does nothing but format files of Python that are there."""
    try:
        changed = apply(patch, sources)
    except PatchError:
        return False
    return bool(changed) and all(
        is_python(path) and path in sources and only_formatted(sources[path], text)
        for path, text in changed.items()
    )


def only_formatted(old: str, new: str) -> bool:
    """Whether two texts of Python have the same syntax tree, docstrings included, and the same comments.

    Comments may stand elsewhere, and have other spaces.
    """
    before, after = parsed(old), parsed(new)
    if before is None or after is None:
        return False
    try:
        return alike(before, after) and _comments(old) == _comments(new)
    except (SyntaxError, tokenize.TokenError, RecursionError, ValueError, LookupError):
        return False


def _comments(text: str) -> Counter[str]:
    # As bytes, so that a line that names an encoding counts as it does for the interpreter.
    tokens = tokenize.tokenize(io.BytesIO(encode(text)).readline)
    comments = (token.string for token in tokens if token.type == tokenize.COMMENT)
    return Counter("".join(comment.split()).removeprefix("#") for comment in comments)
