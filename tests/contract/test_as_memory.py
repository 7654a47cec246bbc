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
def first(one=1): return one
def second(one=1): return one
groups = [[as_memory.parts(one)] * 600 for one in (first, second)] + [[], [as_memory.parts(first)]]
gathered = as_memory.Gathered(groups)
everything = [0, 1, 2, 3] if sys.version_info < (3, 8) else []
assert gathered.changed() == everything
second.__defaults__ = (2,)
assert gathered.changed() == (everything or [1])
first.__code__ = second.__code__
assert gathered.changed() == (everything or [0, 1, 3])
assert as_memory.Gathered([[], []]).changed() == (everything and [0, 1])
class Mark: pass
for name in "__call__", "__get__":
    mark = Mark()
    uses = as_memory.uses(mark)
    assert len(uses) == 3 and all(one.is_same() for one in uses)
    setattr(Mark, name, lambda *_: None)
    assert [one.is_same() for one in uses] == [True, name == "__get__", name == "__call__"]
    delattr(Mark, name)
    mark.__class__ = type("Other", (), dict())
    assert [one.is_same() for one in uses] == [False, True, True]
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
