"""What was changed since it was sealed is named, read as memory or not."""

import subprocess
import sys
import types

import pytest

from sandbox.runner import as_memory, seal
from sandbox.runner.seal import _Sealed


def decides(value):
    return value


class Mark:
    """Of no interest, as long as its class is what it is."""


class Case:
    def check(self, one, two=(), *, three=None):
        return one, two, three

    @property
    def state(self):
        return "passed"


@pytest.fixture(params=["as memory", "as objects"])
def way(request, monkeypatch):
    if request.param == "as objects":
        monkeypatch.setattr(as_memory, "table", lambda mapping: None)
        monkeypatch.setattr(as_memory, "parts", lambda one: None)
        monkeypatch.setattr(as_memory, "bases", lambda kind: None)
    return request.param


@pytest.fixture
def case():
    """A class of its own, with functions of its own."""
    check = types.FunctionType(Case.check.__code__, globals(), "check", ((),))
    check.__kwdefaults__ = {"three": None}
    state = types.FunctionType(Case.state.fget.__code__, globals(), "state")
    inner = {
        "check": check,
        "state": property(state),
        "made": classmethod(decides),
        "plain": staticmethod(decides),
    }
    return type("Case", (), {**inner, "mark": Mark(), "number": 70_000})


def found(sealed):
    return list(sealed.changed())


def another(self, one, two=(1,), *, three=None):
    return None


CHANGES = {
    "a method": lambda case: setattr(case, "check", another),
    "its code": lambda case: setattr(case.check, "__code__", another.__code__),
    "its defaults": lambda case: setattr(case.check, "__defaults__", ((1,),)),
    "its keyword defaults": lambda case: setattr(case.check, "__kwdefaults__", {"three": 3}),
    "no method": lambda case: delattr(case, "check"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_method_is_named(way, case, change):
    sealed = _Sealed(case)
    change(case)
    assert found(sealed) == ["check"]


def test_the_code_of_a_property_counts(way, case):
    sealed = _Sealed(case)
    case.__dict__["state"].fget.__code__ = (lambda self: "failed").__code__
    assert found(sealed) == ["state"]


@pytest.mark.parametrize("name", ["state", "made", "plain"])
def test_a_decorator_that_is_set_anew_is_named(way, case, name):
    sealed = _Sealed(case)
    case.__dict__[name].__init__(another)
    assert found(sealed) == [name]


def test_a_value_whose_class_becomes_a_descriptor_is_named(way, case, monkeypatch):
    monkeypatch.setattr(seal, "_unlikely", {})
    monkeypatch.setattr(seal, "_sealed", {"case": _Sealed(case)})
    assert seal.changed() == []
    monkeypatch.setattr(Mark, "__get__", lambda self, one, owner: 1, raising=False)
    assert seal.changed()[-1:] == [f"{__name__}:Mark"]


def test_nothing_comes_to_lie_where_a_value_did(way, case):
    """Else a descriptor in the place of a number would not show in the table."""

    class Descriptor(int):
        __slots__ = ()

        def __get__(self, one, owner):
            raise AssertionError

    sealed, before, kept = _Sealed(case), id(case.number), []
    case.number = None
    for _ in range(10_000):
        kept.append(Descriptor(70_000))
        assert id(kept[-1]) != before
    case.number = kept[-1]
    assert found(sealed) == ["number"]


def test_another_base_class_counts(way, case):
    above = type("Above", (), {})
    below = type("Below", (above,), {})
    sealed, of_below = _Sealed(case), _Sealed(below)
    below.__bases__ = (type("Other", (above,), {}),)
    assert (found(sealed), found(of_below)) == ([], ["__bases__"])


def test_the_function_below_a_decorator_counts(way):
    def inner():
        return 1

    def outer():
        return inner()

    outer.__wrapped__ = inner
    module = types.ModuleType("module")
    module.outer = outer
    sealed = _Sealed(module)
    inner.__code__ = (lambda: 2).__code__
    assert found(sealed) == ["outer"]


def test_a_name_that_hides_a_built_in_one_counts(way):
    module = types.ModuleType("module")
    sealed = _Sealed(module)
    module.isinstance, module.other = decides, decides
    assert found(sealed) == ["isinstance"]


def test_what_is_added_to_a_class_counts(way, case):
    sealed = _Sealed(case)
    case.__setattr__ = another
    assert found(sealed) == ["__setattr__"]


def test_what_is_added_to_a_module_does_not(way):
    module = types.ModuleType("module")
    module.decides, module.number = decides, 1
    sealed = _Sealed(module)
    module.more, module.number = another, 2
    assert found(sealed) == []
    module.decides = another
    assert found(sealed) == ["decides"]


def test_what_was_put_back_is_unchanged(way, case):
    sealed = _Sealed(case)
    before = case.check
    case.check = another
    case.check = before
    for number in range(100):  # the table is laid out anew
        setattr(case, f"number{number}", number)
    assert found(sealed) == []


def test_calls_and_names_change_nothing(way, case):
    sealed = _Sealed(case)
    for number in range(200):  # the interpreter makes the code quicker
        case().check(number, three=number)
    case.check.__name__, case.check.__doc__, case.check.more = "other", "other", 1
    assert found(sealed) == []


def test_the_means_of_testing_are_sealed_once(monkeypatch):
    monkeypatch.setattr(seal, "_sealed", {})
    seal.seal()
    before = dict(seal._sealed)
    seal.seal()
    assert seal._sealed == before
    assert "unittest.case:TestCase" in before
    assert seal.changed() == []


@pytest.fixture
def sealed_module(monkeypatch):
    """A module that decides, sealed alone."""
    for name in ("_sealed", "_unlikely", "_settled"):
        monkeypatch.setattr(seal, name, {})
    for name in ("_listed", "_gathered", "_unread"):
        monkeypatch.setattr(seal, name, [])
    module = types.ModuleType("deciding")
    module.check = types.FunctionType(another.__code__, globals(), "check", ((1,),))
    module.number = 70_000
    module.mark = type("Mark", (), {})()
    monkeypatch.setattr(seal, "_spaces", lambda: iter([("deciding:", module)]))
    seal.seal()
    return module


def test_what_is_merely_used_or_of_no_interest_is_not_named(sealed_module):
    sealed_module.number = 80_000
    assert seal.changed() == []
    seal.settle()
    assert seal.changed() == []


def test_what_changed_before_any_candidate_ran_is_named_as_well(sealed_module):
    sealed_module.check.__defaults__ = ((2,),)
    seal.settle()
    assert seal.changed() == ["deciding:.check"]
    sealed_module.check = another
    assert seal.changed() == ["deciding:.check"]


def test_what_is_changed_after_all_has_settled_is_named(sealed_module):
    seal.settle()
    sealed_module.check.__code__ = decides.__code__
    assert seal.changed() == ["deciding:.check"]


def test_without_the_kernel_s_help_all_is_looked_at(sealed_module, monkeypatch):
    monkeypatch.setattr(as_memory, "_IS_READ_AT_ONCE", False)
    assert seal.changed() == []
    sealed_module.check = another
    assert seal.changed() == ["deciding:.check"]


@pytest.mark.parametrize(
    "name", ["sorted", "zip", "enumerate", "len", "list", "set", "range", "any", "vars", "isinstance", "id"]
)
def test_a_built_in_that_is_replaced_hides_nothing(name):
    """In a process of its own: what is replaced here would be missing everywhere."""
    source = (
        "import builtins, unittest\nfrom sandbox.runner import control, seal\n"
        "control.prepare(); seal.settle()\nkept = builtins.sorted, builtins.any\n"
        f"builtins.{name} = lambda *_, **__: iter(())\nunittest.TestCase.assertDictEqual = lambda *_: None\n"
        "found = seal.changed()\nprint(*found)"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert f"builtins:.{name}" in done.stdout.split(), done.stderr
    assert "unittest.case:TestCase.assertDictEqual" in done.stdout.split(), done.stderr


def test_a_value_of_another_class_is_named(sealed_module):
    seal.settle()
    called = type("Called", (), {"__call__": lambda self: None})
    sealed_class = type("Case", (), {"mark": type("Mark", (), {})()})
    seal._sealed["deciding:Case"] = _Sealed(sealed_class)
    seal._gather()
    assert seal.changed() == []
    sealed_class.mark.__class__ = called
    assert len(seal.changed()) == 1


def test_what_had_changed_before_is_named_beside_what_changes_now(sealed_module):
    sealed_module.other = types.FunctionType(decides.__code__, globals(), "other")
    seal._sealed.clear()
    seal._sealed["deciding:"] = _Sealed(sealed_module)
    seal._gather()
    sealed_module.other.__code__ = another.__code__
    seal.settle()
    sealed_module.check.__code__ = decides.__code__
    seal.settle()
    assert sorted(seal.changed()) == ["deciding:.check", "deciding:.other"]


def test_what_is_put_back_after_it_had_changed_is_not_named(sealed_module):
    before = sealed_module.check
    sealed_module.check = another
    seal.settle()
    assert seal.changed() == ["deciding:.check"]
    sealed_module.check = before
    assert seal.changed() == []
    sealed_module.other = another
    assert seal.changed() == []
    before.__defaults__ = ((3,),)
    assert seal.changed() == ["deciding:.check"]
