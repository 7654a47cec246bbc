"""What the engine needs from the world, as Protocols; adapters live elsewhere and are built by the CLI.

Nothing here is implemented. Each docstring is the contract that the contract tests hold every
implementation to, the fakes included.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass
from typing import Literal, Protocol, Unpack

from bot.domain import Usage
from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.reports import RunOptions, TestReport


class Testbed(Protocol):
    """The project inside a sandbox, ready to run its tests again and again."""

    def run(self, **options: Unpack[RunOptions]) -> TestReport:
        """Run tests of the project; ``sandbox.reports.RunOptions`` says which, and how.

        Returns:
            A report; a crash or a hang of the code under test is part of it.

        Raises:
            sandbox.errors.SandboxError: the sandbox itself failed.
        """
        ...

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """Try versions of some functions on the inputs that tests give them, and on variations of these.

        What comes back was shaped by the versions themselves: good for a choice among versions that pass
        the same tests, and proof of nothing.

        Returns:
            A report; where nothing can be tried, its ``problem`` says why.

        Raises:
            sandbox.errors.SandboxError: the sandbox itself failed.
        """
        ...


class TestbedFactory(Protocol):
    """Opens testbeds, each in a fresh sandbox that shares nothing with another."""

    @property
    def name(self) -> str:
        """The provider's name, as evidence shows it."""
        ...

    @property
    def isolated(self) -> bool:
        """Whether the provider is a security boundary."""
        ...

    def open(self) -> AbstractContextManager[Testbed]:
        """A new testbed, closed with the context.

        Raises:
            sandbox.errors.SandboxError: it could not be started.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function that a model may ask for; ``parameters`` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A model's wish to have ``name`` called; ``arguments`` is its own text, JSON only if it is well."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One chat message.

    ``tool_calls`` belong to an assistant's message; one with the role ``tool`` answers the call ``answers``.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a model is asked: to go on with ``messages``, oldest first.

    ``temperature`` is 0 for the likeliest reply, ``max_tokens`` the upper limit for its length. ``schema``, a
    JSON schema that the reply should follow, and ``tools``, what the model may call, are wishes: not every
    server can fulfil them. With a ``seed``, replies can be had again, where the server can do that.
    """

    messages: Sequence[Message]
    _: KW_ONLY
    temperature: float = 0.0
    max_tokens: int = 1024
    schema: Mapping[str, object] | None = None
    tools: Sequence[Tool] = ()
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's reply; ``text`` may be empty, and neither it nor the calls are ever to be trusted.

    ``truncated`` says that the reply ended at its length limit.
    """

    text: str
    usage: Usage
    model: str
    tool_calls: tuple[ToolCall, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InfillRequest:
    """What a model is asked to write between ``before`` and ``after``, both parts of one file.

    ``temperature``, ``max_tokens`` and ``seed`` are as those of a ``ChatRequest``. The reply ends before the
    first of ``stop``.
    """

    before: str
    after: str
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    max_tokens: int = 96
    seed: int | None = None


class ChatBackend(Protocol):
    """A chat model."""

    @property
    def model(self) -> str:
        """The model's name, as evidence and trajectories show it."""
        ...

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and reply may have together, where that is known; 0 otherwise."""
        ...

    def complete(self, request: ChatRequest) -> Completion:
        """One reply to ``request``.

        Raises:
            bot.errors.ModelUnavailable: no reply is to be had (key, endpoint, retries).
            bot.errors.ContextOverflow: the messages do not fit.
        """
        ...

    def infill(self, request: InfillRequest) -> Completion | None:
        """What the model writes in the gap of ``request``; None where its server cannot ask it that.

        Raises:
            bot.errors.ModelUnavailable: no reply is to be had, though the server can ask.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentWork:
    """What a coding agent did in one turn, all of it untrusted.

    ``files`` are the contents, by path, of what is otherwise than in the project; ``removed`` are paths that
    are gone. ``problem`` is why its copy cannot be read. ``exit_status`` is None where its time was over.
    ``said`` is the end of what it printed, ``cost`` in US dollars where it says.
    """

    files: Mapping[str, bytes]
    removed: tuple[str, ...]
    exit_status: int | None
    said: str
    seconds: float
    cost: float = 0.0
    problem: str = ""


class CodingAgent(Protocol):
    """A program that changes a copy of the project as it likes, and has nothing else of it."""

    @property
    def name(self) -> str:
        """The agent's name, as evidence and trajectories show it."""
        ...

    @property
    def has_worked(self) -> bool:
        """Whether its copy is as it left it; a resumed run begins with a new one."""
        ...

    def work(self, task: str, *, files: Sequence[str], seconds: float) -> AgentWork:
        """Let it work on ``task`` for so many seconds; ``files`` are those to look at first.

        It goes on from the copy as it left it the time before.

        Raises:
            bot.errors.ModelUnavailable: it cannot be started.
            sandbox.errors.SandboxError: it cannot be confined.
        """
        ...


class Trajectory(Protocol):
    """Keeps what happened in a run, event by event, for a person who reads it later."""

    def note(self, kind: str, **fields: object) -> None:
        """One event; ``fields`` are what JSON can hold. Secrets are scrubbed by whoever writes it down."""
        ...


class Progress(Protocol):
    """Hears what happens, for people; it never changes what happens."""

    def stage(self, name: str, detail: str = "") -> None:
        """A stage of the repair began."""
        ...

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """The stage goes on: ``attempts`` candidates have been tried so far, None where that is as before."""
        ...


class Clock(Protocol):
    """Seconds from any fixed origin that never goes back; ``time.monotonic`` is one."""

    def __call__(self) -> float:
        """Now, in seconds."""
        ...
