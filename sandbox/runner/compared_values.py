"""What a failed ``assert`` compared, found out by evaluating its two sides once more.

Without pytest's rewriting an ``assert`` says nothing of its values. In a process that ends after this test
anyway, they can be evaluated again. What comes of it may differ from the first time, or nothing may: it shows
the search which of two wrong answers is nearer, and no verdict rests on it.
"""

from __future__ import annotations

import ast
import types
from typing import Dict, List, Optional, Tuple

from .explain import entries, short_repr

OPERATORS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


# More asserts than a file for people has; each is compiled.
MOST = 2000
Codes = Tuple[str, types.CodeType, types.CodeType]


class ComparedValues:
    """Knows what the asserts of the test files compare; ``of`` looks at one that failed."""

    def __init__(self) -> None:
        self._files: Dict[str, Dict[int, Optional[Codes]]] = {}

    def remember(self, path: str) -> None:
        """Find the asserts of a file, once; a file that cannot be read has none."""
        if path in self._files:
            return
        places = self._files.setdefault(path, {})
        try:
            with open(path, "rb") as file:
                tree = ast.parse(file.read())
        except (OSError, SyntaxError, ValueError, RecursionError):
            return
        asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
        for node in asserts[:MOST]:
            end = getattr(node, "end_lineno", None)  # from CPython 3.8 on
            # Before the fork, as all that is compiled; see ``swap``.
            codes = _codes(node.test)
            for line in range(node.lineno, end + 1 if end else 0):
                places[line] = None if line in places else codes  # None: which of the two it was is not known

    def of(self, error: BaseException) -> Optional[List[str]]:
        """The operator and the sides' reprs, where ``error`` comes from an assert of a comparison.

        Raises whatever the test's own code raises.
        """
        if type(error) is not AssertionError:
            return None
        *_, last = entries(error)
        frame = last.tb_frame
        codes = self._files.get(frame.f_code.co_filename, {}).get(last.tb_lineno)
        if codes is None:
            return None
        names = dict(frame.f_globals)
        names.update(frame.f_locals)
        # The test's own code, in the process that has just run it.
        left, right = [short_repr(eval(code, names)) for code in codes[1:]]  # noqa: S307
        return [codes[0], left, right]


def _codes(test: ast.expr) -> Optional[Codes]:
    """The operator and the compiled sides of a comparison of two; None for any other condition."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    try:
        left, right = [
            compile(ast.Expression(side), "<assert>", "eval") for side in (test.left, test.comparators[0])
        ]
    except (SyntaxError, ValueError, RecursionError):
        return None  # it makes sense within its function only
    return OPERATORS[type(test.ops[0])], left, right
