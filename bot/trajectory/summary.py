"""A trajectory as a person wants to see it: seconds by stage, what each model cost, turn by turn."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.domain import Usage
from bot.trajectory.reading import Event, Recording, moment, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stage from its announcement to the next one, in seconds of the run."""

    name: str
    start: float
    seconds: float
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The sums of a trajectory. ``by_stage`` has the longest first; ``seconds`` is the last moment known."""

    seconds: float
    spans: tuple[Span, ...]
    by_stage: tuple[tuple[str, float], ...]
    models: Mapping[str, Usage]


def overview(recording: Recording) -> Overview:
    """The sums of ``recording``."""
    everything = [*recording.events, *([recording.result] if recording.result else [])]
    end = max(map(moment, everything), default=0.0)
    spans = tuple(_spans(recording.events, end))
    totals: dict[str, float] = {}
    for span in spans:
        totals[span.name] = totals.get(span.name, 0.0) + span.seconds
    return Overview(
        seconds=end,
        spans=spans,
        by_stage=tuple(sorted(totals.items(), key=lambda item: -item[1])),
        models=_models(recording.events),
    )


def _spans(events: Iterable[Event], end: float) -> Iterable[Span]:
    stages = [event for event in events if event["kind"] == "stage"]
    starts = [moment(event) for event in stages]
    for event, start, until in zip(stages, starts, [*starts[1:], end], strict=False):
        name, detail = str(event.get("name", "")), str(event.get("detail", ""))
        yield Span(name=name, start=start, seconds=max(0.0, until - start), detail=detail)


def _models(events: Iterable[Event]) -> dict[str, Usage]:
    found: dict[str, Usage] = {}
    for reply in (event for event in events if event["kind"] == "reply"):
        spent = Usage(
            calls=1,
            prompt_tokens=int(number(reply.get("prompt_tokens"))),
            completion_tokens=int(number(reply.get("completion_tokens"))),
            cost=number(reply.get("cost")),
            seconds=number(reply.get("seconds")),
        )
        name = str(reply.get("model", ""))
        found[name] = found.get(name, Usage()) + spent
    return found
