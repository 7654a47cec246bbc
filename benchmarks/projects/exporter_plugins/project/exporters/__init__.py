from . import json_lines, plain
from .registry import available, export

__all__ = ["available", "export", "json_lines", "plain"]
