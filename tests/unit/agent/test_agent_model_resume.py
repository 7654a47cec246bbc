"""A run that is killed between two questions: a model is not asked again what it answered."""

import itertools

import pytest
from agent_support import repaired
from fakes.progress import FakeProgress
from scripted_model import RIGHT, SAME, WRONG, Model

from bot.agent.checkpoint import RunStore
from bot.request import Budget
from bot.result import Outcome


class Killed(BaseException):
    pass


REPLIES = {
    "single": [RIGHT],
    "react": ["plus", WRONG, "plus", RIGHT],
    "reflect": [SAME, WRONG, RIGHT],
    "tools": [WRONG, SAME, RIGHT],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "at"), [(name, at) for name, replies in REPLIES.items() for at in range(len(replies) + 2)]
)
def test_a_model_is_not_asked_again_what_it_answered_before_a_kill(strategy, at, tmp_path):
    store = RunStore(tmp_path)
    replies, calls = REPLIES[strategy], itertools.count()

    def stage(name):
        if name not in {"sandbox", "reproduce", "localise"} and next(calls) == at:
            raise Killed

    def go(progress, model, *, resume):
        asked = {"strategy": strategy, "budget": Budget(attempts=5), "backends": lambda _remaining: [model]}
        with store.open("run") as checkpointer:
            return repaired(**asked, progress=progress, checkpointer=checkpointer, resume=resume)

    first = Model(replies)
    with pytest.raises(Killed):
        go(FakeProgress(on_stage=stage), first, resume=False)
    rest = Model(replies[len(first.requests) :])
    result = go(FakeProgress(), rest, resume=True)
    assert result.outcome is Outcome.PATCHED
    assert result.usage.calls == len(replies)
    assert len(first.requests) + len(rest.requests) == len(replies)
