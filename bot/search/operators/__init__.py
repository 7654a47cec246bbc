"""The mutation operators: every module of this package is imported, and each operator registers itself.

A new operator is one function in one of these modules, under ``@operator``.
"""

import pkgutil
from importlib import import_module

from bot.search.operators.base import Context, Mutation, Operator, registered

for _module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

OPERATORS: tuple[Operator, ...] = registered()
"""What the engine tries. The order settles ties and nothing else."""

__all__ = ["OPERATORS", "Context", "Mutation", "Operator"]
