"""What a probe asks and answers: several versions of some functions on the same inputs. Plain data.

Everything in a report was shaped by the code that was probed. It is text for comparison and for display, and
it decides on no test.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeTarget:
    """A function to call: its file, and its name there, such as ``total`` or ``Cart.total``."""

    path: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeExample:
    """An example that ``target`` (its number) documents.

    Either a ``session`` as ``doctest`` reads it, or an ``expression`` with the one that it shall equal.
    """

    target: int
    session: str = ""
    expression: str = ""
    expected: str = ""

    @property
    def text(self) -> str:
        """The example as a person would write it."""
        return self.session or f"{self.expression} == {self.expected}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeRequest:
    """What to try.

    ``versions`` are the whole texts of the same files in each version; the tests are run on the first one,
    and those inputs are recorded. ``tests`` run within ``timeouts_s`` each; playing the inputs takes at most
    ``seconds`` for all versions together. All of it ends after ``limit_s``.
    """

    targets: tuple[ProbeTarget, ...]
    versions: tuple[Mapping[str, str], ...]
    tests: tuple[str, ...]
    timeouts_s: Mapping[str, float] = field(default_factory=dict)
    examples: tuple[ProbeExample, ...] = ()
    seconds: float = 4.0
    limit_s: float = 1e6


class Ending(StrEnum):
    """How a call ended."""

    VALUE = "value"
    RAISED = "raised"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOutcome:
    """What one call came to: equal digests mean equal outcomes. ``text`` is for people.

    ``kind`` is the type's name: of the value, with its items' for a list, or of the exception.
    """

    ending: Ending
    kind: str
    digest: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeInput:
    """A call that was tried; ``parent`` is the number of the recorded input that it varies, or its own.

    ``near`` is whether it keeps to what all recorded inputs have in common.
    """

    target: int
    parent: int
    near: bool
    text: str


class Kept(StrEnum):
    """What a version makes of an example."""

    KEPT = "kept"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeVersion:
    """What one version did: an outcome, or None, for each input; ``problem`` says why there is nothing."""

    outcomes: tuple[ProbeOutcome | None, ...] = ()
    examples: tuple[Kept, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeReport:
    """The answer: inputs, the recorded ones first, and what each version of the request did with them."""

    inputs: tuple[ProbeInput, ...] = ()
    versions: tuple[ProbeVersion, ...] = ()
    problem: str = ""
    seconds: float = 0.0


def read_report(raw: Mapping[str, Any], request: ProbeRequest) -> ProbeReport:
    """The report in the runner's answer; hostile code shaped it, so what does not fit is an empty report."""
    try:
        inputs = tuple(
            ProbeInput(target=int(target), parent=int(parent), near=bool(near), text=str(text))
            for target, parent, near, text in raw["inputs"]
        )
        versions = tuple(_read_version(version, len(inputs)) for version in raw["versions"])
    except (KeyError, TypeError, ValueError) as error:
        return ProbeReport(problem=f"the probe's answer cannot be read: {error}")
    astray = any(not (0 <= i.target < len(request.targets) and 0 <= i.parent < len(inputs)) for i in inputs)
    if astray or len(versions) != len(request.versions):
        return ProbeReport(problem=str(raw["problem"]) or "the probe's answer does not fit the question")
    problem, seconds = str(raw["problem"]), float(raw["seconds"])
    return ProbeReport(inputs=inputs, versions=versions, problem=problem, seconds=seconds)


def _read_version(raw: Mapping[str, Any], inputs: int) -> ProbeVersion:
    outcomes = tuple(outcome and _read_outcome(*outcome) for outcome in raw["outcomes"])
    return ProbeVersion(
        outcomes=outcomes if len(outcomes) == inputs and any(outcomes) else (),
        examples=tuple(Kept(verdict) for verdict in raw["examples"]),
        problem=str(raw["problem"]),
    )


def _read_outcome(ending: str, kind: str, digest: str, text: str) -> ProbeOutcome:
    return ProbeOutcome(ending=Ending(ending), kind=str(kind), digest=str(digest), text=str(text))
