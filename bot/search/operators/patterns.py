"""Texts that are small languages: regular expressions and format specifications.

Regular expressions without anchors, with a greedy or missing quantifier, or with an unescaped dot are the
common faults that studies of them list (Wang
et al., "An Empirical Study on Regular Expression Bugs", MSR 2020).
"""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, Operator

_TAKES_PATTERN = frozenset(
    {"match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split", "compile"}
)
_QUANTIFIED = re.compile(r"(\\[wdsWDS.]|\[[^\]]+\]|\w|\)|(?<!\\)\.)([*+?]?\??)")
_SPEC = re.compile(r"(?<!\{)\{([^{}:!]*)(![rsa])?(:[^{}]*)?\}(?!\})")
_PERCENT = re.compile(r"%(-?0?\d*)(\.\d+)?([dfsgeix])")
_SPECS = ("", ":.2f", ":.1f", ":02d", ":,", ":.0f", ":d", ":,.2f", ":.3f", ":03d", ":.1%", ":.0%", ":x", "!r")


class Pattern(Operator[ast.Constant]):
    """A regular expression that matches too much or too little."""

    name = "pattern"
    prior = 0.5
    kinds = (ast.Constant,)

    def _mutate(self, node: ast.Constant, context: Context) -> Iterator[Mutation]:
        call = context.source.parents[node]
        if (
            not isinstance(node.value, str)
            or not isinstance(call, ast.Call)
            or not call.args
            or call.args[0] is not node
        ):
            return
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        owner = context.code(call.func.value) if isinstance(call.func, ast.Attribute) else "re"
        code = context.code(node)
        if name not in _TAKES_PATTERN or owner not in {"re", "regex"} or code.endswith(('"""', "'''")):
            return
        start, end = context.source.segment(node)
        opening = code.index(code[-1])
        inner = code[opening + 1 : -1]
        for other, weight in _patterns_near(inner):
            yield context.replace(start + opening + 1, end - 1, other, weight=weight)
        if "r" not in code[:opening].lower() and "\\" in inner:
            yield context.replace(start, start, "r", weight=0.8, why="make the pattern raw")
        if not call.keywords and name in {"match", "search", "fullmatch", "findall", "compile"}:
            last = context.source.segment(call.args[-1])[1]
            yield context.replace(last, last, ", re.IGNORECASE", weight=0.6)


def _patterns_near(inner: str) -> Iterator[tuple[str, float]]:
    anchored = inner.startswith("^"), inner.endswith("$")
    yield (inner[1:] if anchored[0] else f"^{inner}"), 0.8
    yield (inner[:-1] if anchored[1] else f"{inner}$"), 0.9
    if not any(anchored):
        yield f"^{inner}$", 0.8
        yield rf"\b{inner}\b", 0.5
    for match in _QUANTIFIED.finditer(inner):
        unit, quantifier = match.groups()
        head, tail = inner[: match.start()], inner[match.end() :]
        special = unit.startswith(("\\", "[", ")", "."))
        others = {"": "+*?", "+": ("*", "", "+?", "?"), "*": ("+", "*?", "", "?"), "?": ("", "*", "+")}
        for other in others.get(quantifier, ("+", "*")):
            yield head + unit + other + tail, 1.0 if special and quantifier != "?" else 0.3
        if unit == ".":
            yield f"{head}\\.{quantifier}{tail}", 0.9
        swapped = {"\\d": "\\w", "\\w": "\\d", "\\s": "\\S", "\\S": "\\s", "\\W": "\\w", "\\D": "\\d"}
        if unit in swapped:
            yield head + swapped[unit] + quantifier + tail, 0.6
        if unit.startswith("["):
            yield (
                head + ("[" + unit[2:] if unit.startswith("[^") else "[^" + unit[1:]) + quantifier + tail,
                0.5,
            )
            for more in ("A-Z", "0-9", "_", "\\-", "\\s", "."):
                if more not in unit:
                    yield f"{head}{unit[:-1]}{more}]{quantifier}{tail}", 0.4


class FormatSpec(Operator[ast.AST]):
    """``{price}`` where ``{price:.2f}`` was meant, or another width or precision."""

    name = "format spec"
    prior = 0.35
    kinds = (ast.JoinedStr, ast.Constant)

    def _mutate(self, node: ast.AST, context: Context) -> Iterator[Mutation]:
        parent = context.source.parents[node]
        if isinstance(node, ast.Constant):
            if not isinstance(node.value, str) or isinstance(parent, (ast.JoinedStr, ast.Expr)):
                return
            yield from self._percent(node, parent, context)
            if not isinstance(parent, ast.Attribute) or parent.attr != "format":
                yield from self._bare(node, parent, context)
                return
        start, code = context.source.segment(node)[0], context.code(node)
        for match in _SPEC.finditer(code):
            first, second = match.span(3) if match.group(3) else (match.end() - 1, match.end() - 1)
            own = match.group(3) or ""
            for spec in _near_specs(own):
                if not (spec.startswith("!") and match.group(2)):
                    yield context.replace(start + first, start + second, spec, weight=0.9 if own else 0.6)

    def _percent(self, node: ast.Constant, parent: ast.AST, context: Context) -> Iterator[Mutation]:
        if not (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and parent.left is node):
            return
        start, code = context.source.segment(node)[0], context.code(node)
        for match in _PERCENT.finditer(code):
            for other in ("%s", "%d", "%.2f", "%.1f", "%02d", "%.0f", "%r", "%03d", "%x"):
                if other != match.group():
                    yield context.replace(start + match.start(), start + match.end(), other, weight=0.8)

    def _bare(self, node: ast.Constant, parent: ast.AST, context: Context) -> Iterator[Mutation]:
        """``format(x, ".1f")``."""
        called = (
            isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "format"
        )
        if called and isinstance(parent, ast.Call) and len(parent.args) == 2 and parent.args[1] is node:
            for spec in _near_specs(":" + str(node.value)):
                if spec.startswith(":"):
                    yield context.put(node, f'"{spec[1:]}"', weight=0.9)


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
