"""A model by a script, and a run of a strategy with it on the small shop."""

from agent_support import FILES, PATH, SOURCE, repaired
from langgraph.checkpoint.memory import InMemorySaver

from bot.agent.checkpoint import StateSerializer
from bot.domain import Usage
from bot.errors import ModelUnavailable
from bot.ports import Completion, ToolCall
from bot.request import Budget


def code(expression, name="total(a, b)"):
    return f"```python\ndef {name}:\n    return {expression}\n```"


SAME, WRONG, RIGHT = code("a - b"), code("a * b"), code("a + b")
REPAIRED = {PATH: SOURCE.replace("a - b", "a + b")}


class Recorded:
    """``ports.Trajectory`` that keeps its events."""

    def __init__(self):
        self.events = []

    def note(self, kind, **fields):
        self.events.append((kind, fields))

    def of(self, kind):
        return [fields for name, fields in self.events if name == kind]


class Model:
    """``ports.ChatBackend`` by a script of texts, tool calls and errors; keeps what it was asked.

    ``fills`` gives what it writes into a gap; without it, it cannot be asked that.
    """

    def __init__(self, replies, name="scripted", context_tokens=0, fills=None):
        self.model, self.context_tokens = name, context_tokens
        self.requests, self.options, self._replies = [], [], iter(replies)
        self.gaps, self._fills = [], fills

    def infill(self, request):
        if self._fills is None:
            return None
        self.gaps.append(request)
        reply = self._fills(request)
        if isinstance(reply, Exception):
            raise reply
        usage = Usage(calls=1, prompt_tokens=40, completion_tokens=5)
        return Completion(text=reply, usage=usage, model=self.model)

    def complete(self, request):
        self.requests.append(tuple(request.messages))
        self.options.append(request)
        reply = next(self._replies, ModelUnavailable("the script is over"))
        if isinstance(reply, Exception):
            raise reply
        usage = Usage(calls=1, prompt_tokens=90, completion_tokens=10)
        if isinstance(reply, ToolCall):
            return Completion(text="", usage=usage, model=self.model, tool_calls=(reply,))
        return Completion(text=reply, usage=usage, model=self.model)


def run(strategy, *models, files=FILES, **more):
    """A repair with ``models``."""
    return repaired(
        files,
        **{"budget": Budget(attempts=5), **more},
        strategy=strategy,
        backends=lambda _remaining: models,
        checkpointer=InMemorySaver(serde=StateSerializer()),
    )


def asked(model):
    return [messages[-1].content for messages in model.requests]
