"""The shell command by which a person applies a diff that stands in a comment."""

import base64

from bot.delivery.markdown import is_visible
from bot.patch.text import encode

_WIDTH = 76


def apply_script(diff: str) -> str:
    """``git apply`` with the diff as its input, whatever is in it.

    What a page cannot give back as it is (carriage returns, bytes that are not UTF-8, what cannot be seen)
    goes as base64.
    """
    if is_visible(diff) and diff.endswith("\n"):
        word = _word(diff)
        return f"git apply <<'{word}'\n{diff}{word}"
    text = base64.b64encode(encode(diff)).decode("ascii")
    lines = "\n".join(text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH))
    return f"base64 -d <<'REGREEN' | git apply\n{lines}\nREGREEN"


def _word(diff: str) -> str:
    """A word that is no line of ``diff``, so that nothing in it ends the input."""
    word, lines = "REGREEN", set(diff.split("\n"))
    while word in lines:
        word += "_"
    return word
