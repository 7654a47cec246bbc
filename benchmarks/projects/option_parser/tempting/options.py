"""A declared set of command-line options, read from a list of words."""

from dataclasses import dataclass, field


class UsageError(Exception):
    """What the user wrote makes no sense."""


@dataclass
class Parser:
    flags: set = field(default_factory=set)
    valued: set = field(default_factory=set)

    def parse(self, words):
        """Options by name, and the words that are none; `--` ends the options."""
        options, rest = {}, []
        queue = list(words)
        while queue:
            word = queue.pop(0)
            if word == "--":
                rest.extend(queue)
                break
            if not word.startswith("--"):
                rest.append(word)
                continue
            name = word[2:]
            if "=" in name:
                name, value = name.split("=")
                options[name] = value
            elif name in self.flags:
                options[name] = True
            elif name in self.valued:
                if not queue:
                    raise UsageError(f"--{name} needs a value")
                options[name] = queue.pop(0)
            else:
                raise UsageError(f"unknown option --{name}")
        return options, rest
