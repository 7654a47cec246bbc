"""What can be configured: one table, and what is made from it.

``table`` has the options, out of ``options.toml``, and ``option`` says what one is; ``command_line``,
``file`` and ``values`` read what was chosen. ``bot.config.sources`` knows which of them decides.
"""

from bot.config.options.table import (
    BY_NAME,
    DEFAULT_ATTEMPTS,
    DEFAULT_DRAFTS,
    OPTIONS,
    SEARCH_PARTS,
    STRATEGIES,
)

__all__ = ["BY_NAME", "DEFAULT_ATTEMPTS", "DEFAULT_DRAFTS", "OPTIONS", "SEARCH_PARTS", "STRATEGIES"]
