"""The models' part of ``regreen doctor``: is each reachable, does its key work, and what can it do.

Each model is asked three short questions, which costs about two hundred tokens. What it can do is found out
anew, and remembered for the runs that follow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from rich.console import Console

from bot.agent.model.asking import object_schema
from bot.backends import preset
from bot.backends.hub import MIB
from bot.commands.doctor.diagnosis import Line, Section, Status, note, ok, problem
from bot.config.settings import Settings
from bot.console import ConsoleProgress
from bot.errors import ModelError, RegreenError
from bot.ports import ChatBackend, ChatRequest, InfillRequest, Message, Tool

if TYPE_CHECKING:
    from bot.backends.served import ServedBackend

HELLO = (Message(role="user", content="Answer with the one word: ok"),)
COUNT = (Message(role="user", content="How many days has a week? Answer in JSON."),)
WISH = (Message(role="user", content="Call the function run_tests, please."),)
GAP = InfillRequest(before="def add(a, b):\n    return ", after="\n", max_tokens=8)
SCHEMA = object_schema({"days": {"type": "integer"}})
TOOL = Tool(
    name="run_tests",
    description="Runs the tests.",
    parameters={"type": "object", "properties": {}, "additionalProperties": False},
)
TITLE = "Models"
LOCAL = "--model local"
SILENT = ConsoleProgress(Console(quiet=True), verbose=False)


def check_models(settings: Settings, notify: Callable[[str], None]) -> Section:
    """Look at the models that ``settings`` name; ``notify`` gets what is being done."""
    if not (settings.model or settings.replay):
        detail = "none is named, and the strategy search needs none; --model names one"
        return Section(title=TITLE, lines=[note("model", detail), _small_model(wanted=False)])
    from bot.backends.choose import Named, backends, models

    with ExitStack() as resources:
        try:
            found = backends(settings, SILENT, resources)
            small = Named(backend="local", name=preset.NAME)
            is_small = not settings.replay and small in models(settings)
        except RegreenError as error:
            return Section(title=TITLE, lines=[problem("model", str(error))])
        lines = [_small_model(wanted=True)] if is_small else []
        if any(line.status is Status.PROBLEM for line in lines):
            return Section(title=TITLE, lines=lines)
        for backend in found:
            notify(f"asking {backend.model}")
            lines += _lines(backend)
    return Section(title=TITLE, lines=lines)


def _small_model(*, wanted: bool) -> Line:
    """Whether this machine can carry the model that ``--model local`` names; a problem if ``wanted``."""
    free, what = preset.available_memory(), preset.SMALL.introduction()
    if free is None:
        return note(LOCAL, f"{what}; this system does not say how much memory is available")
    detail = f"{what}, of which {free / MIB:.0f} MiB are available here"
    if free >= preset.SMALL.memory:
        return ok(LOCAL, detail) if wanted else note(LOCAL, detail)
    if not wanted:
        return note(LOCAL, f"too large for this machine: {detail}")
    return problem(LOCAL, detail, "close other programs, or name a model that a server runs")


def _lines(backend: ChatBackend) -> Iterator[Line]:
    from bot.backends.served import ServedBackend

    if not isinstance(backend, ServedBackend):
        yield ok(backend.model, "replies come from a file: there is nothing to ask")
        return
    try:
        reply = backend.complete(ChatRequest(HELLO, max_tokens=8))
        detail = (
            f"answers at {backend.endpoint} within {reply.usage.seconds:.1f} s, "
            f"{reply.usage.prompt_tokens} + {reply.usage.completion_tokens} tokens"
        )
        yield ok(backend.model, detail)
        yield _schema(backend)
        yield _tools(backend)
        yield _gaps(backend)
        yield _context(backend)
    except ModelError as error:
        yield problem(backend.model, str(error))


def _schema(backend: ServedBackend) -> Line:
    name = f"{backend.model}: JSON"
    reply = backend.complete(ChatRequest(COUNT, max_tokens=48, schema=SCHEMA))
    if _follows(reply.text) and backend.abilities.shape == "json_schema":
        return ok(name, "holds a JSON schema")
    if backend.abilities.shape == "none":
        return note(name, "answers in text, which is read as well as it can be")
    if backend.abilities.shape == "json_object":
        return note(name, "holds JSON, though no schema")
    return note(name, "takes a JSON schema, and did not hold it")


def _tools(backend: ServedBackend) -> Line:
    name = f"{backend.model}: tools"
    reply = backend.complete(ChatRequest(WISH, max_tokens=48, tools=[TOOL]))
    if reply.tool_calls:
        return ok(name, "calls functions")
    if not backend.abilities.tools:
        return note(name, "the server has no function calling: calls are text")
    return note(name, "is offered functions, and answered in text")


def _gaps(backend: ServedBackend) -> Line:
    name = f"{backend.model}: gaps"
    if backend.infill(GAP):
        return ok(name, "fills gaps in code, for the strategy hybrid")
    detail = "is asked for whole functions alone: only llama.cpp's server fills gaps, for some models"
    return note(name, detail)


def _context(backend: ServedBackend) -> Line:
    name, tokens = f"{backend.model}: context", backend.context_tokens
    if tokens:
        return ok(name, f"{tokens} tokens for prompt and reply together")
    return note(name, "the server does not report it: set REGREEN_MODEL_CONTEXT")


def _follows(text: str) -> bool:
    try:
        answer = json.loads(text)
    except ValueError:
        return False
    return isinstance(answer, dict) and set(answer) == {"days"} and isinstance(answer["days"], int)
