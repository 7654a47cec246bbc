"""Characters that a person does not see, or sees as others: what a change must not bring into a file.

Lines that stay as they are may hold them. Strings can name any character by its escape instead.
"""

import io
import tokenize
import unicodedata
from collections import Counter
from collections.abc import Iterator

from bot.patch.text import split_lines

# Letters, marks and signs that take room or none, and show nothing.
_EMPTY = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_LOOK_LATIN = frozenset(
    "аеорсухіјѕԁԛԝһӏьгпиАВЕКМНОРСТУХІЈЅԌԚԜαικνορτυχγηωΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհցզյևՕՍԼɑɡɩʋıȷᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
)


def hidden_problems(path: str, old: str, new: str) -> Iterator[str]:
    """Why the lines that are new in ``new`` are refused: each kind of character once."""
    added = "".join((Counter(split_lines(new)) - Counter(split_lines(old))).elements())
    if added.isascii() and added.isprintable():
        return
    # but for what ends or indents lines
    for char in sorted(set(added.replace("\r\n", "")) - set("\n\r\t")):
        if is_hidden(char):
            name = unicodedata.name(char, "a control character")
            yield f"{path}: a new line holds U+{ord(char):04X} ({name.lower()}), which is not shown as it is"
    if _lone_returns(new) > _lone_returns(old):
        yield f"{path}: a new line holds a carriage return by itself, which hides what stands behind it"


def identifier_findings(old: str, new: str) -> tuple[list[str], list[str]]:
    """New identifiers that are refused, since they can be taken for others, and the foreign ones."""
    if new.isascii():
        return [], []
    fresh = sorted(_identifiers(new) - _identifiers(old))
    refused = [name for name in fresh if is_confusable(name)]
    foreign = [name for name in fresh if name not in refused and not _is_latin(name)]
    return refused, foreign


def is_hidden(char: str) -> bool:
    """Whether ``char`` controls what is shown, or shows nothing."""
    if char in _EMPTY or "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e0fff":
        return True
    return unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp", "Cn", "Co"}


def _lone_returns(text: str) -> int:
    return text.replace("\r\n", "").count("\r")


def _identifiers(text: str) -> set[str]:
    """The names in ``text`` that are not ASCII, as they are written; the parser would compose them."""
    found = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME and not token.string.isascii():
                found.add(token.string)
            elif token.type == tokenize.STRING and "f" in token.string[:3].lower():
                # What stands in the braces of such a string is code as well.
                found.update(word for word in _words(token.string) if not word.isascii())
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return {word for word in _words(text) if not word.isascii()}
    return found


def _words(text: str) -> list[str]:
    return "".join(char if char.isidentifier() or char.isdigit() else " " for char in text).split()


def is_confusable(name: str) -> bool:
    """Whether ``name`` can be taken for another, by letters that look alike or mixed scripts."""
    if unicodedata.normalize("NFKC", name) != name:
        return True
    letters = [char for char in unicodedata.normalize("NFKD", name) if char.isalpha()]
    foreign = [char for char in letters if not char.isascii()]
    if any(char in _LOOK_LATIN for char in foreign) and all(c in _LOOK_LATIN or c.isascii() for c in letters):
        return True
    return len(set(map(_script, letters))) > 1


def _script(char: str) -> str:
    script = "LATIN" if char.isascii() else unicodedata.name(char, "?").partition(" ")[0]
    return "CJK" if script in {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"} else script


def _is_latin(name: str) -> bool:
    return all(_script(char) == "LATIN" for char in unicodedata.normalize("NFKD", name) if char.isalpha())
