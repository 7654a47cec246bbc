"""Formulas: =A1+B2*3, =SUM(A1:A3)."""

import re

REFERENCE = re.compile(r"([A-Z]+)(\d+)")
_SUM = re.compile(r"SUM\(([A-Z]+\d+):([A-Z]+\d+)\)")


def expand_range(start, end):
    """All names in the rectangle, row by row; columns have one letter."""
    first, last = REFERENCE.fullmatch(start), REFERENCE.fullmatch(end)
    columns = range(ord(first[1]), ord(last[1]) + 1)
    rows = range(int(first[2]), int(last[2]) + 1)
    return [f"{chr(column)}{row}" for row in rows for column in columns]


def evaluate(text, look_up):
    """The value of a sum of products of numbers, names and SUM()."""
    total = 0
    for term in text.split("+"):
        product = 1
        for factor in term.split("*"):
            product *= _factor(factor.strip(), look_up)
        total += product
    return total


def _factor(text, look_up):
    if match := _SUM.fullmatch(text):
        return sum(look_up(name) for name in expand_range(match[1], match[2]))
    if REFERENCE.fullmatch(text):
        return look_up(text)
    return float(text)
