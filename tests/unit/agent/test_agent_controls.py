"""Control tests: altered copies that must fail at their end, and what a run of them means for a patch."""

import ast
import textwrap

import pytest
from agent_support import failed_result, report, result
from control_support import FILE, MARK, copies, ending
from every_case import every_case
from sections import sections

from bot.agent.proof import control_copies as copies_module
from bot.agent.proof.control_copies import control_copies
from bot.agent.proof.control_text import MUST_OBJECT
from bot.agent.proof.controls import FORGED, SWALLOWED, UNBELIEVABLE, judged
from sandbox.reports import Frame
from sandbox.runner.hidden_text import EMPTY

SHAPES = [one.parts[FILE] for one in sections("controls/shapes.txt")]
LATIN = "# coding: latin-1\ndef test_x(): assert 'é' == 'é'\n"
EARLY = f"{UNBELIEVABLE}: control tests failed before their end"


@every_case(
    "text",
    [
        *SHAPES,
        "def test_x():\n    assert 1 + 1 == 2",
        "def test_x(): assert 1 + 1 == 2",
        "def test_x(): assert 1; \n",
        "def test_x():\n\tassert 1\n\t# the end\n",
        "def test_x():\r\n    assert 1 + 1 == 2\r\n\r\n\r\nX = 1\r\n",
    ],
)
def test_a_copy_fails_at_its_end_whatever_its_shape(text):
    assert ending(text) == f"{MARK} end"


@pytest.mark.parametrize("name", ["expected", "expected.context", "known"])
@pytest.mark.parametrize(("given", "end"), [("pytest.raises(KeyError)", f"{MARK} end"), ("Quiet()", "left")])
def test_a_name_may_ask_for_the_exception_that_leaves_a_body(given, end, name):
    text = f"""\
        import pytest
        class Case:
            def __init__(self, context): self.context = context
        class Quiet:
            def __enter__(self): return self
            def __exit__(self, *error): return True
            @property
            def context(self): return self
        def test_x(expected={given}):
            if "context" in "{name}" and type(expected) is not Quiet:
                expected = Case(expected)
            known = expected
            with {name}:
                assert {{}}["a"] == 1
        """
    assert end in ending(textwrap.dedent(text))


def test_a_byte_order_mark_and_a_form_feed_stay_where_they_are():
    data = b"\xef\xbb\xbfdef test_x(): assert len('a') == 1\n\x0c\ndef test_y():\n    assert len('b') == 1\n"
    (altered,) = copies(data, "test_x", "test_y", unreadable=False).files.values()
    assert altered.startswith(b"\xef\xbb\xbfdef test_x(): ")
    space = {}
    exec(compile(ast.parse(altered), FILE, "exec"), space)
    for name in ("test_x", "test_y"):
        with pytest.raises(AssertionError, match=f"{MARK} end"):
            space[name]()


@every_case(
    ("text", "line"),
    [
        ("def test_x(): assert 1\n", 1),
        ("import x\ndef test_x(): assert 1\n", 1),
        ('"""Tests."""\nfrom __future__ import annotations\n\nimport x\ndef test_x(): assert 1\n', 4),
        ("# ü\n'ü'; import x\ndef test_x(): assert 1\n", 2),
        ("@x.y\n@x.z\ndef test_x(): assert 1\n", 1),
    ],
)
def test_a_copy_empties_its_file_before_it_imports_anything(text, line, tmp_path):
    (data,) = copies(text, "test_x").files.values()
    assert EMPTY.encode() in data.splitlines()[line - 1]
    (tmp_path / FILE).write_bytes(data)
    imported = []
    code = compile(data.replace(b"import x", b"note()").replace(b"@x.y\n@x.z\n", b""), FILE, "exec")
    read = (tmp_path / FILE).read_text
    exec(code, {"__file__": str(tmp_path / FILE), "note": lambda: imported.append(read())})
    assert (set(imported) <= {""}, read()) == (True, "")
    (readable,) = copies(text, "test_x", unreadable=False).files.values()
    assert EMPTY.encode() not in readable


def test_a_test_is_inherited_from_a_class_of_its_file():
    text = "class A:\n    def test_x(self): assert 1\nclass B(A): pass\nclass TestX(B): pass\n"
    assert ending(text, "TestX::test_x") == f"{MARK} end"


CASE = """
    import unittest

    class TestIt(unittest.TestCase):
        def __init__(self, name="test_it"):
            super().__init__(name)

        def test_it(self):
            self.assertEqual(len("a"), 1)
            with self.assertRaises(KeyError):
                {}["a"]
"""


@every_case("method", ["assertEqual", "assertRaises"])
def test_an_assertion_method_that_objects_to_nothing_is_noticed(method):
    manager = "import contextlib\n" + textwrap.dedent(CASE)
    blunt = f"{manager}\n    {method} = lambda *a: contextlib.suppress(Exception)\n"
    assert ending(blunt, "TestIt::test_it") == f"{MARK} {method}"


def test_every_assertion_method_is_tried_on_what_it_objects_to():
    used = "; ".join(f"self.{name}" for name in MUST_OBJECT)
    text = textwrap.dedent(CASE) + f"        {used}\n"
    assert ending(text, "TestIt::test_it") == f"{MARK} end"
    (data,) = copies(text, "TestIt::test_it").files.values()
    assert all(f"self.{name}({arguments})".encode() in data for name, arguments in MUST_OBJECT.items())


@every_case(
    ("text", "name", "reason"),
    [
        ("def test_x(): pass\n", "test_y", copies_module.NO_FUNCTION),
        ("def test_x(): pass\n", "TestX::test_x", copies_module.NO_FUNCTION),
        ("def test_x():\n    yield\n", "test_x", copies_module.GENERATOR),
        ("def test_x():\n    try:\n        return\n    except E: pass\n", "test_x", copies_module.RETURNS),
        ("def test_x():\n    with open(x):\n        return\n", "test_x", copies_module.RETURNS),
        ("def test_x(:\n", "test_x", copies_module.UNREADABLE),
        (LATIN.encode("latin-1"), "test_x", copies_module.UNREADABLE),
        (b"def test_x(): pass\rX = 1\n", "test_x", copies_module.UNREADABLE),
    ],
)
def test_what_cannot_be_altered_has_a_reason(text, name, reason):
    made = copies(text, name)
    assert (made.files, made.tests, made.without) == ({}, (), ((f"{FILE}::{name}", reason),))


@every_case("test", ["make test", "README.md::README.md", "gone.py::test_x", "test_it.py"])
def test_what_is_no_function_has_no_control_test(test):
    made = control_copies([test], {FILE: b"def test_x(): pass\n"}.get, mark=MARK)
    assert made.without == ((test, copies_module.NO_FUNCTION),)


def test_parameters_share_one_function_and_a_decorator_may_turn_exceptions():
    text = "@pytest.mark.parametrize('n', 'ab')\ndef test_x(n):\n    assert n\n@x.y\ndef test_y(): pass\n"
    made = copies(text, "test_x[a]", "test_x[b::c[d]]", "test_y")
    assert len(made.tests) == 3
    assert made.lenient == {f"{FILE}::test_y"}
    (data,) = made.files.values()
    assert data.count(f"{MARK}_end((".encode()) == 2


def test_a_test_that_is_inherited_is_found_where_it_failed():
    base = "class Base:\n    def test_x(self):\n        assert self.n == 1\n"
    frame = Frame(path="base.py", line=3, function="test_x")
    name = f"{FILE}::TestX::test_x"
    made = copies(
        "from base import Base\nclass TestX(Base): n = 1\n",
        "TestX::test_x",
        base=base,
        frames={name: (frame,)},
    )
    assert (made.tests, set(made.files)) == ((name,), {"base.py", FILE})
    assert made.files[FILE].count(MARK.encode()) == 0
    assert EMPTY.encode() in made.files[FILE]  # it may hold what the test expects
    assert made.texts == {name: {"base.py", FILE}}


@every_case(
    "imports",
    [
        "from tests import cases",
        "from tests.cases import X",
        "from . import cases",
        "from .cases import X",
        "import cases",
    ],
)
def test_what_a_test_imports_of_the_tests_is_emptied_too(imports):
    cases, name = b'"""Cases."""\nX = 1\n', "tests/test_it.py::test_x"
    files = {"tests/test_it.py": f"import shop\n{imports}\ndef test_x(): assert 1\n".encode()}
    files |= {"tests/cases.py": cases, "shop.py": cases}
    made = control_copies([name], files.get, mark=MARK)
    assert set(made.files) == made.texts[name] == {"tests/test_it.py", "tests/cases.py"}
    assert made.files["tests/cases.py"] == f'"""Cases."""\n{EMPTY}\nX = 1\n'.encode()
    assert set(control_copies([name], files.get, mark=MARK, unreadable=False).files) == {"tests/test_it.py"}


@every_case("imports", ["from tests import LIMIT", "from . import LIMIT"])
def test_the_package_that_a_test_imports_from_is_emptied_too(imports):
    test, package = f"{imports}\ndef test_x(): assert LIMIT\n".encode(), "tests/__init__.py"
    files = {"tests/test_it.py": test, package: b"LIMIT = 3\n", "__init__.py": b"LIMIT = 4\n"}
    made = control_copies(["tests/test_it.py::test_x"], files.get, mark=MARK)
    assert made.files[package] == f"{EMPTY}\nLIMIT = 3\n".encode()
    assert set(made.files) == {"tests/test_it.py", package}


A, B = f"{FILE}::test_a", f"{FILE}::test_b"
TWO = copies("import x\ndef test_a(): pass\n@x.y\ndef test_b(): pass\n", "test_a", "test_b")


def ended(test, what="end"):
    return failed_result(test, message=f"{MARK} {what}")


def test_what_failed_at_its_end_is_confirmed_and_a_decorator_may_turn_its_exception():
    found = judged(report(ended(A), ended(B)), TWO, MARK)
    assert (found.objection, found.confirmed, found.without) == ("", (A, B), ())
    found = judged(report(ended(A), failed_result(B, message="retried")), TWO, MARK)
    assert (found.objection, found.confirmed, found.without) == ("", (A,), ((B, SWALLOWED),))


@every_case(
    ("seen", "objection"),
    [
        (report(result(A), ended(B)), f"{FORGED}: control tests that fail are reported as passed: {A}"),
        (report(ended(A), result(B)), f"{FORGED}: control tests that fail are reported as passed: {B}"),
        (report(failed_result(A, message="1 == 2"), ended(B)), f"{EARLY}: {A}"),
        (report(ended(B)), f"{EARLY}: {A}"),
        (report(ended(A, "equal"), ended(B)), f"{UNBELIEVABLE}: {A} compares a value that equals everything"),
        (report(ended(A, "assertIn"), ended(B)), f"{FORGED}: in {A}, assertIn objects to nothing"),
        (report(ended(A, "[x](y)"), ended(B)), f"{FORGED}: in {A}, an assertion method objects to nothing"),
        (
            report(ended(A), ended(B), complete=False, problem="no time"),
            f"{UNBELIEVABLE}: its control tests did not end: no time",
        ),
    ],
)
def test_a_control_test_that_ends_otherwise_is_an_objection(seen, objection):
    found = judged(seen, TWO, MARK)
    assert (found.objection, found.confirmed) == (objection, ())
