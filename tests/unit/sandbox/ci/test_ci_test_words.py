"""Which words are a test command, and what of it only dresses it."""

import shlex

from every_case import every_case
from sections import GOLDEN

from sandbox.ci.test_words import recognise

COMMANDS = GOLDEN / "commands"
TESTS = (COMMANDS / "test_commands.txt").read_text("utf-8").splitlines()
OTHERS = (COMMANDS / "other_commands.txt").read_text("utf-8").splitlines()


@every_case("row", TESTS)
def test_a_test_command_without_its_dress(row):
    runner, _, rest = row.partition(": ")
    line, _, words = rest.partition(" => ")
    found = recognise(shlex.split(line, posix=True) if "\\" not in line else line.split())

    assert found is not None
    assert (found.runner, shlex.join(found.words)) == (runner, words)


@every_case("line", OTHERS)
def test_what_runs_no_tests(line):
    assert recognise(shlex.split(line)) is None


def test_variables_before_a_command_belong_to_it():
    found = recognise(["A=1", "B=x y", "pytest"])
    assert found is not None
    assert found.environment == (("A", "1"), ("B", "x y"))
