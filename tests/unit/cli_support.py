"""What the tests of cli share."""

from bot.result import Outcome, RepairResult

SOURCE = b"a = 1 # \xff\n"


NO_PATCH = RepairResult(outcome=Outcome.NO_PATCH, reason="nothing helps", attempts=3)


def lines(text):
    return text.splitlines()
