"""Names as git and GitHub allow them, checked before they become part of an address."""

import re

from bot.errors import Unprocessable, quoted

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})(?:\[bot\])?")
# The rules of git-check-ref-format(1), for what follows refs/heads/.
_NOT_IN_BRANCH = re.compile(
    r"\.\.|[\x00-\x20\x7f~^:?*\[\\]|//|@\{|\.lock(?:/|\Z)|(?:\A|/)\.|[./]\Z|\A[/-]|\A@\Z"
)
BRANCH_BYTES = 244
"""GitHub's limit, the prefix counted."""


def is_sha(text: str) -> bool:
    """Whether it is a whole sha."""
    return _SHA.fullmatch(text) is not None


def sha(text: str) -> str:
    """``text``, where it is a whole sha: nothing that can point elsewhere tomorrow.

    Raises:
        Unprocessable: it is not.
    """
    if not _SHA.fullmatch(text):
        raise Unprocessable(f"not the whole sha of a commit: {quoted(text)}")
    return text


def branch(text: str) -> str:
    """``text``, where a branch can have that name.

    Raises:
        Unprocessable: none can.
    """
    if not text or _NOT_IN_BRANCH.search(text) or len(text.encode("utf-8", "replace")) > BRANCH_BYTES:
        raise Unprocessable(f"no branch can have the name {quoted(text)}")
    return text


def is_login(text: str) -> bool:
    """Whether an account can have that name."""
    return _LOGIN.fullmatch(text) is not None
