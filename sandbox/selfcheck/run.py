"""The harness: opens sandboxes, lets the checks attack them, and judges what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Self

from sandbox.base import Limits, Sandbox, SandboxProvider, SandboxSpec
from sandbox.errors import SandboxError
from sandbox.selfcheck.checks import CHECKS
from sandbox.selfcheck.gaps import gap_of
from sandbox.selfcheck.model import Check, CheckResult, Finding, Trial, Verdict
from sandbox.selfcheck.planted import Planted, planted

# Small enough that reaching a limit takes no time and costs the machine nothing.
MODEST_LIMITS = Limits(
    memory_mib=384, processes=48, open_files=128, disk_mib=24, file_mib=16, output_bytes=20_000
)


def run_checks(
    provider: SandboxProvider,
    spec: SandboxSpec,
    *,
    checks: Sequence[Check] = CHECKS,
    names: Collection[str] | None = None,
    notify: Callable[[CheckResult], None] = lambda _result: None,
) -> list[CheckResult]:
    """Run ``checks`` (all, or those in ``names``) inside sandboxes that ``provider`` opens as in ``spec``.

    One sandbox serves them all, as long as it lives. ``notify`` is told each result as it comes.

    Raises:
        SandboxError: no sandbox can be opened.
        ValueError: a name is none of a check.
    """
    unknown = sorted(set(names or ()) - {check.name for check in checks})
    if unknown:
        raise ValueError(f"no such check: {', '.join(unknown)}")
    results = []
    with planted() as plants, _Sandboxes(provider, spec, plants) as sandboxes:
        for check in checks:
            if names is None or check.name in names:
                results.append(_result(provider.name, check, sandboxes))
                notify(results[-1])
    return results


class _Sandboxes:
    """Keeps one sandbox open for the checks that share it; opens another when it was lost."""

    def __init__(self, provider: SandboxProvider, spec: SandboxSpec, plants: Planted) -> None:
        self._provider, self._spec, self._planted = provider, spec, plants
        self._open = ExitStack()
        self._shared: Sandbox | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._open.close()

    def attacked_by(self, check: Check) -> Finding:
        """What ``check`` finds; a sandbox that it broke is not used again."""
        if check.tight:
            spec = replace(self._spec, limits=replace(self._spec.limits, **check.tight))
            with self._provider.open(spec) as sandbox:
                return self._attack(check, sandbox, spec)
        if self._shared is None:
            self._shared = self._open.enter_context(self._provider.open(self._spec))
        finding = self._attack(check, self._shared, self._spec)
        if not finding.held:
            self._shared = None
            self._open.close()
        return finding

    def _attack(self, check: Check, sandbox: Sandbox, spec: SandboxSpec) -> Finding:
        try:
            return check.attack(Trial(sandbox=sandbox, spec=spec, planted=self._planted))
        except SandboxError as error:
            return Finding(held=False, evidence=str(error))


def _result(provider: str, check: Check, sandboxes: _Sandboxes) -> CheckResult:
    started = time.monotonic()
    finding = sandboxes.attacked_by(check)
    gap = gap_of(provider, check.name)
    verdict = Verdict.PASSED if finding.held else Verdict.FAILED
    return CheckResult(
        check=check.name,
        promise=check.promise,
        verdict=Verdict.GAP if gap else verdict,
        held=finding.held,
        evidence=finding.evidence,
        seconds=time.monotonic() - started,
        gap=f"{gap.reason} ({gap.where})" if gap else "",
    )
