"""Parses untrusted source, of which nothing is run."""

import ast
import warnings


def parsed(source: bytes) -> ast.Module | None:
    """The module in ``source``; None where it is none, or more than the parser can take.

    What the parser would warn of, such as an unknown escape, is for its author: it is not printed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
