"""Where the seconds went: runs of one kind are added up, whoever ran them; the slowest tests are known."""

from agent_support import report, result, runtime
from fakes.testbed import FakeTestbeds, ScriptedTestbed

from bot.agent.timing.deadlines import Phase
from bot.agent.timing.profile import SLOWEST, Profile


def test_runs_of_one_kind_are_added_up_and_the_longest_come_first():
    profile = Profile()
    for seconds in (0.5, 0.25):
        profile.ran(Phase.SEARCH, report(result("t.py::a", seconds=0.1), result("t.py::b")), seconds)
    profile.ran(Phase.VALIDATE, report(result("t.py::b", seconds=2.0)), 3.0)
    profile.opened(Phase.VALIDATE, 0.1)
    rows = [(row.phase, row.means, row.runs, row.tests, row.seconds) for row in profile.rows()]
    assert rows == [
        (Phase.VALIDATE, "whole", 1, 1, 3.0),
        (Phase.SEARCH, "whole", 2, 4, 0.75),
        (Phase.VALIDATE, "open", 1, 0, 0.1),
    ]
    assert list(profile.slowest()) == [("t.py::b", 2.0), ("t.py::a", 0.2)]


def test_only_the_slowest_tests_are_kept():
    profile = Profile()
    profile.ran(Phase.SEARCH, report(*(result(f"t.py::n{n}", seconds=n) for n in range(1, 99))), 1.0)
    assert [seconds for _, seconds in profile.slowest()] == [98.0 - n for n in range(SLOWEST)]


def test_each_run_within_a_phase_is_noted_once():
    """Also where a phase's context is narrowed to another phase."""
    bed = ScriptedTestbed(report(), report())
    context = runtime(testbed=bed, testbeds=FakeTestbeds(lambda _number: bed)).context
    inner = context.within(Phase.SEARCH).within(Phase.VALIDATE)
    inner.testbed.run()
    with inner.testbeds.open() as opened:
        opened.run()
    assert sorted((row.phase, row.means, row.runs) for row in context.profile.rows()) == [
        (Phase.VALIDATE, "open", 1),
        (Phase.VALIDATE, "whole", 2),
    ]
