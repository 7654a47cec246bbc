"""A trajectory, written by a clock that is set by hand."""

from fakes.progress import FakeClock

from bot.scrub import Scrubber
from bot.trajectory.writer import TrajectoryWriter

HEADER = {"regreen": "1.0", "run": "abc", "project": "shop", "strategy": "react", "models": ["small"]}
KEY = "swordfish-swordfish"


def writer(path, *, clock=None, resume=False, secrets=(KEY,), header=None, warn=print):
    return TrajectoryWriter(
        path,
        header=HEADER if header is None else header,
        clock=clock or FakeClock(),
        scrub=Scrubber(secrets),
        resume=resume,
        warn=warn,
    )


def repair(path):
    """A run of a model that needs two turns, with all kinds of events; eight seconds long."""
    clock = FakeClock()
    with writer(path, clock=clock) as trajectory:
        trajectory.note("stage", name="reproduce", detail="running the tests")
        clock.now += 2
        trajectory.note("stage", name="patch", detail="turn 1")
        messages = [{"role": "system", "content": "You repair."}, {"role": "user", "content": "<b>why?</b>"}]
        trajectory.note("prompt", stage="patch", turn=1, model="small", temperature=0.2, messages=messages)
        clock.now += 3
        spent = {"prompt_tokens": 40, "completion_tokens": 9, "cost": 0.25, "seconds": 3.0}
        trajectory.note("reply", stage="patch", turn=1, model="small", text="a\x1b[2Jb\nc", **spent)
        patch = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
        trajectory.note("verdict", turn=1, model="small", verdict="failing", detail="still red", patch=patch)
        trajectory.note("reply", stage="patch", turn=2, model="large", text="d", **spent)
        trajectory.note("model", model="small", lost="no answer", turn=2)
        clock.now += 3
        answer = {"outcome": "patched", "reason": "verified", "diff": patch, "attempts": 2}
        trajectory.note("result", **answer, explanation="one [bold]change[/bold]")
    return path
