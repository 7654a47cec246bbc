"""Write the tables of docs/sandbox.md: ``python docs/sandbox_tables.py``. The prose there is by hand."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from sandbox.selfcheck import BUILD_CHECKS, CHECKS, KNOWN_GAPS
from sandbox.selfcheck.likeness import DIFFERENCES

TARGET = Path(__file__).with_name("sandbox.md")
PROVIDERS = ("docker", "bubblewrap", "process")
BUILD = "build"  # in bubblewrap


def attacks() -> Iterator[str]:
    """A row for each check: what holds where."""
    yield "| check | promise | docker | bubblewrap | process | a build in bubblewrap |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for check in CHECKS:
        marks = [_mark(provider, check.name) for provider in PROVIDERS]
        marks.append(_mark(BUILD, check.name) if check.name in BUILD_CHECKS else "no promise")
        yield f"| `{check.name}` | {check.promise} | {' | '.join(marks)} |"


def _mark(provider: str, check: str) -> str:
    gap = KNOWN_GAPS[provider].get(check)
    if gap is None:
        return "holds"
    return "gap on some machines" if gap.conditional else "gap"


def gaps() -> Iterator[str]:
    """A row for each reason: whose, where, and which checks it concerns."""
    yield "| provider | where | what does not hold | why |"
    yield "| --- | --- | --- | --- |"
    for provider in (*PROVIDERS, BUILD):
        by_reason: dict[tuple[str, str], list[str]] = {}
        for name, gap in KNOWN_GAPS[provider].items():
            by_reason.setdefault((gap.where, gap.reason), []).append(f"`{name}`")
        for (where, reason), names in by_reason.items():
            yield f"| {provider} | {where} | {', '.join(names)} | {reason} |"
        if not by_reason:
            yield f"| {provider} | | none | |"


def differences() -> Iterator[str]:
    """A row for each reason: where, and which calls are answered otherwise."""
    yield "| provider | what is answered otherwise | why |"
    yield "| --- | --- | --- |"
    by_reason: dict[tuple[tuple[str, ...], bool, str], list[str]] = {}
    for name, difference in DIFFERENCES.items():
        key = (difference.providers, difference.sometimes, difference.reason)
        by_reason.setdefault(key, []).append(f"`{name}`")
    for (providers, sometimes, reason), names in by_reason.items():
        where = ", ".join(providers) + (", on some machines" if sometimes else "")
        yield f"| {where} | {', '.join(names)} | {reason} |"


def attacks_on_verdicts(module: str) -> Any:  # noqa: ANN401 - a module of the tests, where the attacks are
    """The attacks on verdicts of one kind, from the tests that try them."""
    directory = str(TARGET.parents[1] / "tests" / "contract")
    if directory not in sys.path:
        sys.path.append(directory)
    return import_module(module)


def candidates() -> Iterator[str]:
    """A row for each attack of a candidate."""
    yield "| attack | what the candidate does | docker, bubblewrap | process |"
    yield "| --- | --- | --- | --- |"
    for attack in attacks_on_verdicts("verdict_attacks").ATTACKS:
        where = "not tried: a gap" if attack.isolated else "no pass"
        yield f"| `{attack.name}` | {attack.what} | no pass | {where} |"


def hostile() -> Iterator[str]:
    """A row for each kind of test code that lies."""
    yield "| attack | what the test code does | everywhere |"
    yield "| --- | --- | --- |"
    for attack in attacks_on_verdicts("hostile_tests").HOSTILE:
        yield f"| `{attack.name}` | {attack.what} | no pass |"


def forgeries() -> Iterator[str]:
    """A row for each way of a candidate to write its own verdict."""
    yield "| forgery | what the candidate does | a single run | the proof |"
    yield "| --- | --- | --- | --- |"
    for forgery in attacks_on_verdicts("forgeries").FORGERIES:
        yield f"| `{forgery.name}` | {forgery.what} | believed | refused |"


def residual() -> Iterator[str]:
    """A row for each way that remains."""
    yield "| risk | what code in the tests' own process can do | what stands against it |"
    yield "| --- | --- | --- |"
    for risk in attacks_on_verdicts("residual_risks").RESIDUAL:
        yield f"| `{risk.name}` | {risk.what} | {risk.against} |"


BLOCKS = {
    "attacks": attacks,
    "gaps": gaps,
    "differences": differences,
    "candidates": candidates,
    "hostile": hostile,
    "forgeries": forgeries,
    "residual": residual,
}


def page(text: str) -> str:
    """``text`` with each generated block as it has to be."""
    for name, rows in BLOCKS.items():
        block = "\n".join(
            [f"<!-- {name}: made by docs/sandbox_tables.py -->", *rows(), f"<!-- end of {name} -->"]
        )
        pattern = rf"<!-- {name}: .*?<!-- end of {name} -->"
        text, found = re.subn(pattern, lambda _, block=block: block, text, flags=re.DOTALL)
        if found != 1:
            raise ValueError(f"{TARGET} has {found} blocks called {name} and must have one")
    return text


if __name__ == "__main__":
    TARGET.write_text(page(TARGET.read_text("utf-8")), "utf-8")
