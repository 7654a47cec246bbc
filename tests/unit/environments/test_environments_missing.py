"""What a run of the tests tells: which packages are missing, by its messages, and which files hold tests."""

from contextlib import ExitStack

from case_rows import rows
from chooser_support import failed, report
from every_case import every_case

from bot.environments.chosen import ChosenEnvironment
from bot.environments.missing import MAX_ADDED, missing_packages
from bot.environments.ways import Way
from sandbox.command import parse
from sandbox.resolve import Resolved


def missing(message, *, own=(), files=None):
    return missing_packages(report(failed("t.py::test", message=message)), own=own, files=files or {})


@every_case(
    ("message", "names"),
    rows("environment/missing_packages.txt", lambda names: tuple(names.split())),
)
def test_what_messages_name(message, names):
    assert missing(message, own={"shop"}) == names


def test_a_message_names_no_more_than_can_be_tried():
    assert len(missing("\n".join(f"No module named 'm{n}'" for n in range(99)))) == MAX_ADDED


def test_asynchronous_tests_get_the_plugin_of_their_mark():
    message = "async def functions are not natively supported"
    assert missing(message) == ("pytest-asyncio",)
    assert missing(message, files={"t.py": b"@pytest.mark.trio"}) == ("pytest-trio",)


def test_a_file_with_a_failing_test_is_one_of_tests_whatever_it_is_called():
    command = Resolved(command=parse("pytest checks/tax.py"), test_files=("named.py",))
    chosen = ChosenEnvironment(
        way=Way(text="", source="", command=command, tests=("checks/prices.py::check_net",)),
        environment=None,
        beds=None,
        held=ExitStack(),
        report=report(failed("checks/tax.py::check_tax")),
    )
    assert chosen.test_files == ("named.py", "/checks/prices.py", "/checks/tax.py")
