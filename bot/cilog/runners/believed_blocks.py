"""Which blocks of a report are the runner's own: as many as its result counts, the likeliest of each kind."""

import re
from collections.abc import Collection, Sequence

from bot.cilog.model import LogStatus
from bot.cilog.runners.unittest_block import UnittestBlock

_SUBJECT = re.compile(r"[A-Z ]+: (?P<test>\S+ \([^()\s]+\))")


def believed(
    blocks: Sequence[UnittestBlock], counts: dict[str, int], said: Collection[str]
) -> list[UnittestBlock]:
    """As many blocks of each kind as the result counts, in the report's order.

    With ``-v`` the run has ``said`` which tests failed. Else: an empty line stands before each block of a
    report; what a test printed while it ran stands before the report, so the last ones are the report's; what
    it printed into a block follows the mark of printed text.
    """
    wanted = {
        "failures": [one for one in blocks if one.status is LogStatus.FAILED and not one.unexpected_success],
        "errors": [one for one in blocks if one.status is LogStatus.ERROR],
        "unexpected successes": [one for one in blocks if one.unexpected_success],
    }
    chosen: set[int] = set()
    for name, own in wanted.items():
        count = counts.get(name, 0)
        ranked = sorted(
            own,
            key=lambda one: (
                _subject(one.title) not in said,
                not one.after_blank,
                one.after_output,
                -one.log_line,
            ),
        )
        chosen |= {id(one) for one in (ranked[:count] if len(own) > count else own)}
    return [one for one in blocks if id(one) in chosen]


def _subject(title: str) -> str:
    """The test in a block's title as the progress names it: without the subtest's parameters."""
    found = _SUBJECT.match(title)
    return found["test"] if found else title
