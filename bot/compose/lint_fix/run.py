"""Fix by the tool, and prove it: the check failed and passes, and no passing test breaks."""

import ast
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.compose.lint_fix.lint_commands import LintCommand
from bot.compose.lint_fix.rewrite import rewrite
from bot.domain import Baseline
from bot.errors import PatchError
from bot.patch.apply import from_sources
from bot.patch.diff import unified_diff
from bot.patch.policy.files.protected import TESTS, is_test_path
from bot.patch.policy.gate import Policy, judge
from bot.patch.text import decode
from bot.ports import Progress
from bot.result import Evidence, Outcome, RepairResult
from sandbox.command import ShellCommand
from sandbox.errors import SandboxUnavailable
from sandbox.reports import TestReport
from sandbox.silenced import silenced
from sandbox.testing import SandboxTestbeds

MAX_FILES, MAX_LINES = 200, 20_000
REPEATS = 2
"""A tool is deterministic, and so is its check: twice shows that it changes nothing the second time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What fixing works with: testbeds with the project's test command, and the files that they hold.

    ``policy`` is what the patch may do; by default a person sees it, and imports of tests may change too.
    """

    testbeds: SandboxTestbeds
    files: Mapping[str, bytes]
    progress: Progress
    timeout_s: float
    policy: Policy | None = None
    clock: Callable[[], float] = time.monotonic


def fix(checks: Sequence[LintCommand], bench: Bench) -> RepairResult:
    """Fix what ``checks`` complain about.

    Raises:
        sandbox.errors.SandboxError: the sandbox failed.
    """
    started = bench.clock()
    text = " && ".join(one.text for one in checks)
    command = " && ".join(one.line(bench.testbeds.spec.python) for one in checks)
    beds = replace(bench.testbeds, command=ShellCommand(text=command))
    bench.progress.stage("reproduce", text)
    with beds.open() as bed:
        before = bed.run()
    if before.exit_status == 0:
        return RepairResult(outcome=Outcome.NOT_REPRODUCED, reason=f"the check passes here: {text}")
    try:
        bench.progress.stage("fix", text)
        changed = _rewritten(checks, bench)
    except PatchError as error:
        return RepairResult(outcome=Outcome.NO_PATCH, reason=str(error))
    sources = {path: decode(bench.files[path]) for path in changed}
    patch = from_sources(sources, {path: decode(new) for path, new in changed.items()})
    if objection := _objection(changed, bench.files, checks):
        return RepairResult(outcome=Outcome.NO_PATCH, reason=objection)
    policy = bench.policy or _for_a_person(changed, bench.files)
    judgement = judge(patch, {path: decode(data) for path, data in bench.files.items()}, policy)
    if judgement.refused:
        return RepairResult(outcome=Outcome.NO_PATCH, reason="; ".join(judgement.refused))
    bench.progress.stage("validate", "in a fresh sandbox")
    evidence, objection = _prove(command, changed, bench, beds)
    if evidence is None:
        return RepairResult(outcome=Outcome.NO_PATCH, reason=objection)
    seconds = bench.clock() - started
    return RepairResult(
        outcome=Outcome.PATCHED,
        reason="verified",
        baseline=Baseline(failing=tuple(replace(result, test=text) for result in before.failing), runs=1),
        patch=patch,
        diff=unified_diff(patch, sources),
        explanation=f"what {' and '.join(' '.join(one.fix[:2]) for one in checks)} changes",
        warnings=judgement.shown,
        witnesses=judgement.witnesses,
        evidence=replace(evidence, fail_to_pass=(text,), seconds=seconds),
        seconds=seconds,
    )


def _rewritten(checks: Sequence[LintCommand], bench: Bench) -> Mapping[str, bytes]:
    """The files that the tools of ``checks`` change, by path, with their new contents."""
    beds = bench.testbeds
    with beds.provider.open(beds.spec) as sandbox:
        sandbox.unpack(beds.snapshot.archive())
        return rewrite(
            sandbox,
            [one.fix for one in checks],
            python=beds.spec.python,
            files=bench.files,
            environment=beds.environment,
            timeout_s=bench.timeout_s,
        )


def _objection(
    changed: Mapping[str, bytes], files: Mapping[str, bytes], checks: Sequence[LintCommand]
) -> str:
    """Why the change is none that a tool may make; empty when it is one."""
    if not changed:
        return "the tool finds nothing that it can fix by itself"
    if all(one.keeps_meaning for one in checks):
        odd = next((path for path in changed if tree(files[path]) != tree(changed[path])), "")
        if odd:
            return f"the formatter changes what {odd} means, which a formatter must not"
    return ""


def _for_a_person(changed: Mapping[str, bytes], files: Mapping[str, bytes]) -> Policy:
    """What a patch may do that somebody sees before it is applied.

    A test file may be formatted, and its imports changed, for that keeps what it tests; nothing else may be
    done to one.
    """
    tests = [path for path in changed if is_test_path(path)]
    kept = all(
        tree(files[path], imports=False) == tree(changed[path], imports=False) is not None for path in tests
    )
    return Policy(
        max_files=MAX_FILES,
        max_changed_lines=MAX_LINES,
        max_changed_characters=120 * MAX_LINES,
        allow=TESTS if kept else (),
    )


def tree(data: bytes, *, imports: bool = True) -> str | None:
    """What a text means: its syntax tree, but for the form of docstrings, which formatters indent.

    None where it has none; without ``imports``, what it imports is left out.
    """
    try:
        with silenced():  # of what the project writes, such as an unknown escape
            parsed = ast.parse(data)
        for node in ast.walk(parsed):
            match node:
                case ast.Expr(value=ast.Constant(value=str() as text) as constant):
                    constant.value = " ".join(text.split())
                case ast.Module(body=body) if not imports:
                    node.body = [one for one in body if not isinstance(one, ast.Import | ast.ImportFrom)]
        return ast.dump(parsed)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _prove(
    command: str, changed: Mapping[str, bytes], bench: Bench, beds: SandboxTestbeds
) -> tuple[Evidence | None, str]:
    """The evidence, or why there is none."""
    with beds.open() as bed:
        for _ in range(REPEATS):
            if not bed.run(changes=changed).proves({command}):
                return None, "the tool cannot fix all that the check finds: it keeps failing"
    try:
        with bench.testbeds.open() as bed:
            before = _passed(bed.run())
            broken = sorted(before - _passed(bed.run(changes=changed))) if before else []
    except SandboxUnavailable as error:
        # A project may have nothing to test with; the evidence then says that no test was run.
        bench.progress.stage("validate", f"without tests: {error}")
        before, broken = frozenset(), []
    if broken:
        return None, f"the check passes, but the change broke passing tests: {', '.join(broken[:3])}"
    evidence = Evidence(
        fail_to_pass=(command,),
        pass_to_pass=tuple(sorted(before)),
        repeats=REPEATS,
        sandbox=beds.name,
        isolated=beds.isolated,
        seconds=0.0,
    )
    return evidence, ""


def _passed(report: TestReport) -> frozenset[str]:
    return frozenset(result.test for result in report.passing)
