"""What the choice of an environment says of the tests' files."""

from contextlib import ExitStack

from bot.environments.chosen import ChosenEnvironment
from bot.environments.ways import Way
from sandbox.command import parse
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.resolve import Resolved


def test_a_file_with_a_failing_test_is_one_of_tests_whatever_it_is_called():
    result = TestResult(test="checks/tax.py::check_tax", status=TestStatus.FAILED)
    command = Resolved(command=parse("pytest checks/tax.py"), test_files=("named.py",))
    chosen = ChosenEnvironment(
        way=Way(text="", source="", command=command, tests=("checks/prices.py::check_net",)),
        environment=None,
        beds=None,
        held=ExitStack(),
        report=TestReport(results=(result,), complete=True, exit_status=1, seconds=1.0),
    )
    assert chosen.test_files == ("named.py", "/checks/prices.py", "/checks/tax.py")
