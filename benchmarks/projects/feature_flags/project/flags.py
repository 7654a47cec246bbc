"""Features that are on for some users."""

import zlib
from dataclasses import dataclass, field


@dataclass
class Flag:
    name: str
    percent: int = 0
    users: set = field(default_factory=set)

    def bucket(self, user):
        return zlib.crc32(f"{self.name}:{user}".encode()) % 100

    def is_on(self, user):
        return user in self.users or self.bucket(user) < self.percent


class Flags:
    """Flags by name; each is asked by a method-like check: `flags.checks['search']('ann')`."""

    def __init__(self, *flags):
        self._flags = {flag.name: flag for flag in flags}
        self.checks = {}
        self.asked = []
        for flag in flags:
            self.checks[flag.name] = lambda user: self._ask(flag, user)

    def _ask(self, flag, user):
        self.asked.append((flag.name, user))
        return flag.is_on(user)

    def on_for(self, user):
        return sorted(name for name, check in self.checks.items() if check(user))

    def allow(self, name, user):
        self._flags[name].users.add(user)

    @classmethod
    def parse(cls, text):
        """Reads lines such as 'search 50%' or 'export ann bob'."""
        flags = []
        for line in text.splitlines():
            name, *words = line.split()
            flag = Flag(name)
            for word in words:
                if word.endswith("%"):
                    flag.percent = int(word[:-1])
                else:
                    flag.users.add(word)
            flags.append(flag)
        return cls(*flags)
