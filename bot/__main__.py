"""``python -m bot`` is ``regreen``."""

from bot.cli import main

main()
