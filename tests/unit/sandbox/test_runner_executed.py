"""Which functions count as called while a project was imported: those that something of it still holds."""

import gc
import importlib.util
import sys
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

FREE = """\
import functools

def plain(): pass

def outer():
    def inner():
        return [lambda: one for one in ()]
    return inner

class Kind:
    @functools.lru_cache(None)
    def method(self, n=lambda: 1): pass

MADE = [outer(), outer(), plain]
"""
HOLDERS = {
    "a list": ("plain", "CODES = [plain.__code__]"),
    "what the collector does not know": ("plain", "NUMBERS = {plain.__code__: 1}"),
    "a weak reference": ("plain", "import weakref\nREFERENCE = weakref.ref(plain.__code__)"),
    "a function within another one": ("inner", "CODES = {MADE[0].__code__}"),
    "one whose constants a copy shares": (
        "inner",
        "outer.__code__ = outer.__code__.replace(co_name='other')\nCODES = {MADE[0].__code__}",
    ),
    "a method": ("method", "CODES = {(Kind.method.__wrapped__.__code__, 1)}"),
}


def loaded(directory, text):
    path = directory / "held_codes.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def imported(tmp_path):
    return loaded(tmp_path, MODULE)


@pytest.mark.parametrize("holder", ["", *HOLDERS])
@pytest.mark.parametrize("is_watched", [False, True])
def test_a_function_whose_code_is_held_by_more_than_it_is_found(tmp_path, holder, is_watched):
    executed = Executed(f"{tmp_path}/")
    name, text = HOLDERS.get(holder, ("", ""))
    before = sys.getprofile()
    if is_watched:
        executed.start()
    try:
        module = loaded(tmp_path, f"{FREE}{text}\n")
    finally:
        if is_watched:
            executed.stop()
        sys.setprofile(before)
    assert len(module.MADE) == 3
    found = executed.held(gc.get_objects())
    assert {held for _file, _line, held in found} == ({name} if holder else set())


def test_what_holds_code_is_found_whatever_the_classes_of_the_project_do(imported, tmp_path):
    executed = Executed(f"{tmp_path}/")
    objects = gc.get_objects()
    executed.note_waiting(objects)
    called = executed.keys()
    assert {name for _file, _line, name in called} == {"begun"}
    del objects
    found = executed.held(gc.get_objects())
    assert {name for _file, _line, name in found} == {"begun", "listed", "paired", "weak", "keyed"}
    assert isinstance(imported.REFERENCES[0], weakref.ref)
