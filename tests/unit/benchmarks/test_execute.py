"""A run that can only crash measures nothing; other crashes are rows."""

import re

import pytest
from every_case import every_case

from benchmarks.runs.execute import not_in_vain
from bot.errors import MachineError


def crashed(reason):
    return {"outcome": "crashed", "reason": reason}


def test_a_run_that_can_only_crash_ends_before_anything_is_written():
    taken = []
    with pytest.raises(MachineError, match=re.escape("nothing was measured: no key")):
        taken.extend(not_in_vain(iter([crashed("no key")] * 9)))
    assert taken == []


@every_case(
    "rows",
    [
        [],
        [crashed("a")] * 2,
        [crashed("a"), crashed("b"), crashed("a"), crashed("a")],
        [crashed("a"), {"outcome": "patched"}, *[crashed("a")] * 5],
    ],
)
def test_other_crashes_are_rows(rows):
    assert list(not_in_vain(iter(rows))) == rows
