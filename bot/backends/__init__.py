"""Chat models behind one Protocol (``bot.ports.ChatBackend``)."""
