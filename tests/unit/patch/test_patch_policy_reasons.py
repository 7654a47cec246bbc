"""Each rule of the gate by itself: its own reason, and the last value that it lets pass."""

import pytest
from every_case import every_case

from bot.domain import Patch, SpanEdit
from bot.patch import syntax
from bot.patch.apply import from_sources
from bot.patch.policy import content, dangers
from bot.patch.policy.cheating import literals
from bot.patch.policy.content import content_findings
from bot.patch.policy.gate import Policy, judge
from bot.patch.policy.names import modules
from bot.patch.syntax import parsed, syntax_problem


def refused(path, old, new):
    return content_findings(path, old, new, frozenset()).refused


LISTED = (
    (dangers.SKIPS, "new skip or expected failure"),
    (dangers.EXITS, "new exit"),
    (dangers.EVALUATION, "new use of"),
    (dangers.TAMPERING, "new tampering with the interpreter"),
)


@every_case(("names", "reason"), LISTED)
def test_every_listed_name_is_refused_however_it_is_reached(names, reason):
    for name in sorted(names):
        head, _, last = name.rpartition(".")
        plain = last if head == "builtins" else f"{head or 'something'}.{last}"
        for way in (plain, f"something.{plain}" if head not in {"", "builtins"} else plain):
            problems = refused("a.py", "", f"x = {way}\n")
            assert any(reason in problem for problem in problems), way
        # What was there may stay, and not be done once more.
        assert not refused("a.py", f"x = {plain}\n", f"y = {plain}\n")
        assert refused("a.py", f"x = {plain}\n", f"y = {plain}\nx = {plain}\n")


def test_every_dangerous_module_is_refused():
    for module in sorted(modules.DANGEROUS_MODULES):
        assert f"a.py: new use of {module}" in refused("a.py", "", f"import {module}\n")
        assert refused("a.py", "", f"from {module} import x\n")[0].startswith(f"a.py: new use of {module}")
        # Where it is there already, a second use is as new as the first.
        used = f"import {module}\n{module}.x()\n"
        assert refused("a.py", used, used.replace("x()", "x(1)")) == ()
        assert refused("a.py", used, f"{used}{module}.x()\n")


def test_every_pure_module_is_allowed_and_hands_on_no_other():
    for name in sorted(modules.PURE_MODULES - {"__future__"}):
        parent, _, last = name.rpartition(".")
        statement = f"from {parent} import {last}\n" if parent else f"import {name}\n"
        assert content_findings("a.py", "", statement, frozenset())[:2] == ((), ()), name
        for other in ("os", "sys", "builtins", "subprocess"):
            assert refused("a.py", "", f"import {name}\n{name}.{other}\n"), name


def test_the_free_members_of_a_module_are_allowed_and_the_others_are_shown():
    for module, members in modules.SAFE_MEMBERS.items():
        for member in sorted(members):
            new = f"from {module} import {member}\n"
            assert content_findings("a.py", "", new, frozenset())[:2] == ((), ()), new
        assert any(content_findings("a.py", "", f"from {module} import other\n", frozenset())[:2]), module


@every_case(
    ("new", "reason"),
    [
        ("len = 1\n", "the builtin len is overwritten"),
        ("len: object = 1\n", "the builtin len is overwritten"),
        ("a = len = 1\n", "the builtin len is overwritten"),
        ("from pytest import *\n", "new import of everything from pytest"),
        ("if 'pytest_x': pass\n", "code asks whether it is under test"),
        ("raise KeyboardInterrupt()\n", "new exit: KeyboardInterrupt"),
        ("open('x/sitecustomize.py')\n", "new mention of sitecustomize"),
        ("class A:\n    def __eq__(self, b): return True\n", "new __eq__ that is always true"),
        ("def f():\n    global len\n", "a builtin is overwritten"),
    ],
)
def test_a_statement_is_refused_for_its_own_reason(new, reason):
    assert f"a.py: {reason}" in refused("a.py", "", new)


def test_a_pass_to_several_rules_is_told_once_each_and_in_order():
    new = "import os\nos._exit(1)\nos._exit(2)\neval('1')\n"
    assert refused("a.py", "", new) == ("a.py: new exit: os._exit", "a.py: new use of eval")


@every_case(
    ("old", "new", "allowed"),
    [
        ("assert x\nassert y\n", "assert x\nif not y:\n    raise E\n", True),
        ("assert x\nassert y\n", "if not y:\n    raise E\n", False),
        ("assert x\n", "assert x > 0\n", True),
        ("assert x\n", "assert True\n", False),
        ("assert x\n", "pass\n", False),
        ("assert x\nraise E\n", "raise E\n", False),
        ("assert x\nraise E\nraise E\n", "pass\n", False),
        ("assert False\n", "pass\n", False),
        ("assert True\n", "pass\n", True),
        ("assert (x, 'always true')\n", "pass\n", True),
        ("assert ()\n", "pass\n", False),
        ("self.assertTrue(x)\n", "pass\n", True),  # not a test: a method of that name
    ],
)
def test_assertions_are_counted_in_code(old, new, allowed):
    assert (refused("a.py", old, new) == ()) is allowed


@every_case(
    ("old", "new", "allowed"),
    [
        ("self.assertTrue(x)\n", "pass\n", False),
        ("with raises(E): f()\n", "f()\n", True),  # only what is reached through something
        ("with pytest.raises(E): f()\n", "f()\n", False),
        ("self.fail()\n", "pass\n", False),
        ("assert x\n", "raise E\n", False),
        ("assert f(1) == 2\n", "assert f(1) == 3\n", True),
        ("def test_a(): pass\n", "def a(): pass\n", False),
        ("def test_a(): pass\n", "@pytest.mark.skip\ndef test_a(): pass\n", False),
        ("def test_a(): pass\n", "@pytest.mark.xfail\ndef test_a(): pass\n", False),
        ("def test_a(): pass\n", "@pytest.mark.skipif(True)\ndef test_a(): pass\n", False),
        ("def test_a(): pass\n", "from pytest import mark as m\n@m.skip\ndef test_a(): pass\n", False),
        ("def test_a(): pass\n", "def test_a(): self.skipTest('')\n", False),
        ("async def test_a(): pass\n", "async def a(): pass\n", False),
        ("def test_a(): pass\n", "def test_a(): pass\ndef test_b(): pass\n", True),
        ("x = 1\n", "import unittest\n", True),
        ("x = 1\n", "x = 'PYTEST_X'\n", True),
        ("x = 1\n", "f.__code__\n", True),
        ("x = 1\n", "os._exit(0)\n", False),
    ],
)
def test_assertions_and_tests_are_counted_in_allowed_tests(old, new, allowed):
    assert (refused("test_a.py", old, new) == ()) is allowed


def test_what_a_patch_takes_away_or_brings_hides_no_builtin():
    own = "def eval(x): pass\n"
    assert refused("a.py", own, own + "eval('1')\n") == ()
    assert refused("a.py", own, "eval('1')\n")
    assert refused("a.py", "", own + "eval('1')\n")


def test_what_is_used_already_may_be_imported_and_gets_no_other_arguments():
    used = "def f(): return subprocess.run(['git'])\n"
    assert refused("a.py", used, "import subprocess\n" + used) == ()
    assert refused("a.py", "", "import subprocess\n" + used)
    old = "import subprocess\nsubprocess.run(['git'])\n"
    found = content_findings("a.py", old, old.replace("git", "curl"), frozenset())
    assert found[:2] == ((), ("a.py: other arguments to subprocess.run",))


def test_an_old_text_that_does_not_parse_counts_as_empty():
    assert refused("a.py", "def f(:\n", "__doc__ = __name__ = 'x'\n") == ()
    assert refused("a.py", "def f(:\n    eval('1')\n", "def f():\n    eval('1')\n")


def test_a_comparison_with_a_whole_is_none_with_its_parts():
    def problems(condition):
        new = f"def f(x):\n    if x {condition} (40, 50): return 0\n    return x\n"
        return content_findings("a.py", "", new, frozenset({40})).refused

    assert problems("in")
    assert problems("==") == ()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RecursionError("deep"), "line 1: nested too deeply"),
        (MemoryError(), "line 1: too complex for the parser"),
        (LookupError("unknown encoding"), "line 1: unknown encoding"),
        (ValueError("null bytes"), "line 1: null bytes"),
        (SyntaxError("wrong"), "line 1: wrong"),
    ],
)
def test_whatever_a_parser_raises_is_a_line(monkeypatch, error, words):
    """Which text makes it raise what is another matter in each version of Python."""

    def fail(_):
        raise error

    monkeypatch.setattr(syntax, "_parse", fail)
    assert syntax_problem("a.py", "x") == f"syntax error in a.py {words}"
    assert parsed("x") is None


def test_a_tree_too_deep_to_be_judged_is_refused(monkeypatch):
    def fail(*_, **__):
        raise RecursionError

    monkeypatch.setattr(content, "_facts", fail)
    assert refused("a.py", "", "x = 1\n") == ("a.py is nested too deeply to be judged",)


@every_case(
    ("value", "informative"),
    [
        *((value, False) for value in (None, True, False, -2, 0, 10, 10.0, "", b"", (), frozenset())),
        *((value, True) for value in (-3, 11, 2.5, 0.1, "a", b"a", (0,), frozenset({0}), 1j, ...)),
    ],
)
def test_which_values_are_particular_enough_to_be_a_tests_own(value, informative):
    assert literals.is_informative(value) is informative


@every_case(
    ("value", "edge"),
    [
        *((value, True) for value in (0, 1, -1, None, "", b"", (), True, False)),
        *((value, False) for value in (2, -2, "a", b"a", (0,), frozenset({1}))),
    ],
)
def test_which_inputs_many_a_function_treats_by_itself(value, edge):
    assert literals.is_edge(value) is edge


def test_the_default_limits_are_inclusive():
    sources = {f"m{number}.py": "a = 1\n" for number in range(7)}

    def problems(files, policy):
        patch = from_sources(sources, dict.fromkeys(list(sources)[:files], "a = 2\n"))
        return judge(patch, sources, policy).refused

    assert problems(5, Policy()) == ()
    assert problems(6, Policy()) == ("the patch touches 6 files, at most 5 are allowed",)
    assert problems(7, Policy(max_files=7, max_changed_lines=13)) == (
        "the patch changes 14 lines, at most 13 are allowed",
    )
    assert problems(7, Policy(max_files=7, max_changed_lines=14)) == ()


def test_every_kind_of_file_has_its_rule():
    sources = dict.fromkeys(("a.py", "a.pyi", "A.PYW", "a.md"), "a = 1\n")

    def problems(path, text):
        edit = SpanEdit(path=path, start=0, end=len(sources[path]), replacement=text)
        return judge(Patch(edits=(edit,)), sources, Policy()).refused

    for path in ("a.py", "a.pyi", "A.PYW"):
        assert problems(path, "a = (\n") == (f"syntax error in {path} line 1: '(' was never closed",)
    assert problems("a.md", "a = (\n") == ()
    assert problems("a.md", "a\0") == ("a.md is binary",)
    assert problems("a.md", "\ud800") == ("the new text of a.md is not valid Unicode",)
    binary = {"a.md": "\0"}
    patch = Patch(edits=(SpanEdit(path="a.md", start=0, end=1, replacement="a\n"),))
    assert judge(patch, binary, Policy()).refused == ("a.md is binary",)


def test_a_syntax_error_is_placed_and_a_coding_cookie_or_an_odd_escape_is_none():
    assert syntax_problem("a.py", "a = 1\n\nb = )\n") == "syntax error in a.py line 3: unmatched ')'"
    for text in ("a = 1\n", "# coding: latin-1\nx = '\udcff'\n", "x = '\\d'\n"):
        assert syntax_problem("a.py", text) is None
