"""Distinguish the failure blocks of one name: which of them is that of the test in a certain file.

Thousands of tests may have one name, so a file is looked up, and no block is read twice.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

from bot.cilog.pytest_sessions.session import Block

MAX_DIRECTORIES = 40
"""Of a long path, the last directories, by which a file of the project is recognised in it."""

_PLACE = re.compile(r"(?P<path>[^\s:][^:]{0,1000}):\d")


class Alternatives:
    """Blocks of one name, in the order of the log. Each is given out once."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._left: deque[int] = deque(range(len(blocks)))
        self._blocks = blocks
        self._taken: set[int] = set()
        self._by_file: dict[str, deque[int]] = defaultdict(deque)
        if len(blocks) > 1:
            for number, block in enumerate(blocks):
                for file in dict.fromkeys(_files(block.lines)):
                    self._by_file[file].append(number)

    def take(self, path: str) -> Block | None:
        """The first block that mentions the file ``path``, else the first: pytest keeps one order.

        None where all of them are taken.
        """
        for numbers in (self._by_file.get(path, deque()), self._left):
            while numbers:
                number = numbers.popleft()
                if number not in self._taken:
                    self._taken.add(number)
                    return self._blocks[number]
        return None


def _files(lines: Sequence[str]) -> Iterator[str]:
    """The files whose lines are named; an absolute path as each path of the project that it may be."""
    for line in lines:
        found = _PLACE.match(line)
        if found is None:
            continue
        path = found["path"]
        yield path
        if path.startswith("/"):
            parts = path.split("/")[-MAX_DIRECTORIES:]
            yield from ("/".join(parts[start:]) for start in range(1, len(parts)))
