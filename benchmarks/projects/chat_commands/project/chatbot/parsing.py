"""Messages into commands."""

import shlex


def parse(message, prefix="!"):
    """(name, arguments), or None for a message that is no command."""
    message = message.strip()
    if not message.startswith(prefix) or message == prefix:
        return None
    try:
        name, *arguments = shlex.split(message[len(prefix) :])
    except ValueError:
        return None
    return name.lower(), arguments
