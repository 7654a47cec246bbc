from .commands import Append, Delete, Replace
from .document import Document

__all__ = ["Append", "Delete", "Document", "Replace"]
