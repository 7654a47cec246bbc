"""Each rule of the gate by itself: its own reason, and the last value that it lets pass."""

import pytest

from bot.domain import Patch, SpanEdit
from bot.patch import content, special_cases, syntax
from bot.patch.apply import from_texts
from bot.patch.globs import folded, matches
from bot.patch.names import Names, bound_names, imported_names
from bot.patch.policy import Policy, check
from bot.patch.protected import creation_problem, name_problem
from bot.patch.syntax import parsed, syntax_problem


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "a path is empty"),
        *((f"a{char}.py", "control, invisible") for char in "\0\n\x7f\u200b\u202e\u2028\u2029\ud800"),
        *((path, "is absolute") for path in ("/a.py", "~/a.py", "C:/a.py", "c:a.py")),
        *((path, "a backslash") for path in ("a\\b.py", "\\\\host\\a.py")),
        *(
            (path, "is not a plain relative path")
            for path in ("a//b.py", "./a.py", "../a.py", "a/..", "a/", "a/ /b.py", "a/. ./b.py")
        ),
        *((path, "is too long") for path in ("x" * 256, "é" * 128, "a/" * 512 + "b")),
        *(
            (path, "the repository's own storage")
            for path in (".git", "a/.GIT/x", ".git ./x", "git~1/x.py", "a/GIT~2")
        ),
    ],
)
def test_a_name_is_refused_for_its_own_reason(path, reason):
    problem = name_problem(path)
    assert reason in problem
    assert problem.isascii()
    assert len(problem) < 200


@pytest.mark.parametrize(
    "path",
    [
        *("a", "ab:c.py", "a~", ".a", "..a", "a..", "a./b", ".gitignore", "git/a.py", "gi~t/x"),
        *("x" * 255, "é" * 127 + "x", "a/" * 511 + "ab", "a b.py", "\u00e9.py"),
    ],
)
def test_names_at_the_edge_of_a_rule_pass_it(path):
    assert name_problem(path) is None


@pytest.mark.parametrize(
    ("path", "known", "reason"),
    [
        ("a.txt", [], "a.txt would be created: only .py files may be"),
        ("a.py.txt", [], "a.py.txt would be created: only .py files may be"),
        ("A.py", ["a.py"], "A.py differs from an existing file only in case or spelling"),
        ("e\u0301.py", ["\u00e9.py"], "e\u0301.py differs from an existing file only in case or spelling"),
        ("json.py", [], "json.py would shadow the module json"),
        ("JSON/a.py", [], "JSON/a.py would shadow the module json"),
        ("src/json.py", [], "src/json.py would shadow the module json"),
        ("lib/pytest/a.py", [], "lib/pytest/a.py would shadow the module pytest"),
        ("a.py", ["a.py/b.py"], "a.py is a directory"),
        ("a.py/b.py", ["a.py"], "a.py/b.py lies below a file"),
        ("src.py", ["b.py"], None),
        ("src", ["b.py"], "src would be created: only .py files may be"),
        ("pkg/json.py", [], None),
        ("src/pkg/json.py", [], None),
        ("a.py", ["a.pyx/b.py", "b/a.py"], None),
        ("a.pyx/b.py", ["a.py"], None),
    ],
)
def test_a_creation_is_refused_for_its_own_reason(path, known, reason):
    assert creation_problem(path, dict.fromkeys(known, "")) == reason


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a?.py", "ab.py", True),
        ("a?.py", "a/.py", False),
        ("a*.py", "abc.py", True),
        ("a*.py", "a/b.py", False),
        ("a*.py", "x/y/ab.py", True),
        ("x/*.py", "x/a.py", True),
        ("x/*.py", "y/x/a.py", False),
        ("x/*.py", "x/y/a.py", False),
        ("x/**", "x/y/a.py", True),
        ("x/**/a.py", "x/a.py", True),
        ("x/**/a.py", "x/y/z/a.py", True),
        ("x/**/a.py", "x/ya.py", False),
        ("a.py", "aXpy", False),
        ("A.PY", "x/a.py", True),
        ("a.py", "a.py. .", True),
        ("a*", "a\nb", True),
    ],
)
def test_globs(pattern, path, expected):
    assert matches(path, (pattern,)) is expected
    assert matches(path, ("no such", pattern)) is expected
    assert not matches(path, ())


def test_names_are_compared_as_a_careless_file_system_does():
    assert folded("A/E\u0301. ./..") == "a/\u00e9/.."


LISTED = (
    (content._SKIPS, "new skip or expected failure"),
    (content._EXITS, "new exit"),
    (content._EVALUATION, "new use of"),
    (content._TAMPERING, "new tampering with the interpreter"),
)


@pytest.mark.parametrize(("names", "reason"), LISTED, ids=[reason for _, reason in LISTED])
def test_every_listed_name_is_refused_however_it_is_reached(names, reason):
    for name in sorted(names):
        head, _, last = name.rpartition(".")
        plain = last if head == "builtins" else f"{head or 'something'}.{last}"
        for way in (plain, f"something.{plain}" if head not in {"", "builtins"} else plain):
            problems = content.content_problems("a.py", "", f"x = {way}\n", frozenset())
            assert any(reason in problem for problem in problems), way
        # What was there may stay.
        assert not content.content_problems("a.py", f"x = {plain}\n", f"y = {plain}\n", frozenset())


def test_every_dangerous_module_is_refused_and_every_harmless_part_is_not():
    for module in sorted(content._DANGEROUS_MODULES - {"builtins"}):  # its names are known one by one
        part = f"from {module} import x\n"
        assert f"a.py: new use of {module}" in content.content_problems("a.py", "", part, frozenset())
    for name in content._HARMLESS_MODULES:
        parent, _, last = name.rpartition(".")
        assert content.content_problems("a.py", "", f"from {parent} import {last}\n", frozenset()) == ()
    assert content.content_problems("a.py", "", "from urllib.parser import x\n", frozenset())
    for module in ("http", "urllib", "code"):
        assert content.content_problems("a.py", "", f"import {module}\n", frozenset()) == ()


@pytest.mark.parametrize(
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
    assert f"a.py: {reason}" in content.content_problems("a.py", "", new, frozenset())


def test_a_pass_to_several_rules_is_told_once_each_and_in_order():
    new = "import os\nos._exit(1)\nos._exit(2)\neval('1')\n"
    assert content.content_problems("a.py", "", new, frozenset()) == (
        "a.py: new exit: os._exit",
        "a.py: new use of eval",
    )


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("assert x\nassert y\n", "assert x\nif not y:\n    raise E\n", True),
        ("assert x\nassert y\n", "if not y:\n    raise E\n", False),
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
    assert (content.content_problems("a.py", old, new, frozenset()) == ()) is allowed


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("self.assertTrue(x)\n", "pass\n", False),
        ("with raises(E): f()\n", "f()\n", True),  # only what is reached through something
        ("with pytest.raises(E): f()\n", "f()\n", False),
        ("self.fail()\n", "pass\n", False),
        ("assert x\n", "raise E\n", False),
        ("def test_a(): pass\n", "def a(): pass\n", False),
        ("async def test_a(): pass\n", "async def a(): pass\n", False),
        ("def test_a(): pass\n", "def test_a(): pass\ndef test_b(): pass\n", True),
        ("x = 1\n", "import unittest\n", True),
        ("x = 1\n", "x = 'PYTEST_X'\n", True),
        ("x = 1\n", "f.__code__\n", True),
        ("x = 1\n", "os._exit(0)\n", False),
    ],
)
def test_assertions_and_tests_are_counted_in_allowed_tests(old, new, allowed):
    assert (content.content_problems("test_a.py", old, new, frozenset()) == ()) is allowed


def test_names_are_seen_through_imports_aliases_and_getattr():
    tree = parsed(
        "import a.b\nimport c.d as e\nfrom f import g as h, i\nfrom . import j\nfrom .k import l\n"
        "a.x\ne.x\nh.x\ni\nj\nl\nprint\nmine\ngetattr(a, 'y', 0)\ngetattr(a, z)\nf().q\n"
    )
    assert sorted(imported_names(tree)) == ["a.b", "c.d", "f.g", "f.i"]
    found = list(Names(tree, local=frozenset({"mine"})).references(tree))
    wanted = {"a.x", "c.d.x", "f.g.x", "f.i", "j", "l", "builtins.print", "mine", "a.y", ".q"}
    assert wanted <= set(found)
    assert "builtins.mine" not in found
    assert {"a.z", "builtins.getattr.x"}.isdisjoint(found)


def test_an_imported_name_hides_a_builtin_only_where_it_is_bound():
    (name,) = Names(parsed("import print.x\n"), local=frozenset()).references(parsed("print\n"))
    assert name == "print"
    assert content.content_problems("a.py", "", "import x.eval\neval('1')\n", frozenset())


def test_a_modules_own_dunder_names_are_no_builtins():
    assert content.content_problems("a.py", "", "__doc__ = __name__ = 'x'\n", frozenset()) == ()


def test_a_comparison_with_a_whole_is_none_with_its_parts():
    def problems(condition):
        new = f"def f(x):\n    if x {condition} (40, 50): return 0\n    return x\n"
        return content.content_problems("a.py", "", new, frozenset({40}))

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
    problems = content.content_problems("a.py", "", "x = 1\n", frozenset())
    assert problems == ("a.py is nested too deeply to be judged",)


def test_what_a_module_binds():
    tree = parsed("a = 1\nimport b\ndef c(d, *e): f\nclass g: pass\nasync def h(): i: int = 1\n")
    assert bound_names(tree) == {"a", "c", "d", "e", "g", "h", "i"}


@pytest.mark.parametrize(
    ("value", "telling"),
    [
        *((value, False) for value in (None, True, False, -2, 0, 10, 10.0, "", b"", (), frozenset())),
        *((value, True) for value in (-3, 11, 2.5, 0.1, "a", b"a", (0,), frozenset({0}), 1j, ...)),
    ],
)
def test_which_values_are_particular_enough_to_be_a_tests_own(value, telling):
    assert special_cases._is_telling(value) is telling


@pytest.mark.parametrize(
    ("value", "edge"),
    [
        *((value, True) for value in (0, 1, -1, None, "", b"", (), True, False)),
        *((value, False) for value in (2, -2, "a", b"a", (0,), frozenset({1}))),
    ],
)
def test_which_inputs_many_a_function_treats_by_itself(value, edge):
    assert special_cases._is_edge(value) is edge


def test_the_default_limits_are_inclusive():
    sources = {f"m{number}.py": "a = 1\n" for number in range(7)}

    def problems(files, policy):
        return check(from_texts(sources, dict.fromkeys(list(sources)[:files], "a = 2\n")), sources, policy)

    assert problems(5, Policy()) == ()
    assert problems(6, Policy()) == ("the patch touches 6 files, at most 5 are allowed",)
    assert problems(7, Policy(max_files=7, max_changed_lines=13)) == (
        "the patch changes 14 lines, at most 13 are allowed",
    )
    assert problems(7, Policy(max_files=7, max_changed_lines=14)) == ()


def test_every_kind_of_file_has_its_rule():
    sources = dict.fromkeys(("a.py", "a.pyi", "A.PYW", "a.md"), "a = 1\n")

    def problems(path, text):
        edit = SpanEdit(path=path, start=0, end=len(sources[path]), text=text)
        return check(Patch(edits=(edit,)), sources, Policy())

    for path in ("a.py", "a.pyi", "A.PYW"):
        assert problems(path, "a = (\n") == (f"syntax error in {path} line 1: '(' was never closed",)
    assert problems("a.md", "a = (\n") == ()
    assert problems("a.md", "a\0") == ("a.md is binary",)
    assert problems("a.md", "\ud800") == ("the new text of a.md is not valid Unicode",)
    binary = {"a.md": "\0"}
    patch = Patch(edits=(SpanEdit(path="a.md", start=0, end=1, text="a\n"),))
    assert check(patch, binary, Policy()) == ("a.md is binary",)


def test_a_syntax_error_is_placed():
    assert syntax_problem("a.py", "a = 1\n\nb = )\n") == "syntax error in a.py line 3: unmatched ')'"
    assert syntax_problem("a.py", "a = 1\n") is None
