from .rules import AllOf, AnyOf, HasRole, IsOwner, Not
from .check import Denied, require

__all__ = ["AllOf", "AnyOf", "Denied", "HasRole", "IsOwner", "Not", "require"]
