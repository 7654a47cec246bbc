from .note import Note
from .store import Notebook

__all__ = ["Note", "Notebook"]
