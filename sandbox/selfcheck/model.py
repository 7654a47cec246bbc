"""What a check is, what a trial gives it, and what comes out."""

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from sandbox.base import ExecResult, Limits, Sandbox, SandboxSpec
from sandbox.providers.kind import Traits
from sandbox.selfcheck.planted import Planted

_START = """\
import json, sys, types
def load(name, text):
    module = sys.modules["sent." + name] = types.ModuleType("sent." + name)
    module.__package__ = "sent"
    exec(compile(text, "<sent." + name + ">", "exec"), module.__dict__)
    return module
sys.modules["sent"] = types.ModuleType("sent")
sys.modules["sent"].__path__ = []
"""


@cache
def program(package: str, modules: Sequence[str], call: str) -> str:
    """A program that loads ``modules`` of ``package`` and then runs ``call``, with the last as ``module``."""
    directory = resources.files(package)
    texts = {name: directory.joinpath(f"{name}.py").read_text("utf-8") for name in modules}
    loads = [f"module = load({name!r}, {text!r})\n" for name, text in texts.items()]
    return f"{_START}{''.join(loads)}{call}\n"


TIMEOUT_S = 30.0


class CheckVerdict(StrEnum):
    """What is known after a check. A known gap is never ``PASSED``, whatever the attack did."""

    PASSED = "passed"
    FAILED = "failed"
    GAP = "gap"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackResult:
    """What an attack did: the promise ``held`` or not, and what shows it."""

    held: bool
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The verdict on one promise; ``held`` is what was seen, also where a gap was known."""

    check: str
    promise: str
    verdict: CheckVerdict
    held: bool
    evidence: str
    seconds: float
    gap: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """An open sandbox, the ``traits`` of its provider, and what was planted on the host to be found."""

    traits: Traits
    sandbox: Sandbox
    spec: SandboxSpec
    planted: Planted

    @property
    def limits(self) -> Limits:
        """The limits that the sandbox was opened with."""
        return self.spec.limits

    def python(
        self, code: str, *, timeout_s: float = TIMEOUT_S, changes: Mapping[str, bytes] | None = None
    ) -> ExecResult:
        """Run Python code inside, with the interpreter that the sandbox was made for."""
        return self.sandbox.exec([self.spec.python, "-c", code], timeout_s=timeout_s, changes=changes)

    def attack(self, module: str, function: str, **arguments: Any) -> AttackResult:  # noqa: ANN401 - JSON
        """Run one function of ``sandbox.selfcheck.hostile`` inside and judge its report.

        An attack that did not report is no proof of anything: the promise did not hold.
        """
        return judged(self.launch(module, function, **arguments))

    def launch(
        self,
        module: str,
        function: str,
        *,
        timeout_s: float = TIMEOUT_S,
        **arguments: Any,  # noqa: ANN401 - JSON
    ) -> ExecResult:
        """Run one function of ``sandbox.selfcheck.hostile`` inside; its report is the last line."""
        call = (
            f"tried, breaches = module.{function}(**json.loads({json.dumps(arguments)!r}))\n"
            'print("\\n" + json.dumps({"tried": tried, "breaches": breaches}))'
        )
        modules = ("attempts", module)
        return self.python(program("sandbox.selfcheck.hostile", modules, call), timeout_s=timeout_s)

    def answers(self) -> bool:
        """Whether the sandbox still works."""
        result = self.python("print(6 * 7)")
        return result.exit_status == 0 and result.stdout.strip() == b"42"


def judged(result: ExecResult) -> AttackResult:
    """The finding in an attack's report."""
    report = report_of(result)
    if report is None:
        how = "was killed at its deadline" if result.timed_out else f"ended with {result.exit_status}"
        last = result.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        return AttackResult(
            held=False, evidence=f"the attack did not report: it {how} {' '.join(last)}".strip()
        )
    breaches = [str(breach) for breach in report["breaches"]]
    if breaches:
        return AttackResult(held=False, evidence="; ".join(breaches))
    return AttackResult(held=True, evidence=f"tried: {', '.join(map(str, report['tried']))}")


def report_of(result: ExecResult) -> dict[str, Any] | None:
    """An attack's report, or None where there is none."""
    lines = result.stdout.decode("utf-8", "replace").strip().splitlines()
    try:
        report = json.loads(lines[-1])
        complete = isinstance(report["tried"], list) and isinstance(report["breaches"], list)
    except (IndexError, KeyError, TypeError, ValueError):
        return None
    return report if complete and report["tried"] and result.exit_status == 0 else None


Attack = Callable[[Trial], AttackResult]


def sent(module: str, function: str, **arguments: Any) -> Attack:  # noqa: ANN401 - JSON
    """The attack by one function of ``sandbox.selfcheck.hostile``, with ``arguments`` that are known now."""
    return lambda trial: trial.attack(module, function, **arguments)


@dataclass(frozen=True, slots=True)
class Check:
    """The attack on one promise, which ``promises.toml`` has by its name.

    ``tight`` are limits that the attack needs; it then gets a sandbox of its own.
    """

    name: str
    attack: Attack
    tight: Mapping[str, Any] = field(default_factory=dict)

    @property
    def promise(self) -> str:
        """What is promised, in a sentence."""
        return _promises()[self.name]


@cache
def _promises() -> Mapping[str, str]:
    return tomllib.loads(resources.files("sandbox.selfcheck").joinpath("promises.toml").read_text("utf-8"))
