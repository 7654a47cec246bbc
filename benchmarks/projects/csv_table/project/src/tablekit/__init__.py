from .reading import read_table
from .table import Table

__all__ = ["Table", "read_table"]
