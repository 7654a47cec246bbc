"""Which functions count as called while a project was imported: those that something of it still holds."""

import gc
import importlib.util
import weakref

import pytest

from sandbox.runner.executed import Executed

MODULE = """\
import weakref

class Odd(type):
    def __eq__(cls, other):
        raise RuntimeError("compared")

class Unhashable(metaclass=Odd):
    pass

class Evaluated:
    @property
    def __class__(self):
        raise RuntimeError("asked")

def begun():
    yield 1

def listed(): pass
def paired(): pass
def weak(): pass
def keyed(): pass
def free(): pass

WAITING = begun()
ODD = [Unhashable()]
LAZY = Evaluated()
CODES = [listed.__code__]
PAIRS = {(paired.__code__, 1)}
REFERENCES = [weakref.ref(weak.__code__)]
NUMBERS = {keyed.__code__: 1}
"""


@pytest.fixture
def imported(tmp_path):
    path = tmp_path / "held_codes.py"
    path.write_text(MODULE)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_holds_code_is_found_whatever_the_classes_of_the_project_do(imported, tmp_path):
    executed = Executed(f"{tmp_path}/")
    objects = gc.get_objects()
    executed.note_waiting(objects)
    called = executed.keys()
    assert {name for _file, _line, name in called} == {"begun"}
    found = executed.registered([imported], objects)
    assert {name for _file, _line, name in found} == {"listed", "paired", "weak", "keyed"}
    assert isinstance(imported.REFERENCES[0], weakref.ref)
