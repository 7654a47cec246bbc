"""Every CPython that the runner supports lays its dictionaries and functions out as ``as_memory`` says."""

import subprocess
from pathlib import Path

import interpreters
import pytest

RUNNER = Path(__file__).parents[2] / "sandbox" / "runner"
LOOK = f"""
import sys, types, unittest.case
sys.path.insert(0, {str(RUNNER)!r})
import as_memory
spaces = [sys, types, unittest.case, unittest.case.TestCase, as_memory.Table]
tables = [as_memory.table(vars(space)) for space in spaces]
assert all(table and table.is_same() for table in tables), tables
unittest.case.TestCase.fail = len
assert [table.is_same() for table in tables] == [True, True, True, False, True]
def function(one=1): return one
parts = as_memory.parts(function)
assert parts.is_same()
function.__code__ = (lambda one: 2).__code__
assert not parts.is_same()
class Below(unittest.case.TestCase): pass
order = as_memory.bases(Below)
assert order.is_same()
Below.__bases__ = (unittest.case.FunctionTestCase,)
assert not order.is_same()
for made in property(len), classmethod(len), staticmethod(len):
    parts = as_memory.parts(made)
    assert parts.is_same()
    made.__init__(max)
    assert not parts.is_same()
"""


@pytest.mark.parametrize("version", interpreters.VERSIONS)
def test_on_every_version_it_is_read_as_memory(version, python_of):
    done = subprocess.run([python_of(version), "-c", LOOK], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
