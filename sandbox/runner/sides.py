"""What a failed ``assert`` compared, found out by evaluating its two sides once more.

Without pytest's rewriting an ``assert`` says nothing of its values. In a process that ends after this test
anyway, they can be evaluated again. What comes of it may differ from the first time, or nothing may: it tells
the search which of two wrong answers is nearer, and no verdict rests on it.
"""

from __future__ import annotations

import ast
from typing import Dict, List, Optional, Tuple

from .explain import short_repr

OPERATORS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


class Sides:
    """Knows where the asserts of the test files stand; ``of`` looks at one that failed."""

    def __init__(self) -> None:
        self._files: Dict[str, Tuple[List[str], Dict[int, Tuple[int, int]]]] = {}

    def remember(self, path: str) -> None:
        """Find the asserts of a file, once; a file that cannot be read has none."""
        if path in self._files:
            return
        places: Dict[int, Tuple[int, int]] = {}
        lines: List[str] = []
        try:
            with open(path, "rb") as file:
                raw = file.read()
            tree = ast.parse(raw)
            lines = raw.decode().splitlines()
        except (OSError, SyntaxError, ValueError, RecursionError):
            tree = ast.parse("")
        for node in ast.walk(tree):
            end = getattr(node, "end_lineno", None)  # from CPython 3.8 on
            if isinstance(node, ast.Assert) and end:
                places.update((line, (node.lineno, end)) for line in range(node.lineno, end + 1))
        # Texts, not trees: the process forks for each verdict, and what it holds has to be copied.
        self._files[path] = lines, places

    def of(self, error: BaseException) -> Optional[List[str]]:
        """The operator and the sides' reprs, where ``error`` comes from an assert of a comparison.

        Raises whatever the test's own code raises.
        """
        traceback = error.__traceback__
        while traceback is not None and traceback.tb_next is not None:
            traceback = traceback.tb_next
        if traceback is None or type(error) is not AssertionError:
            return None
        frame = traceback.tb_frame
        lines, places = self._files.get(frame.f_code.co_filename, ([], {}))
        place = places.get(traceback.tb_lineno)
        if place is None:
            return None
        test = _compared("\n".join(lines[place[0] - 1 : place[1]]))
        if test is None:
            return None
        names = dict(frame.f_globals)
        names.update(frame.f_locals)
        codes = [
            compile(ast.Expression(side), "<assert>", "eval") for side in (test.left, test.comparators[0])
        ]
        # The test's own code, in the process that has just run it.
        left, right = [short_repr(eval(code, names)) for code in codes]  # noqa: S307
        return [OPERATORS[type(test.ops[0])], left, right]


def _compared(text: str) -> Optional[ast.Compare]:
    """The comparison of two sides that a statement asserts; None for any other statement."""
    try:
        (statement,) = ast.parse(text.lstrip()).body
    except (SyntaxError, ValueError, RecursionError):
        return None  # it shares its line with something else
    test = statement.test if isinstance(statement, ast.Assert) else None
    return test if isinstance(test, ast.Compare) and len(test.ops) == 1 else None
