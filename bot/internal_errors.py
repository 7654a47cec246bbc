"""The guard of ``sandbox.internal_errors``, which here lets the exception tree of ``bot.errors`` through."""

from bot.errors import RegreenError
from sandbox.internal_errors import (
    STRICT,
    InternalError,
    InternalErrors,
    collected,
    each,
    guarded,
    let_through,
)

let_through(RegreenError)

__all__ = ["STRICT", "InternalError", "InternalErrors", "collected", "each", "guarded"]
