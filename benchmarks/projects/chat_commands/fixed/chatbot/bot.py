"""Answers commands."""

from .parsing import parse


class Bot:
    def __init__(self, admins=()):
        self.admins = set(admins)
        self._commands = {}
        self.silenced = set()

    def command(self, *names, admin_only=False):
        def register(function):
            for name in names:
                self._commands[name] = (function, admin_only)
            return function

        return register

    def receive(self, sender, message):
        """The answer, or None if there is nothing to say."""
        parsed = parse(message)
        if parsed is None or sender in self.silenced:
            return None
        name, arguments = parsed
        if name not in self._commands:
            return f"no such command: {name}"
        function, admin_only = self._commands[name]
        if admin_only and sender not in self.admins:
            return f"{name} is for administrators"
        try:
            return function(sender, *arguments)
        except TypeError:
            return f"{name}: wrong number of arguments"

    def names(self, sender):
        return sorted(
            name
            for name, (_, admin_only) in self._commands.items()
            if not admin_only or sender in self.admins
        )
