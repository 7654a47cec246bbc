"""Evaluates the expressions of a GitHub workflow: ``${{ matrix.os || 'ubuntu-latest' }}``.

A subset of the documented language: literals, contexts, operators, and the functions that need no machine.
What is not known (secrets, outputs of steps) is null, as on GitHub. Source: GitHub Docs, "Evaluate
expressions in workflows and actions".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sandbox.ci.workflows.expression_values import (
    FUNCTIONS,
    MAX_VALUE,
    Value,
    as_text,
    combined,
    member,
    truthy,
)

MAX_LENGTH = 5_000
"""Characters of one expression."""

MAX_NESTING = 40
MAX_TEXT = 100_000
"""Characters of a text with its expressions replaced."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))"
    r"|'(?P<string>(?:[^']|'')*)'"
    r"|(?P<name>[A-Za-z_][\w-]*)"
    r"|(?P<operator>\|\||&&|==|!=|<=|>=|[!<>()\[\].,*]))"
)
_OPEN, _CLOSE = "${{", "}}"
_QUOTE_OR_CLOSE = re.compile(r"'(?:[^']|'')*+'|\}\}")
# What only a run knows: outputs of jobs and steps, settings of the repository, what a machine holds.
_RUNTIME = re.compile(r"\b(?:needs|steps|vars|secrets)\.|\bhashFiles\(", re.IGNORECASE)
_BINARY = {"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4}


class InvalidExpression(ValueError):
    """The text is no expression of this language."""


def evaluate(text: str, contexts: Mapping[str, Value]) -> Value:
    """The value of the expression ``text``, without ``${{`` and ``}}``.

    Raises:
        InvalidExpression: it cannot be read.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidExpression(f"the expression has more than {MAX_LENGTH} characters")
    parser = _Parser(tokens=_tokens(text), contexts=contexts)
    value = parser.binary(0)
    if parser.at < len(parser.tokens):
        raise InvalidExpression(f"unexpected {parser.tokens[parser.at].text!r}")
    return value


def interpolate(text: str, contexts: Mapping[str, Value]) -> str:
    """``text`` with each ``${{ … }}`` replaced by its value; what cannot be read stays as it is written."""
    if _OPEN not in text:
        return text
    parts: list[str] = []
    size, at = 0, 0
    for start, end in _places(text):
        try:
            value = as_text(evaluate(text[start + len(_OPEN) : end - len(_CLOSE)], contexts))
        except InvalidExpression:
            value = text[start:end]
        parts += [text[at:start], value]
        size += len(parts[-2]) + len(value)
        at = end
        if size > MAX_TEXT:
            break
    return "".join([*parts, text[at:]])


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Where the expressions of ``text`` begin and end; a string in one may hold what ends others."""
    at = text.find(_OPEN)
    while at >= 0:
        parts = _QUOTE_OR_CLOSE.finditer(text, at, at + MAX_LENGTH + len(_OPEN + _CLOSE))
        end = next((found.end() for found in parts if found[0] == _CLOSE), 0)
        if not end:
            return
        yield at, end
        at = text.find(_OPEN, end)


def value_of(text: str, contexts: Mapping[str, Value]) -> Value:
    """The value that a field of a workflow has: not a string where all of it is one expression."""
    whole = _whole(text)
    if whole is None:
        return interpolate(text, contexts)
    try:
        return evaluate(whole, contexts)
    except InvalidExpression:
        return text


def _whole(text: str) -> str | None:
    """The expression that all of ``text`` is; None where it is none, or more than one."""
    bare = text.strip()
    if not bare.startswith(_OPEN) or next(_places(bare), None) != (0, len(bare)):
        return None
    return bare[len(_OPEN) : -len(_CLOSE)]


def holds(condition: object, contexts: Mapping[str, Value], *, unknown: bool = True) -> bool:
    """Whether an ``if:`` holds; ``unknown`` answers for what cannot be read, or what only a run knows."""
    if isinstance(condition, bool) or condition is None:
        return condition is not False
    text = as_text(condition).strip()
    whole = _whole(text)
    try:
        value = truthy(evaluate(text if whole is None else whole, contexts))
    except InvalidExpression:
        return unknown
    return value or (unknown and _RUNTIME.search(text) is not None)


class _Token(NamedTuple):
    kind: str
    text: str


def _tokens(text: str) -> list[_Token]:
    tokens = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            raise InvalidExpression(f"unexpected {text[at : at + 20]!r}")
        tokens.append(_Token(found.lastgroup, found[found.lastgroup]))
        at = found.end()
    return tokens


def _number(text: str) -> float:
    try:
        return float(int(text, 16)) if "x" in text else float(text)
    except OverflowError as error:
        raise InvalidExpression("a number has too many digits") from error


@dataclass(slots=True)
class _Parser:
    """Evaluates while it reads: nothing has an effect, so no tree is needed."""

    tokens: list[_Token]
    contexts: Mapping[str, Value]
    at: int = 0
    depth: int = 0

    def binary(self, least: int) -> Value:
        """Operators that bind at least as strongly as ``least``."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise InvalidExpression("the expression is nested too deeply")
        left = self.unary()
        while self.peek() in _BINARY and _BINARY[self.peek()] > least:
            operator = self.take()
            left = combined(operator, left, self.binary(_BINARY[operator]))
        self.depth -= 1
        return left

    def unary(self) -> Value:
        negations = 0
        while self.peek() == "!":
            self.take()
            negations += 1
            if negations > MAX_NESTING:
                raise InvalidExpression("the expression is nested too deeply")
        value = self.suffixed(self.primary())
        return truthy(value) != (negations % 2 == 1) if negations else value

    def primary(self) -> Value:
        kind, text = self.next()
        match kind:
            case "number":
                return _number(text)
            case "string":
                return text.replace("''", "'")
            case "name":
                return self.named(text)
        if text != "(":
            raise InvalidExpression(f"unexpected {text!r}")
        value = self.binary(0)
        self.expect(")")
        return value

    def named(self, name: str) -> Value:
        if self.peek() != "(":
            constants = {"true": True, "false": False, "null": None}
            return constants[name] if name in constants else self.contexts.get(name.lower())
        self.take()
        arguments = []
        while self.peek() != ")":
            arguments.append(self.binary(0))
            if self.peek() == ",":
                self.take()
            elif self.peek() != ")":
                raise InvalidExpression(f"the call of {name} has no end")
        self.take()
        function = FUNCTIONS.get(name.lower())
        if function is None:
            return None
        try:
            value = function(*arguments)
        except (TypeError, ValueError, RecursionError, LookupError) as error:
            raise InvalidExpression(f"{name}: {error}") from error
        if isinstance(value, str) and len(value) > MAX_VALUE:
            raise InvalidExpression(f"the value of {name} has more than {MAX_VALUE} characters")
        return value

    def suffixed(self, value: Value) -> Value:
        while self.peek() in {".", "["}:
            if self.take() == ".":
                key: Value = self.take()
            else:
                key = self.binary(0)
                self.expect("]")
            value = member(value, key)
        return value

    def peek(self) -> str:
        """The next operator or name; empty for a literal and at the end."""
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        return "" if kind in {"string", "number"} else text

    def next(self) -> _Token:
        if self.at >= len(self.tokens):
            raise InvalidExpression("the expression ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self) -> str:
        return self.next().text

    def expect(self, text: str) -> None:
        if self.take() != text:
            raise InvalidExpression(f"{text!r} is missing")
