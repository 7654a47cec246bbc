"""The suite's verdicts inside and outside of the sandbox, test by test.

A JUnit report names a test by its module and name, not by its node id, so both sides are put under that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from xml.parsers import expat

from sandbox.reports import TestResult, TestStatus

MAX_DEPTH = 50
_ILLEGAL = re.compile("[^\t\n\r -\x7e\x80-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Verdict(StrEnum):
    """How a test ended, as far as both sides say it."""

    PASSED = "passed"
    FAILED = "failed"
    SET_ASIDE = "skipped"  # or an expected failure
    MISSING = "missing"  # no verdict on this side


# Of several verdicts under one name the first of these counts.
_WORST = (Verdict.FAILED, Verdict.PASSED, Verdict.SET_ASIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A run of the suite: verdicts and messages by name; ``problem`` says why it has not all of them.

    ``ids`` are the node ids by name, where they are known. ``cut`` says that the time for the run was over.
    """

    verdicts: Mapping[str, Verdict]
    messages: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    seconds: float
    exit_status: int | None
    problem: str = ""
    output: str = ""
    cut: bool = False

    def count(self, verdict: Verdict) -> int:
        """How many tests ended so."""
        return sum(found is verdict for found in self.verdicts.values())

    @property
    def passing(self) -> frozenset[str]:
        """The names of the tests that passed."""
        return frozenset(name for name, verdict in self.verdicts.items() if verdict is Verdict.PASSED)

    @property
    def pass_share(self) -> float:
        """Of the tests that ran, skipped ones and expected failures apart, those that passed; 0 of none."""
        passed = self.count(Verdict.PASSED)
        ran = passed + self.count(Verdict.FAILED)
        return passed / ran if ran else 0.0


def verdict_of(result: TestResult) -> Verdict:
    """How ``result`` ended."""
    if result.status.is_failure:
        return Verdict.FAILED
    return Verdict.PASSED if result.status is TestStatus.PASSED else Verdict.SET_ASIDE


def collected(pairs: Iterable[tuple[str, Verdict]]) -> dict[str, Verdict]:
    """The verdict by name; of several the worst."""
    found: dict[str, Verdict] = {}
    for name, verdict in pairs:
        before = found.get(name)
        found[name] = verdict if before is None else min(before, verdict, key=_WORST.index)
    return found


def compared(inside: Ran, outside: Ran) -> list[str]:
    """The names of the tests whose verdicts can be compared, in order.

    These are all that either side has; of a side whose time was over only those that it ran count.
    """
    names = inside.verdicts.keys() | outside.verdicts.keys()
    for side in (inside, outside):
        if side.cut:
            names &= side.verdicts.keys()
    return sorted(names)


def same_share(inside: Ran, outside: Ran) -> float:
    """Of the compared tests those with the same verdict on both sides; 0 of none."""
    names = compared(inside, outside)
    return 1 - len(differing(inside, outside)) / len(names) if names else 0.0


def differing(inside: Ran, outside: Ran) -> list[tuple[str, Verdict, Verdict]]:
    """The compared tests whose verdicts differ, with both, in the order of their names."""
    pairs = (
        (
            name,
            inside.verdicts.get(name, Verdict.MISSING),
            outside.verdicts.get(name, Verdict.MISSING),
        )
        for name in compared(inside, outside)
    )
    return [(name, one, other) for name, one, other in pairs if one is not other]


def junit_name(test: str) -> str:
    """What a JUnit report of pytest's calls the test with the node id ``test``: class and name, by ``::``."""
    path, bracket, parameters = test.partition("[")
    names = path.split("::")
    names[0] = re.sub(r"\.py$", "", names[0].replace("/", "."))
    names[-1] += bracket + parameters
    *classes, name = (_escaped(part) for part in names)
    return f"{'.'.join(classes)}::{name}"


def _escaped(text: str) -> str:
    """``text`` with what XML cannot hold written as pytest writes it."""
    return _ILLEGAL.sub(lambda found: f"#x{ord(found[0]):0{2 if ord(found[0]) <= 0xFF else 4}X}", text)


def read_junit(document: bytes) -> tuple[dict[str, Verdict], dict[str, str]]:
    """Verdicts and the messages of failures by name; of a report that ends too soon, what stood before."""
    reader = _Reader()
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    with suppress(expat.ExpatError, _RefusedError):
        parser.Parse(document, True)
    return collected(reader.found), reader.messages


class _RefusedError(Exception):
    """The document holds what no report needs."""


def _refuse(*_arguments: object) -> None:
    raise _RefusedError


class _Reader:
    """What the elements seen so far say."""

    def __init__(self) -> None:
        self.found: list[tuple[str, Verdict]] = []
        self.messages: dict[str, str] = {}
        self._name = ""
        self._verdict = Verdict.PASSED
        self._depth = 0

    def start(self, element: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _RefusedError
        if element == "testcase":
            self._name = f"{attributes.get('classname', '')}::{attributes.get('name', '')}"
            self._verdict = Verdict.PASSED
        elif element in {"failure", "error"}:
            self._verdict = Verdict.FAILED
            self.messages.setdefault(self._name, attributes.get("message", ""))
        elif element == "skipped":
            self._verdict = Verdict.SET_ASIDE

    def end(self, element: str) -> None:
        self._depth -= 1
        if element == "testcase":
            self.found.append((self._name, self._verdict))
