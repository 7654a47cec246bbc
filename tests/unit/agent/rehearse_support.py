"""What the tests of agent rehearse share."""

from agent_support import HALF, TOTAL, ZERO, failed_result, result, runtime, state, with_variations
from fakes.testbed import FakeTestbeds, ScriptedTestbed

from bot.agent.nodes.rehearse import rehearse
from bot.domain import Baseline

BASELINE = Baseline(
    failing=(failed_result(TOTAL),), passing=(result(ZERO), result(HALF)), runs=3, seconds=1.0
)


def rehearsed(*reports, baseline=BASELINE, varied=True, **request):
    """What the node makes of ``reports``, the testbed that gave them, and its variables."""
    bed = ScriptedTestbed(*reports)
    made = runtime(testbeds=FakeTestbeds(lambda _number: bed), **request)
    asked = []
    if varied:
        made, asked = with_variations(made, lambda _: bed)
    with made.context.rehearsal:
        assert rehearse(state(baseline=baseline, rehearsed=False), made) == {}
        return made.context.rehearsal.result(), bed, asked
