"""The harness: opens sandboxes, lets the checks attack them, and judges what came out."""

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Self

from sandbox.base import Limits, Sandbox, SandboxOpener, SandboxSpec
from sandbox.errors import SandboxError
from sandbox.providers import KINDS
from sandbox.providers.kind import KnownGap, Traits
from sandbox.selfcheck import attacks, crossing
from sandbox.selfcheck.model import AttackResult, Check, CheckResult, CheckVerdict, Trial
from sandbox.selfcheck.planted import planted

# In the order in which they run. The bombs come last: what they leave behind cannot spoil another check.
CHECKS: tuple[Check, ...] = (*attacks.REACH, *crossing.CHECKS, *attacks.PRIVILEGES, *attacks.LIMITS)
# Small enough that reaching a limit takes no time and costs the machine nothing.
MODEST_LIMITS = Limits(
    memory_mib=384, processes=48, open_files=128, disk_mib=24, file_mib=16, output_bytes=20_000
)

_BUILDS = {f"{name} build": kind.build_traits for name, kind in KINDS.items() if kind.build_traits}
_TRAITS: Mapping[str, Traits] = {**{name: kind.traits for name, kind in KINDS.items()}, **_BUILDS}
BUILDS = tuple(_BUILDS)
# By provider and check. A gap is never reported as passed, whatever the attack did.
KNOWN_GAPS = {name: traits.gaps for name, traits in _TRAITS.items()}


def gap_of(provider: str, check: str) -> KnownGap | None:
    """The gap that ``provider`` has at ``check`` on this machine, if any."""
    gap = KNOWN_GAPS.get(provider, {}).get(check)
    return gap if gap is not None and gap.applies() else None


def run_checks(
    provider: SandboxOpener,
    spec: SandboxSpec,
    *,
    names: Collection[str] | None = None,
    notify: Callable[[CheckResult], None] = lambda _result: None,
) -> list[CheckResult]:
    """Run all checks, or those in ``names``, inside sandboxes that ``provider`` opens as in ``spec``.

    ``notify`` gets each result as it comes.

    Raises:
        SandboxError: no sandbox can be opened.
        ValueError: a name is none of a check.
    """
    unknown = sorted(set(names or ()) - {check.name for check in CHECKS})
    if unknown:
        raise ValueError(f"no such check: {', '.join(unknown)}")
    results = []
    with SelfCheck(provider, spec) as selfcheck:
        for check in CHECKS:
            if names is None or check.name in names:
                results.append(selfcheck.run(check))
                notify(results[-1])
    return results


class SelfCheck:
    """Runs checks one by one. They share a sandbox as long as it lives; another one is opened when needed."""

    def __init__(self, provider: SandboxOpener, spec: SandboxSpec) -> None:
        self._provider, self._spec = provider, spec
        self._plants, self._sandboxes = ExitStack(), ExitStack()
        self._shared: Sandbox | None = None

    def __enter__(self) -> Self:
        # Before any sandbox opens: a secret that was not there yet could not be handed down.
        self._planted = self._plants.enter_context(planted())
        return self

    def __exit__(self, *_exception: object) -> None:
        with self._plants, self._sandboxes:
            self._shared = None

    def run(self, check: Check) -> CheckResult:
        """Let ``check`` attack, and judge what came out.

        Raises:
            SandboxError: no sandbox can be opened.
        """
        started = time.monotonic()
        finding = self._alone(check) if check.tight else self._in_shared(check)
        gap = gap_of(self._provider.name, check.name)
        verdict = CheckVerdict.PASSED if finding.held else CheckVerdict.FAILED
        return CheckResult(
            check=check.name,
            promise=check.promise,
            verdict=CheckVerdict.GAP if gap else verdict,
            held=finding.held,
            evidence=finding.evidence,
            seconds=time.monotonic() - started,
            gap=str(gap) if gap else "",
        )

    def _alone(self, check: Check) -> AttackResult:
        spec = replace(self._spec, limits=replace(self._spec.limits, **check.tight))
        with self._provider.open(spec) as sandbox:
            return self._attack(check, sandbox, spec)

    def _in_shared(self, check: Check) -> AttackResult:
        if self._shared is None:
            self._shared = self._sandboxes.enter_context(self._provider.open(self._spec))
        finding = self._attack(check, self._shared, self._spec)
        if not finding.held:  # whatever got through may have broken more than its promise
            self._shared = None
            self._sandboxes.close()
        return finding

    def _attack(self, check: Check, sandbox: Sandbox, spec: SandboxSpec) -> AttackResult:
        try:
            traits = _TRAITS.get(self._provider.name, Traits())
            return check.attack(Trial(traits=traits, sandbox=sandbox, spec=spec, planted=self._planted))
        except SandboxError as error:
            return AttackResult(held=False, evidence=str(error))
