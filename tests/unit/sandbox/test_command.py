"""What a test command means by its text: nothing is guessed, and what is odd goes to a shell."""

from dataclasses import replace

import pytest
from case_rows import rows
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from sections import GOLDEN

from sandbox.command import (
    Launch,
    PytestCommand,
    ScriptCommand,
    ShellCommand,
    UnittestCommand,
    UnittestOptions,
    parse,
)

PYTEST = [
    ("pytest", PytestCommand(add_root_to_path=False)),
    ("venv/bin/py.test -q tests", PytestCommand(arguments=("-q", "tests"), add_root_to_path=False)),
    ("python -m pytest", PytestCommand()),
    ("/usr/bin/python3.12 -mpytest -x", PytestCommand(arguments=("-x",))),
    (
        "MODE=strict PYTHONPATH=src python3 -W error -X dev -u -m pytest -k 'a and b'",
        PytestCommand(
            arguments=("-k", "a and b"),
            launch=Launch(
                environment=(("MODE", "strict"), ("PYTHONPATH", "src")),
                options=("-W", "error", "-X", "dev", "-u"),
            ),
        ),
    ),
    ("python -Werror -B -m pytest", PytestCommand(launch=Launch(options=("-Werror", "-B")))),
    *(
        (text, PytestCommand(arguments=("-x",), add_root_to_path=False))
        for text in ("pytest -x\n", "  pytest -x  ", "\npytest -x\n\n")
    ),
]
UNITTEST = [
    ("", UnittestOptions()),
    ("-v -f -b -c -q --locals --durations 5", UnittestOptions()),
    ("tests.test_a tests/test_b.py", UnittestOptions(names=("tests.test_a", "tests/test_b.py"))),
    ("-k add -k 'T*.test_x' a", UnittestOptions(names=("a",), name_patterns=("*add*", "T*.test_x"))),
    ("discover", UnittestOptions()),
    ("discover -v -s tests -t . -p 'c_*.py'", UnittestOptions(start="tests", top=".", pattern="c_*.py")),
    ("discover tests '*_test.py' .", UnittestOptions(start="tests", top=".", pattern="*_test.py")),
    ("discover --start-directory=a --pattern b --top c", UnittestOptions(start="a", top="c", pattern="b")),
    ("-v discover", UnittestOptions(names=("discover",))),
]  # fmt: skip
SCRIPTS = [
    ("python check.py", ScriptCommand(text="", path="check.py")),
    ("python3 tests/run.py -v 'a b'", ScriptCommand(text="", path="tests/run.py", arguments=("-v", "a b"))),
    ("./run_tests.py all", ScriptCommand(text="", path="./run_tests.py", arguments=("all",), direct=True)),
    ("python -m package.tests -x", ScriptCommand(text="", module="package.tests", arguments=("-x",))),
    (
        "A= python -X utf8 tests",
        ScriptCommand(text="", path="tests", launch=Launch(environment=(("A", ""),), options=("-X", "utf8"))),
    ),
]
SHELL = (GOLDEN / "commands" / "for_a_shell.txt").read_text("utf-8").splitlines()
# Of several lines, the quotes are for a shell to match.
LINES = ["# don't stop\npytest", "cat <<END\nit's\nEND\npytest", "pytest a\npytest b"]


@every_case(("text", "meaning"), PYTEST)
def test_pytest_is_known_in_all_its_forms(text, meaning):
    assert parse(text) == meaning


@every_case(("text", "started"), rows("commands/launched.txt"))
def test_a_tool_that_would_make_an_environment_is_taken_off(text, started):
    assert not isinstance(parse(started), ShellCommand)
    assert parse(text) == parse(started)


@every_case(("arguments", "options"), UNITTEST)
def test_the_options_of_unittest_are_read_as_unittest_reads_them(arguments, options):
    command = parse(f"python -m unittest {arguments}")
    assert isinstance(command, UnittestCommand)
    assert command.options == options


@every_case("arguments", ["--help", "-s tests", "--no-such", "discover a b c d", "-k", "--durations x"])
def test_what_unittest_would_refuse_is_left_to_it(arguments):
    text = f"python -m unittest {arguments}"
    assert parse(text) == ScriptCommand(text=text, module="unittest", arguments=tuple(arguments.split()))


@every_case(("text", "meaning"), SCRIPTS)
def test_a_python_program_is_told_from_other_commands(text, meaning):
    command = parse(text)
    assert isinstance(command, ScriptCommand)
    assert command == replace(meaning, text=text)


@every_case("text", [*SHELL, *LINES, "python -m unittest\nrm -rf x"])
def test_everything_else_is_for_a_shell_as_it_was_written(text):
    assert parse(text) == ShellCommand(text=text)


@every_case(
    ("text", "words"),
    [
        ("", "empty"),
        (" \t", "empty"),
        ("pytest 'x", "quotation"),
        ('python -m unittest "x', "quotation"),
        ("A=1 B=2", "runs nothing"),
    ],
)  # fmt: skip
def test_a_command_that_cannot_be_one_is_refused(text, words):
    with pytest.raises(ValueError, match=words):
        parse(text)


WORDS = "python -m unittest discover -k -s -W A=1 x.py uv run uvx ' * \\ é -"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=7))
def test_any_words_are_a_command_or_refused(words):
    text = " ".join(words)
    try:
        command = parse(text)
    except ValueError:
        return
    assert not isinstance(command, ShellCommand) or command.text == text
