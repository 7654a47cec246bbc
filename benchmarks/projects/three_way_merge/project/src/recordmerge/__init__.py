from .changes import changes
from .merge import Conflict, merge

__all__ = ["Conflict", "changes", "merge"]
