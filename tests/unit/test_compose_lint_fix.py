"""Fixing by a tool: which checks are known, what may be changed, what is believed of a sandbox."""

import base64
import json
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from every_case import every_case
from fakes.progress import FakeClock, FakeProgress

from bot.compose.lint_fix.lint_commands import read_check
from bot.compose.lint_fix.rewrite import rewrite
from bot.compose.lint_fix.run import Bench, fix, tree
from bot.errors import PatchError
from bot.result import Outcome
from sandbox.base import ExecResult, SandboxSpec
from sandbox.errors import SandboxUnavailable
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.snapshot import Snapshot


def test_what_keeps_the_meaning_of_a_text():
    plain = b'def f():\n    """Say  hi.\n    more"""\n    return 1\n'
    assert tree(plain) == tree(b"def f( ):\n\t'''Say hi.\n\tmore'''\n\treturn 1")
    assert tree(plain) != tree(plain.replace(b"1", b"2"))
    assert tree(b"import os\nx = 1\n", imports=False) == tree(b"x = 1\n", imports=False)
    assert tree(b"import os\nx = 1\n") != tree(b"x = 1\n")
    assert tree(b"assert x\n", imports=False) != tree(b"pass\n", imports=False)
    assert tree(b"def f(:\n") is None
    assert tree(b"\0") is None
    assert tree(b"x = '\\d'\n") == tree(b'x = "\\d"\n')


class Answering:
    """A sandbox whose commands end as told."""

    def __init__(self, stdout, *, timed_out=False, truncated=False):
        self._done = ExecResult(
            exit_status=0,
            stdout=stdout,
            stderr=b"boom",
            seconds=0.1,
            timed_out=timed_out,
            truncated=truncated,
        )
        self.asked = []

    def exec(self, argv, **more):
        self.asked.append((tuple(argv), more))
        return self._done


FILES = {"a.py": b"x=1\n", "b.py": b"y = 1\n"}


def answer(changed=None, missing=()):
    texts = {path: base64.b64encode(text).decode() for path, text in (changed or {}).items()}
    return b"noise\n" + json.dumps({"changed": texts, "missing": list(missing)}).encode() + b"\n"


def ask(sandbox):
    return rewrite(sandbox, [("black", ".")], python="py", files=FILES, environment={"A": "1"}, timeout_s=9)


def test_what_the_tool_changed_comes_back_and_nothing_else():
    changed = {"a.py": b"x = 1\n", "b.py": FILES["b.py"], "new.py": b"", "../out.py": b"", "/etc/x": b""}
    sandbox = Answering(answer(changed))

    assert ask(sandbox) == {"a.py": b"x = 1\n"}
    ((argv, more),) = sandbox.asked
    assert (argv[0], json.loads(argv[3])) == ("py", [["black", "."]])
    assert more == {"timeout_s": 9, "environment": {"A": "1"}}


@every_case(
    ("sandbox", "said"),
    [
        (Answering(answer(missing=["black", "black"])), "^black is not in the environment"),
        (Answering(b"", timed_out=True), "did not finish within 9 s"),
        (Answering(answer({"a.py": b"x"}), truncated=True), "more than can be brought back"),
        (Answering(b""), "could not be run in the sandbox: boom"),
        (Answering(b"[]\n"), "could not be run"),
        (Answering(b'{"changed": 3, "missing": []}'), "could not be run"),
        (Answering(b'{"changed": {"a.py": "%%"}, "missing": []}'), "could not be run"),
        (Answering(b"\xff\xfe"), "could not be run"),
        (Answering(b"[" * 100_000), "could not be run"),
    ],
)
def test_what_is_wrong_with_an_answer(sandbox, said):
    with pytest.raises(PatchError, match=said):
        ask(sandbox)


@dataclass(frozen=True, kw_only=True)
class Beds:
    """Testbeds whose runs are told: by the check where a command is set, else by the project's tests."""

    answer: bytes
    checks: tuple[TestReport, ...]
    tests: tuple[TestReport, ...] | SandboxUnavailable = ()
    command: object = None
    spec: SandboxSpec = field(default_factory=lambda: SandboxSpec(python="py"))
    snapshot: Snapshot = field(default_factory=lambda: Snapshot(entries=()))
    environment: Mapping[str, str] = field(default_factory=dict)
    name, isolated = "fake", True
    used: list[int] = field(default_factory=list)

    @property
    def provider(self):
        return self

    @contextmanager
    def open(self, spec=None):
        if spec:
            yield SimpleNamespace(unpack=lambda archive: None, exec=Answering(self.answer).exec)
        elif self.command is None and isinstance(self.tests, SandboxUnavailable):
            raise self.tests
        else:
            yield self

    def run(self, changes=None):
        told = self.tests if self.command is None else self.checks
        # A fresh testbed goes on where the one before it ended.
        here = self.used.count(self.command is None)
        self.used.append(self.command is None)
        return told[here]


def report(*statuses, exit_status=None, names=("py -m black --check .",)):
    results = [TestResult(test=name, status=status) for name, status in zip(names, statuses, strict=True)]
    status = int(TestStatus.FAILED in statuses) if exit_status is None else exit_status
    return TestReport(results=tuple(results), exit_status=status, complete=True, seconds=0.1)


FAILING, PASSING = report(TestStatus.FAILED), report(TestStatus.PASSED)
BLACK = read_check("black --check .")
TIDY = {"a.py": b"x = 1\n"}


def suite(*statuses):
    return report(*statuses, names=tuple(f"t.py::{number}" for number, _ in enumerate(statuses)))


def fixed(beds):
    progress = FakeProgress()
    bench = Bench(testbeds=beds, files=FILES, progress=progress, timeout_s=9, clock=FakeClock(step=1.0))
    return fix([BLACK], bench), progress


def test_what_is_fixed_is_told_with_the_tests_that_still_pass():
    tests = suite(TestStatus.PASSED, TestStatus.FAILED)
    result, _ = fixed(Beds(answer=answer(TIDY), checks=(FAILING, PASSING, PASSING), tests=(tests, tests)))
    assert (result.outcome, result.evidence.pass_to_pass) == (Outcome.PATCHED, ("t.py::0",))
    assert result.diff.endswith("-x=1\n+x = 1\n")


def test_a_project_with_nothing_to_test_with_is_fixed_and_the_evidence_says_so():
    beds = Beds(
        answer=answer(TIDY), checks=(FAILING, PASSING, PASSING), tests=SandboxUnavailable("no pytest")
    )
    result, progress = fixed(beds)
    assert (result.outcome, result.evidence.pass_to_pass) == (Outcome.PATCHED, ())
    assert progress.stages[-1] == ("validate", "without tests: no pytest")


@every_case(
    ("beds", "said"),
    [
        (Beds(answer=answer(missing=["black"]), checks=(FAILING,)), "black is not in the environment"),
        (Beds(answer=answer(), checks=(FAILING,)), "finds nothing that it can fix by itself"),
        (Beds(answer=answer({"a.py": b"x = 2\n"}), checks=(FAILING,)), "changes what a.py means"),
        (Beds(answer=answer(TIDY), checks=(FAILING, FAILING)), "it keeps failing"),
        (Beds(answer=answer(TIDY), checks=(FAILING, PASSING, FAILING)), "it keeps failing"),
        (
            Beds(
                answer=answer(TIDY),
                checks=(FAILING, PASSING, PASSING),
                tests=(suite(*[TestStatus.PASSED] * 2), suite(TestStatus.PASSED, TestStatus.FAILED)),
            ),
            "broke passing tests: t.py::1",
        ),
    ],
)
def test_what_is_not_proved_is_not_delivered(beds, said):
    result, _ = fixed(beds)
    assert (result.outcome, result.diff, result.evidence) == (Outcome.NO_PATCH, "", None)
    assert said in result.reason
