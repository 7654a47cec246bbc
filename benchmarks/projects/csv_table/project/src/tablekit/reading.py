"""CSV text into tables."""

import csv
import io

from .table import Table


def read_table(text, delimiter=","):
    lines = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    if not lines:
        raise ValueError("no header")
    header, *rows = lines
    return Table(header, (row for row in rows if row))
