"""A trajectory as a person wants to see it: seconds by stage, what each model cost, turn by turn."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.trajectory.reading import Event, Recording, moment, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stage from its announcement to the next one, in seconds of the run."""

    name: str
    start: float
    seconds: float
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCost:
    """What one model was asked for in the whole run; ``cost`` in US dollars, ``seconds`` of waiting."""

    model: str
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The sums of a trajectory. ``by_stage`` has the longest first; ``seconds`` is the last moment known."""

    seconds: float
    spans: tuple[Span, ...]
    by_stage: tuple[tuple[str, float], ...]
    models: tuple[ModelCost, ...]


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
        models=tuple(_models(recording.events)),
    )


def _spans(events: Iterable[Event], end: float) -> Iterable[Span]:
    stages = [event for event in events if event["kind"] == "stage"]
    starts = [moment(event) for event in stages]
    for event, start, until in zip(stages, starts, [*starts[1:], end], strict=False):
        name, detail = str(event.get("name", "")), str(event.get("detail", ""))
        yield Span(name=name, start=start, seconds=max(0.0, until - start), detail=detail)


def _models(events: Iterable[Event]) -> Iterable[ModelCost]:
    replies = [event for event in events if event["kind"] == "reply"]
    for name in dict.fromkeys(str(reply.get("model", "")) for reply in replies):
        own = [reply for reply in replies if str(reply.get("model", "")) == name]
        yield ModelCost(
            model=name,
            calls=len(own),
            prompt_tokens=int(sum(number(reply.get("prompt_tokens")) for reply in own)),
            completion_tokens=int(sum(number(reply.get("completion_tokens")) for reply in own)),
            cost=sum(number(reply.get("cost")) for reply in own),
            seconds=sum(number(reply.get("seconds")) for reply in own),
        )
