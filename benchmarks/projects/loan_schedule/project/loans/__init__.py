from .loan import Loan

__all__ = ["Loan"]
