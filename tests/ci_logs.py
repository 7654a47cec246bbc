"""A job's log on GitHub, as short as one can be that tells all: step, script, report, end."""

from bot.cilog.clean import blocks, unmarked

_FAILING = """\
F                                                                        [100%]
=================================== FAILURES ===================================
__________________________________ test_total __________________________________
tests/test_shop.py:5: in test_total
    assert total([2, 3]) == 5
E   assert 6 == 5
=========================== short test summary info ============================
FAILED tests/test_shop.py::test_total - assert 6 == 5
1 failed in 0.02s
##[error]Process completed with exit code 1.
"""


def failing_job(*script):
    """The log of a job in which the lines of ``script`` ran ``tests/test_shop.py``, which failed."""
    shown = "".join(f"\x1b[36;1m{line}\x1b[0m\n" for line in script)
    return f"##[group]Run {script[0]}\n{shown}shell: /usr/bin/bash -e {{0}}\n##[endgroup]\n{_FAILING}"


def lines(stream):
    """The lines of a log as its parsers see them: without what the place that stored it added."""
    for block in blocks(stream):
        for index in block.marked:
            block.lines[index] = unmarked(block.lines[index])
        yield from block.lines
