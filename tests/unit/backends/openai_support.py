"""A client of a chat server that is asked without waiting, and what it is asked."""

from fakes.patience import Patience

from bot.backends.keys import KeyRing
from bot.backends.openai import OpenAITransport
from bot.backends.served import Advice, ServedBackend
from bot.ports import Message, Tool

KEY = "sk-very-secret-0123456789"
OTHER_KEY = "sk-other-secret-9876543210"
ASK = [Message(role="system", content="Be brief."), Message(role="user", content="Why?")]
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
TOOL = Tool(name="run_tests", description="Runs them.", parameters={"type": "object", "properties": {}})


def backend_at(url, *, retries=2, keys=(KEY,), patience=None, silence=5.0, **options):
    patience = patience or Patience()
    return ServedBackend(
        model="small",
        transport=OpenAITransport(
            base_url=url, silence=silence, clock=patience.clock, remaining=patience.remaining
        ),
        keys=KeyRing(keys, clock=patience.clock),
        asking=patience.asking(retries),
        advice=Advice(key="check OPENAI_API_KEY", place="check --base-url"),
        **options,
    )
