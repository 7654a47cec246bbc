"""Regular expressions that match too much or too little.

Regular expressions without anchors, with a greedy or missing quantifier, or with an unescaped dot are the
common faults that studies of them list (Wang et al., "An Empirical Study on Regular Expression Bugs", MSR
2020); characters that are missing in a class, or too many, come next. What is missing often stands in the
failure's message.
"""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator

OF_PATTERNS = frozenset(
    {"match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split", "compile"}
)
_NAME = re.compile(r"(?i)(?:^|_)(?:re|rx|regexp?|pattern|expr)s?(?:_|$)")
_SPECIAL = re.compile(r"\\[wdsWDSbB]|\(\?|\[[^\]]+\][*+?{]")
_UNIT = re.compile(
    r"(\\[wdsWDS.]|\[\^?\]?(?:\\.|[^\]\\])*\]|\)|(?<!\\)\.|\\.)([*+?]\??|\{\d+(?:,\d*)?\}\??)?"
)
_CLASS = re.compile(r"\[(\^?)(\]?(?:\\.|[^\]\\])*)\]")
_MEMBER = re.compile(r"\\.-\\.|[^\\]-[^\\]|\\.|.")
_QUANTIFIERS = {
    "": ("+", "*", "?"),
    "+": ("*", "", "+?", "?"),
    "*": ("+", "*?", "", "?"),
    "?": ("", "*", "+"),
}
_SWAPPED = {"\\d": "\\w", "\\w": "\\d", "\\s": "\\S", "\\S": "\\s", "\\W": "\\w", "\\D": "\\d"}
_USUAL = ("A-Z", "a-z", "0-9", "_", "-", ".", "\\s")
_MAX_SHOWN, _MAX_LENGTH = 6, 2_000


@operator("pattern", prior=0.5, kinds=(ast.Constant,))
def pattern(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """A regular expression that matches too much or too little."""
    if not isinstance(node.value, str) or len(node.value) > _MAX_LENGTH:
        return
    call = _call_of(node, context)
    if call is None and not _looks_like_one(node, context):
        return
    start, end = context.source.segment(node)
    code = context.code(node)
    opening = re.match(r"(?i)[a-z]*(\"\"\"|'''|\"|')", code)
    if opening is None or "f" in code[: opening.start(1)].lower():
        return
    inner = code[opening.end() : -len(opening.group(1))]
    first, last = start + opening.end(), end - len(opening.group(1))
    near = sorted(_patterns_near(inner, _shown(context)), key=lambda found: -found[1])
    is_raw = "r" in code[: opening.start(1)].lower()
    for other, weight in near:
        if is_raw or other.count("\\") <= inner.count("\\"):
            yield context.replace(first, last, other, weight=weight)
        elif "\\" not in inner:  # in a text that is not raw, \b is a backspace, and \d a warning
            yield context.replace(start, last, f"r{code[: opening.end()]}{other}", weight=weight)
    if not is_raw and "\\" in inner:
        yield context.replace(start, start, "r", weight=0.8, why="make the pattern raw")
    if call is not None and call.args[0] is node:
        yield from _of_call(call, context)


def _of_call(call: ast.Call, context: Context) -> Iterator[Mutation]:
    """Another function, and flags."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in {"match", "search"} and isinstance(call.func, ast.Attribute):
        for other in {"match": ("fullmatch", "search"), "search": ("match", "fullmatch")}[name]:
            yield context.rename(call.func, other, weight=0.9)
    if not call.keywords and name in {"match", "search", "fullmatch", "findall", "compile"}:
        last = context.source.segment(call.args[-1])[1]
        for flag, weight in (("IGNORECASE", 0.6), ("MULTILINE", 0.4), ("DOTALL", 0.4)):
            yield context.replace(last, last, f", re.{flag}", weight=weight)


def _call_of(node: ast.AST, context: Context) -> ast.Call | None:
    """The call that takes the text for a pattern, perhaps put together with others."""
    parent = context.source.parents.get(node)
    while isinstance(parent, (ast.BinOp, ast.JoinedStr)) or (
        isinstance(parent, ast.Attribute) and parent.attr == "format"
    ):
        node, parent = parent, context.source.parents.get(parent)
        if isinstance(node, ast.Attribute) and isinstance(parent, ast.Call):
            node, parent = parent, context.source.parents.get(parent)
    if not isinstance(parent, ast.Call) or not parent.args or parent.args[0] is not node:
        return None
    name = parent.func.attr if isinstance(parent.func, ast.Attribute) else getattr(parent.func, "id", "")
    owner = context.code(parent.func.value) if isinstance(parent.func, ast.Attribute) else "re"
    return parent if name in OF_PATTERNS and owner in {"re", "regex"} else None


def _looks_like_one(node: ast.Constant, context: Context) -> bool:
    """Whether a text in a table, or with a name that says so, is a pattern."""
    if not _SPECIAL.search(context.code(node)):
        return False
    parent: ast.AST | None = node
    while isinstance(parent, (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.BinOp)):
        parent = context.source.parents.get(parent)
    targets = getattr(parent, "targets", None) or [getattr(parent, "target", None)]
    names = [getattr(target, "id", getattr(target, "attr", "")) for target in targets]
    uses = "import re" in context.source.code or "import regex" in context.source.code
    return uses and (isinstance(parent, (ast.Assign, ast.AnnAssign)) or any(map(_NAME.search, names)))


def _shown(context: Context) -> list[str]:
    """The first characters that are no letters or digits in what the failures say."""
    said = dict.fromkeys(" ".join(context.messages))
    return [char for char in said if not char.isalnum() and char not in "\\\"'()[]=<>,"][:_MAX_SHOWN]


def _patterns_near(inner: str, shown: list[str]) -> Iterator[tuple[str, float]]:
    yield from _anchored(inner)
    for match in _UNIT.finditer(inner):
        unit, quantifier = match.group(1), match.group(2) or ""
        head, tail = inner[: match.start()], inner[match.end() :]
        for other in _QUANTIFIERS.get(quantifier, ("+", "*", "")):
            yield head + unit + other + tail, 0.9
        if unit == ".":
            yield f"{head}\\.{quantifier}{tail}", 0.9
        if unit in _SWAPPED:
            yield head + _SWAPPED[unit] + quantifier + tail, 0.6
        if unit in {"\\w", "\\d", "\\S"}:
            for more, weight in _additions(unit, shown):
                yield f"{head}[{unit}{more}]{quantifier}{tail}", weight
    yield from _other_classes(inner, shown)


def _anchored(inner: str) -> Iterator[tuple[str, float]]:
    first, last = inner.startswith("^"), inner.endswith("$")
    yield (inner[1:] if first else f"^{inner}"), 0.8
    yield (inner[:-1] if last else f"{inner}$"), 0.9
    if not (first or last):
        yield f"^{inner}$", 0.8
        yield rf"\b{inner}\b", 0.5
    for before, after in (("", r"(?!\d)"), (r"(?<!\w)", ""), ("", r"(?!\w)"), (r"(?<!\d)", "")):
        yield before + inner + after, 0.4


def _other_classes(inner: str, shown: list[str]) -> Iterator[tuple[str, float]]:
    """A member into or out of a class; into all that are equal as well."""
    for match in _CLASS.finditer(inner):
        denied, members = match.groups()
        head, tail = inner[: match.start()], inner[match.end() :]
        yield f"{head}[{'' if denied else '^'}{members}]{tail}", 0.5
        for more, weight in _additions(members, shown):
            other = f"[{denied}{more}{members}]" if members.endswith("-") else f"[{denied}{members}{more}]"
            yield head + other + tail, weight
            if inner.count(match.group()) > 1 and inner.index(match.group()) == match.start():
                yield inner.replace(match.group(), other), weight
        parts = _MEMBER.findall(members)
        for place in range(len(parts) if len(parts) > 1 else 0):
            yield f"{head}[{denied}{''.join(parts[:place] + parts[place + 1 :])}]{tail}", 0.5


def _additions(members: str, shown: list[str]) -> list[tuple[str, float]]:
    """What a class may lack: characters that the failures show, then usual ones."""
    own = [re.escape(char) if char in "^]-\\" else char for char in shown]
    found = {**dict.fromkeys(_USUAL, 0.6), **dict.fromkeys(own, 1.0)}
    return [(more, weight) for more, weight in found.items() if more not in members]
