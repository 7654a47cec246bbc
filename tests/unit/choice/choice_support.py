"""Short ways to alternatives and to what a probe says of them."""

from bot.domain import Attempt, Candidate, Patch, SpanEdit, Verdict
from sandbox.probes import Ending, Kept, ProbeInput, ProbeOutcome, ProbeReport, ProbeVersion

PATH = "toll.py"


def edit(source, old, new, *, path=PATH):
    """The patch that puts ``new`` in the place of the first ``old``."""
    start = source.index(old)
    return Patch(edits=(SpanEdit(path=path, start=start, end=start + len(old), replacement=new),))


def alternative(source, old, new, *, score=0.5, path=PATH):
    candidate = Candidate(
        patch=edit(source, old, new, path=path), origin="x", explanation=f"{old} to {new}", score=score
    )
    return Attempt(candidate=candidate, verdict=Verdict.PLAUSIBLE)


def outcome(value):
    """``"!KeyError"`` raises, ``"..."`` hangs, None is unknown, all else is a value."""
    if value is None:
        return None
    if isinstance(value, str) and value.startswith("!"):
        return ProbeOutcome(ending=Ending.RAISED, kind=value[1:], digest=value, text=f"raises {value[1:]}")
    if value == "...":
        return ProbeOutcome(ending=Ending.TIMEOUT, kind="", digest=value, text="does not end")
    kind = type(value).__name__
    return ProbeOutcome(ending=Ending.VALUE, kind=kind, digest=f"{kind} {value}", text=repr(value))


def report(*versions, recorded=1, far=(), examples=()):
    """A probe of one function: lists of answers by version, the original program's last."""
    count = max(len(version) for version in versions)
    inputs = tuple(
        ProbeInput(
            target=0, parent=place if place < recorded else 0, near=place not in far, text=f"f({place})"
        )
        for place in range(count)
    )
    return ProbeReport(
        inputs=inputs,
        versions=tuple(
            ProbeVersion(
                outcomes=tuple(map(outcome, version)),
                examples=tuple(map(Kept, examples[number])) if number < len(examples) else (),
            )
            for number, version in enumerate(versions)
        ),
    )
