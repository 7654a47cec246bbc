"""The text around a syntax error: lines, a forgiving split into tokens, and how to write a variant.

It knows nothing of what could be wrong.
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import NamedTuple

LONGEST = 1000  # characters of a line that somebody wrote; what is longer is not looked into
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>\#.*)"
    r"|(?P<text>[rbfuRBFU]{0,2}(?:\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'))"
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)"
    r"|(?P<sign>===|!==|\*\*=|//=|>>=|<<=|==|!=|<=|>=|=<|=>|=!|<>|&&|\|\||\+\+|--|:=|->|\*\*|//|>>|<<"
    r"|[-+*/%@&|^]=|.)",
    re.DOTALL,
)


class Piece(NamedTuple):
    """A token of one line: ``kind`` is text, name, number or sign."""

    start: int
    end: int
    code: str
    kind: str

    @property
    def ends_value(self) -> bool:
        """Whether an expression may end here."""
        return self.kind in {"text", "name", "number"} or self.code in ")]}"

    @property
    def begins_value(self) -> bool:
        """Whether an expression may begin here."""
        return self.kind in {"text", "name", "number"} or self.code in "([{"


class Variant(NamedTuple):
    """Another text of the file, and how likely it is to be the one that was meant, in (0, 1].

    There are hundreds of them and few are wanted, so each is written when it is asked for.
    """

    written: Callable[[], str]
    weight: float
    why: str

    @property
    def code(self) -> str:
        """The whole text."""
        return self.written()


class Near:
    """A file's lines around its first error; indexes are 0-based."""

    def __init__(self, lines: Sequence[str], error: SyntaxError) -> None:
        self.lines = list(lines)
        self.message = error.msg or ""
        self.index = max(0, min((error.lineno or 1) - 1, len(self.lines) - 1))
        self.column = max(0, (error.offset or 1) - 1)

    @property
    def suspects(self) -> list[tuple[int, float]]:
        """The lines to look at with their shares: the one named, then the one above it that holds code."""
        above = self.above(self.index)
        found = [(self.index, 1.0), *([(above, 0.85)] if above is not None else [])]
        return [(index, share) for index, share in found if self.is_legible(index)]

    def is_legible(self, index: int) -> bool:
        """Whether somebody may have written the line; others hold what programs wrote."""
        return len(self.lines[index]) <= LONGEST

    def above(self, index: int) -> int | None:
        """The last line before ``index`` that holds code."""
        return next((i for i in range(index - 1, -1, -1) if self.code(i).strip()), None)

    def body(self, index: int) -> str:
        """A line without its line break."""
        return self.lines[index].rstrip("\r\n")

    def code(self, index: int) -> str:
        """A line without its comment and the white space at its end."""
        if not self.is_legible(index):
            return self.body(index).rstrip()
        pieces = self.pieces(index)
        return self.body(index)[: pieces[-1].end] if pieces else ""

    def indent(self, index: int) -> str:
        """The white space that a line begins with."""
        body = self.body(index)
        return body[: len(body) - len(body.lstrip())]

    def pieces(self, index: int) -> list[Piece]:
        """The tokens of a line, without white space and comments; none of one that nobody wrote."""
        if not self.is_legible(index):
            return []
        found = (
            Piece(match.start(), match.end(), match.group(), match.lastgroup or "sign")
            for match in _TOKEN.finditer(self.body(index))
        )
        return [piece for piece in found if piece.kind not in {"space", "comment"}]

    def with_line(self, index: int, body: str, weight: float, why: str = "") -> Variant:
        """The text with another body of one line."""
        return self.with_lines({index: body}, weight, why or f"write `{body.strip()[:60]}`")

    def with_lines(self, bodies: dict[int, str | None], weight: float, why: str) -> Variant:
        """The text with other bodies of some lines; None takes the line out."""
        return Variant(partial(self._joined, bodies), weight, why)

    def with_span(
        self, index: int, span: tuple[int, int], code: str, weight: float, why: str = ""
    ) -> Variant:
        """The text with another stretch in one line."""
        why = why or f"write `{self._spliced(index, span, code).strip()[:60]}`"
        return Variant(lambda: self._joined({index: self._spliced(index, span, code)}), weight, why)

    def _spliced(self, index: int, span: tuple[int, int], code: str) -> str:
        body = self.body(index)
        return body[: span[0]] + code + body[span[1] :]

    def _joined(self, bodies: dict[int, str | None]) -> str:
        out = []
        for index, line in enumerate(self.lines):
            if index not in bodies:
                out.append(line)
            elif (body := bodies[index]) is not None:
                out.append(body + line[len(line.rstrip("\r\n")) :])
        return "".join(out)

    @property
    def newline(self) -> str:
        """The line break that the file uses."""
        first = self.lines[0] if self.lines else "\n"
        return first[len(first.rstrip("\r\n")) :] or "\n"

    @cached_property
    def step(self) -> str:
        """One level of indentation."""
        indents = [self.indent(i) for i in range(len(self.lines)) if self.code(i).strip()]
        return next((indent for indent in indents if indent), "    ")
