"""Constants: a number, a flag, a text or a format that is slightly, or entirely, another one.

"Change numeric literal" and "change boolean literal" lead SStuBs' list of patterns together with identifiers
(Karampatsis & Sutton, MSR 2020); "value misuse" is HumanEvalPack's name for it (Muennighoff et al. 2023).
"""

import ast
import re
from collections.abc import Iterator

from bot.search.literals import sides
from bot.search.operators.base import Context, Mutation, operator, together, writable
from bot.search.precedence import FACTOR

_SPEC = re.compile(r"(?<!\{)\{([^{}:!]*)(![rsa])?(:[^{}]*)?\}(?!\})")
# One literal of several that Python joins: its prefix, and the rest.
_PIECE = re.compile(
    r"""([a-zA-Z]*)("{3}(?:\\.|[^\\])*?"{3}|'{3}(?:\\.|[^\\])*?'{3}|"""
    r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""",
    re.DOTALL,
)
_SPECS = ("", ":.2f", ":.1f", ":02d", ":,", ":.0f", ":d", ":,.2f", ":.3f", ":03d", ":.1%", ":.0%", ":x", "!r")
_NEAR, _FAR, _STEPS = 2, 10**6, 4  # steps that are tried anyway, and how many larger ones are
_SHORT_TEXT = 24  # characters; longer texts are prose, and no single tweak fixes prose


def literal_of(node: ast.Constant, context: Context) -> ast.expr:
    """The whole literal: with its minus sign, and with the f-string that it is a piece of."""
    parents = context.source.parents
    found: ast.expr = node
    while isinstance(parent := parents[found], ast.JoinedStr):
        found, around = parent, parents[parent]
        if isinstance(around, ast.FormattedValue) and around.format_spec is parent:
            found = around
    signed = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
    return parent if signed and isinstance(parent, ast.UnaryOp) else found


def is_docstring(node: ast.Constant, context: Context) -> bool:
    """Whether the text is only there to be read."""
    return isinstance(context.source.parents[node], ast.Expr)


def same_quotes(value: str, like: str) -> str:
    """``value`` as a literal with the quotes of ``like``."""
    quote = '"' if like.endswith('"') else "'"
    body = repr("'" + value)[2:-1] if quote == '"' else repr('"' + value)[2:-1]
    return quote + body.replace("\\" + quote, quote).replace(quote, "\\" + quote) + quote


def _literals(owner: ast.AST, context: Context) -> dict[str, type]:
    """The literals of a function, or of the file, by their text, with the types of their values."""
    found: dict[str, type] = {}
    for part in context.scopes.region_of(owner):
        if isinstance(part, ast.Constant) and not is_docstring(part, context):
            code = context.code(literal_of(part, context))
            if len(code) <= 2 * _SHORT_TEXT:
                found.setdefault(code, type(part.value))
    return found


@operator("number", prior=0.7, kinds=(ast.Constant,))
def number_tweak(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """A number that is off by one, of the wrong sign, or one of the usual suspects."""
    if type(node.value) not in {int, float}:
        return
    whole = literal_of(node, context)
    value = -node.value if whole is not node else node.value  # type: ignore[operator]
    for other, weight in _numbers_near(value) if writable(value) else ():  # type: ignore[arg-type]
        yield context.put(whole, repr(other), level=FACTOR if other < 0 else 15, weight=weight)
    if isinstance(value, int) and writable(value):
        for step in context.once(_shown_steps, context.source.tree):
            code = repr(value + step)
            yield context.put(whole, code, level=FACTOR if value + step < 0 else 15, weight=0.6)


def _shown_steps(_module: ast.AST, context: Context) -> list[int]:
    """By how much a failed comparison is off, in both directions: numbers, or lengths of texts and lists."""
    found: dict[int, None] = {}
    for pair in filter(None, (sides(result.comparison) for result in context.failing)):
        match pair:
            case (int() as left, int() as right) if 0 < abs(left - right) <= _FAR:
                found |= {left - right: None, right - left: None}
            case (str() | list() | tuple() as left, str() | list() | tuple() as right):
                found |= {len(left) - len(right): None, len(right) - len(left): None}
    return [step for step in found if abs(step) > _NEAR][:_STEPS]


def _numbers_near(value: float) -> Iterator[tuple[float, float]]:
    """Other numbers that may have been meant."""
    near: list[tuple[float, float]] = [(value + 1, 1.0), (value - 1, 1.0), (0, 0.8), (1, 0.8)]
    near += [(-value, 0.6), (-1, 0.5), (2, 0.5), (value * 10, 0.25), (value * 2, 0.25)]
    if isinstance(value, float):
        near += [(1 - value, 0.5), (value / 10, 0.5), (value / 2, 0.3), (0.5, 0.3), (0.0, 0.5), (1.0, 0.5)]
        near += [(value * 100, 0.3), (value / 100, 0.3)]
        if abs(value) < 1e15:  # infinity and what is like it has no whole part
            near.append((int(value), 0.4))
    elif abs(value) < 10**15:
        near += [(value + 2, 0.3), (value - 2, 0.2), (value // 2, 0.2), (value // 10, 0.2)]
        near.append((float(value), 0.2))
    for other, weight in near:
        if repr(other) != repr(value) and repr(other).lstrip("-") not in {"inf", "nan"}:
            yield other, weight


@operator("number to variable", prior=0.35, kinds=(ast.Constant,))
def number_to_variable(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """A number where a variable, or a size, was meant."""
    if type(node.value) in {int, float}:
        whole = literal_of(node, context)
        for name in context.scopes.variables(node)[:8]:
            yield context.put(whole, name, weight=0.8)


@operator("flag", prior=0.7, kinds=(ast.Constant,))
def flag_flip(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """``True``, ``False`` and ``None`` for one another."""
    if isinstance(node.value, bool):
        yield context.put(node, str(not node.value))
        yield context.put(node, "None", weight=0.3)
    elif node.value is None:
        for code in ("False", "True", "0", "''", "[]", "{}"):
            yield context.put(node, code, weight=0.4)


@operator("text", prior=0.35, kinds=(ast.Constant,))
def text_tweak(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """A text of the wrong case, with a space too many, empty, or a character short."""
    code = context.code(node)
    value = node.value
    plain = isinstance(value, str) and code[0] in "'\"" and not code.startswith(('"""', "'''"))
    if not (plain and isinstance(value, str)) or is_docstring(node, context) or len(value) > _SHORT_TEXT:
        return
    for other, weight in _texts_near(value):
        yield context.put(node, same_quotes(other, code), weight=weight)


def _texts_near(value: str) -> Iterator[tuple[str, float]]:
    """Other texts that may have been meant."""
    near = [(value.lower(), 0.8), (value.upper(), 0.7), (value.title(), 0.4), (value.capitalize(), 0.5)]
    near += [(value.strip(), 0.9), (value + " ", 0.4), (" " + value, 0.4), ("", 0.7), (value + "\n", 0.25)]
    near += [(value.rstrip(), 0.5), (value.lstrip(), 0.5), (value.replace(" ", ""), 0.4)]
    if not value or value.isspace():
        near += [(" ", 1.0), (", ", 0.4), (",", 0.3), ("\n", 0.4), ("0", 0.2), ("-", 0.2), ("_", 0.2)]
    elif len(value) > 1:
        near += [(value[:-1], 0.4), (value[1:], 0.4), (value[::-1], 0.15)]
    elif value.isalpha():
        near += [(chr(ord(value) + 1), 0.3), (chr(ord(value) - 1), 0.3)]
    elif value.isdigit():
        near += [("1" if value == "0" else "0", 0.8)]
    elif value in _LIKE:
        near += [(other, 0.5) for other in _LIKE[value]]
    for other, weight in near:
        if other != value and other.isprintable() | (other in {"\n", value + "\n"}):
            yield other, weight


_LIKE = {
    ",": ";. ", ";": ",:", ":": ";=", "-": "_ +", "_": "- ", "/": "\\.", ".": ",", "+": "-", "*": "+/",
    "=": ":", "(": ")[", ")": "(]", "[": "]({", "]": "[)}", "{": "}[", "}": "{]", "<": ">", ">": "<",
}  # fmt: skip


@operator("text reuse", prior=0.3, kinds=(ast.Constant,))
def text_reuse(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """Another text of the same function, or of the file."""
    in_text = isinstance(context.source.parents[node], ast.JoinedStr)
    if not isinstance(node.value, (str, bytes)) or is_docstring(node, context) or in_text:
        return
    near = context.once(_literals, context.source.function_of(node) or context.source.tree)
    for code, kind in (near | context.once(_literals, context.source.tree)).items():
        if kind is type(node.value) and code != context.code(node):
            yield context.put(node, code, weight=0.6 if code in near else 0.25)


@operator("f-string", prior=0.5, kinds=(ast.Constant,))
def format_prefix(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """``"{name}"`` that forgot to be an f-string; of several pieces, each that has such a name."""
    if not isinstance(node.value, str) or isinstance(context.source.parents[node], (ast.JoinedStr, ast.Expr)):
        return
    start, why = context.source.segment(node)[0], "make the text an f-string"
    if "{" in node.value and "}" in node.value:
        pieces = (found for found in _PIECE.finditer(context.code(node)) if not found.group(1))
        places = [start + found.start() for found in pieces if "{" in found.group(2)]
        if changes := [context.replace(place, place, "f", why=why) for place in places]:
            yield together(*changes, why=why)


@operator("format spec", prior=0.35, kinds=(ast.JoinedStr, ast.Constant))
def format_spec(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """``{price}`` where ``{price:.2f}`` was meant, or another width or precision."""
    parent = context.source.parents[node]
    if isinstance(node, ast.Constant) and getattr(parent, "attr", "") != "format":
        return
    start, code = context.source.segment(node)[0], context.code(node)
    for match in _SPEC.finditer(code):
        first, second = match.span(3) if match.group(3) else (match.end() - 1, match.end() - 1)
        own = match.group(3) or ""
        for spec in _near_specs(own):
            if not (spec.startswith("!") and match.group(2)):
                yield context.replace(start + first, start + second, spec, weight=0.9 if own else 0.6)


def _near_specs(own: str) -> Iterator[str]:
    """Specifications near ``own``: its digits one off, then the usual ones."""
    for match in re.finditer(r"(?<!\d)\d{1,9}(?!\d)", own):  # longer widths are nobody's
        for step in (1, -1):
            number = int(match.group()) + step
            if number >= 0:
                zeros = "0" if match.group().startswith("0") and len(match.group()) > 1 else ""
                yield f"{own[: match.start()]}{zeros}{number}{own[match.end() :]}"
    for sign, other in (("<", ">"), (">", "<"), ("^", "<"), ("<", "^"), (">", "^"), ("f", "d"), ("x", "X")):
        if sign in own:
            yield own.replace(sign, other)
    if own and own[1:2].isdigit() and own[1] != "0":
        yield ":0" + own[1:]
        yield ":>" + own[1:]
    yield from (spec for spec in _SPECS if spec != own)
