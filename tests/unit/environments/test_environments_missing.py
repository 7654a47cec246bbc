"""Which packages a run of the tests is found to miss, by its messages."""

from case_rows import rows
from every_case import every_case

from bot.environments.missing import MAX_ADDED, missing_packages
from sandbox.reports import TestReport, TestResult, TestStatus


def missing(message, *, own=(), files=None):
    failing = TestResult(test="t.py::test", status=TestStatus.FAILED, seconds=0.0, message=message)
    report = TestReport(results=(failing,), complete=True, exit_status=1, seconds=1.0)
    return missing_packages(report, own=own, files=files or {})


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
