"""Commands together with the files that they name; discovery is compared with unittest's own."""

import json
import subprocess
import sys

import pytest
from case_rows import rows
from every_case import every_case
from snapshots import snapshot

from sandbox.command import PytestCommand, ScriptCommand, ShellCommand, parse
from sandbox.resolve import AS_UNITTEST, NOTHING_TO_COLLECT, resolve
from sandbox.snapshot import Entry, Snapshot, take

CASE = "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        pass\n"
LISTING = """
import json, os, sys, unittest
def cases(suite):
    for one in suite:
        yield from cases(one) if isinstance(one, unittest.TestSuite) else [one]
start, pattern, top = sys.argv[1:]
try:
    found = list(cases(unittest.TestLoader().discover(start, pattern, top or None)))
except ImportError:
    found = None
files = {os.path.relpath(sys.modules[type(one).__module__].__file__) for one in found or ()}
print(json.dumps(None if found is None else sorted(files)))
"""
TREE = {
    "test_top.py": CASE,
    "Test_upper.py": CASE,
    "test-dashed.py": CASE,
    "test_helper.txt": "",
    "check_top.py": CASE,
    "package/__init__.py": "",
    "package/test_inner.py": CASE,
    "package/tests/__init__.py": "",
    "package/tests/test_deep.py": CASE,
    "package/tests/plain/test_hidden.py": CASE,
    "package/tests/plain/below/__init__.py": "",
    "package/tests/plain/below/test_hidden_too.py": CASE,
    "directory/test_unreachable.py": CASE,
    "directory/sub/__init__.py": "",
    "directory/sub/test_sub.py": CASE,
    "test_package/__init__.py": "",
    "test_package/other.py": CASE,
}


@pytest.fixture
def project(tmp_path):
    def make(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return make


def resolved(command, files=TREE):
    return resolve(parse(command), snapshot(files))


@pytest.mark.parametrize(
    ("start", "pattern", "top"),
    [
        (".", "test*.py", ""),
        (".", "*.py", ""),
        (".", "check_*.py", ""),
        (".", "nothing*.py", ""),
        ("package", "test*.py", ""),
        ("package", "test*.py", "."),
        ("package/tests", "test*.py", "."),
        ("package/tests/", "test*.py", "package"),
        ("package.tests", "test*.py", ""),
        ("directory", "test*.py", ""),
        ("directory", "test*.py", "."),
        ("package/tests/plain", "test*.py", ""),
    ],
)
def test_the_files_are_those_that_unittest_discovers(start, pattern, top, project):
    root = project(TREE)
    argv = [sys.executable, "-B", "-c", LISTING, start, pattern, top]
    done = subprocess.run(argv, cwd=root, capture_output=True, check=True, text=True)
    expected = json.loads(done.stdout)
    option = f"-t {top}" if top else ""
    found = resolve(parse(f"python -m unittest discover -s {start} -p '{pattern}' {option}"), take(root))
    if expected is None:
        assert isinstance(found.command, ScriptCommand)
        assert "is not a package" in found.note
    else:
        assert isinstance(found.command, PytestCommand)
        # A file of this pattern need not hold a test.
        assert set(expected) <= set(found.test_files)
        assert [f for f in found.test_files if f not in expected and "class" in TREE[f]] == []


@every_case(("arguments", "targets"), rows("commands/unittest_names.txt", str.split))
def test_names_become_files_classes_and_methods(arguments, targets):
    found = resolved(f"python -m unittest {arguments}")
    assert isinstance(found.command, PytestCommand)
    assert found.command.arguments == (*AS_UNITTEST, *targets)
    assert found.note == ""


def test_modules_are_found_where_the_variables_put_them():
    files = {"deep/lib/tests/test_a.py": CASE, "src/test_b.py": CASE}
    found = resolved("PYTHONPATH=/x:deep/lib/:. python -m unittest tests.test_a test_b.T", files)
    assert found.test_files == ("deep/lib/tests/test_a.py", "src/test_b.py")
    found = resolved("python -m unittest", {"tests/test_a.py": CASE, "module.py": ""})
    assert found.command.arguments == (*AS_UNITTEST, NOTHING_TO_COLLECT), "there is nothing to discover"


@every_case(
    ("arguments", "reason", "files"),
    [
        *((given, reason, TREE) for given, reason in rows("commands/unittest_unresolved.txt")),
        ("", "test_a.py uses load_tests", {"test_a.py": "def load_tests(*a):\n    pass\n"}),
        ("", "p/__init__.py uses load_tests", {"p/__init__.py": "from .x import load_tests\n"}),
        ("test_a", "test_a.py uses load_tests", {"test_a.py": "from x import load_tests\n"}),
        ("", "p/__init__.py defines tests itself", {"p/__init__.py": CASE}),
        ("test_bad.T", "test_bad.py cannot be parsed", {"test_bad.py": "def ("}),
    ],
)
def test_what_the_files_do_not_say_is_left_to_unittest_with_the_reason(arguments, reason, files):
    found = resolved(f"python -m unittest {arguments}", files)
    assert isinstance(found.command, ScriptCommand)
    assert (found.command.module, found.command.arguments) == ("unittest", tuple(arguments.split()))
    assert found.note == f"unittest runs as one test, which is slower: {reason}"


@every_case("arguments", ["absent*.py", "test_*.py package"])
def test_what_a_shell_would_expand_is_left_to_a_shell(arguments):
    found = resolved(f"python -m unittest {arguments}")
    assert found.command == ShellCommand(text=f"python -m unittest {arguments}")
    assert found.note


def test_the_file_of_a_program_is_a_test_file():
    files = {"check.py": "", "pkg/__main__.py": "", "src/tool/check.py": "", "directory/__main__.py": ""}
    for command, expected in (
        ("python ./check.py", ("check.py",)),
        ("python directory", ("directory/__main__.py",)),
        ("python -m pkg", ("pkg/__main__.py",)),
        ("python -m tool.check", ("src/tool/check.py",)),
        ("python -m doctest README.txt", ()),
        ("python absent.py", ()),
    ):
        found = resolved(command, files)
        assert isinstance(found.command, ScriptCommand), command
        assert found.test_files == expected


@every_case("command", ["python -m tox", "python -m coverage run check.py", "python -m absent"])
def test_a_foreign_module_is_run_as_it_was_written(command):
    assert resolved(command).command == ShellCommand(text=command)


@every_case(
    ("data", "executable", "kind"),
    [
        (b"#!/usr/bin/env python3\n", True, ScriptCommand),
        (b"#!/usr/bin/python\r\n", True, ScriptCommand),
        (b"#!/usr/bin/env python3\n", False, ShellCommand),
        (b"#!/usr/bin/env python3 -O\n", True, ShellCommand),
        (b"#!/bin/sh\n", True, ShellCommand),
        (b"print(1)\n", True, ShellCommand),
    ],
)
def test_a_file_that_is_a_command_by_itself_has_to_be_pythons(data, executable, kind):
    entries = (Entry(path="run.py", data=data, executable=executable),)
    assert isinstance(resolve(parse("./run.py"), Snapshot(entries=entries)).command, kind)


def test_what_is_resolved_stays_as_it_is():
    for command in ("pytest", "make test", "python -m unittest", "python -m unittest package"):
        once = resolved(command)
        assert resolve(once.command, snapshot(TREE)).command == once.command


MAIN = "\n\nif __name__ == '__main__':\n    unittest.main()\n"
MAIN_AS_RUN = "\nfrom unittest import main as run\nif '__main__' == __name__:\n    run(verbosity=2)\n"


@every_case(
    ("command", "targets", "search_path"),
    [
        ("python tests/a.py", ["tests/a.py"], ("tests",)),
        ("python tests/a.py -v T T.test_it", ["tests/a.py::T"], ("tests",)),
        ("python -m tests.a -k it", ["tests/a.py"], (".",)),
    ],
)
def test_a_program_that_only_runs_its_own_cases_is_run_as_them(command, targets, search_path):
    found = resolved(command, {"tests/a.py": CASE + MAIN})
    assert isinstance(found.command, PytestCommand)
    assert found.command.arguments == (*AS_UNITTEST, *targets)
    assert (found.command.search_path, found.command.add_root_to_path) == (search_path, False)
    assert (found.test_files, found.note) == (("tests/a.py",), "")


@every_case(
    "text",
    [
        CASE + "\nunittest.main()\n",
        CASE + MAIN.replace("main()", "main(testRunner=Mine)"),
        CASE + MAIN.replace("main()", "main('other')"),
        CASE + MAIN.replace("unittest.main", "main"),
        CASE + MAIN + "    print('done')\n",
        CASE + MAIN + "else:\n    x = 1\n",
        CASE + MAIN + "\n\ndef load_tests(*a):\n    pass\n",
        CASE + MAIN + "def (",
        CASE + MAIN.replace("==", "!="),
        CASE + MAIN + MAIN,
    ],
)
def test_any_other_program_is_run_as_it_is(text):
    assert isinstance(resolved("python a.py", {"a.py": text}).command, ScriptCommand)


@every_case("arguments", ["discover", "Absent", "T.it", "--no-such", "a.T"])
def test_names_that_are_none_are_left_to_the_program(arguments):
    assert isinstance(resolved(f"python a.py {arguments}", {"a.py": CASE + MAIN}).command, ScriptCommand)


@every_case("other", ["cart.py", "src/cart.py", "cart/__init__.py", "src/cart/__init__.py"])
def test_a_test_file_never_takes_the_name_of_what_it_tests(other):
    files = {"checks/cart.py": CASE + MAIN, other: ""}
    for command in ("python -m checks.cart", "python -m unittest checks.cart"):
        assert isinstance(resolved(command, files).command, ScriptCommand)
    files["checks/__init__.py"] = ""
    assert isinstance(resolved("python -m unittest checks.cart", files).command, PytestCommand)


DEEP = "if " + "1 + " * 900 + "1 == 2:\n    pass\n"


@every_case(("before", "kind"), [("", PytestCommand), (r'"\d";', PytestCommand), (DEEP, ScriptCommand)])
def test_what_a_program_says_at_its_top_ends_nothing(before, kind):
    """An escape that Python warns of; an expression that can be parsed, but is too deep to be written out."""
    for main in (MAIN, MAIN_AS_RUN):
        files = {"check.py": before + CASE + main}
        assert isinstance(resolved("python check.py", files).command, kind)
        assert isinstance(resolved("python -m unittest check.T", files).command, PytestCommand)
