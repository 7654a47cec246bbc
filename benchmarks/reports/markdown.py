"""Tables in Markdown."""

from collections.abc import Iterable, Sequence

NONE = "-"


def table(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A Markdown table; all but the first column are figures."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in (head, marks, *lines))


def number(value: float | None, digits: int = 0) -> str:
    """``value`` for a table's cell."""
    return NONE if value is None else f"{value:.{digits}f}"
