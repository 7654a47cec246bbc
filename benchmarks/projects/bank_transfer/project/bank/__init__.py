from .accounts import Account, InsufficientFunds
from .ledger import Ledger

__all__ = ["Account", "InsufficientFunds", "Ledger"]
