"""What a person sees in the terminal: progress while it runs, the evidence at the end.

Everything here goes to standard error, so that standard output holds the diff and nothing else. Names of
tests and messages come from untrusted code: they are shown as text, without markup or control characters.
"""

import time
from typing import Self

from rich.console import Console
from rich.status import Status
from rich.table import Table
from rich.text import Text

from bot.result import Choice, Evidence, Outcome, RepairResult

LISTED = 5
CLOSEST = 3
ADAPTED = "the diff changes what tests expect, and no code; read it before you apply it with 'git apply'"
NOT_ADAPTED = (
    "'fix-tests: print' in a configuration file prints the new values where the tests pass with them"
)


def plain(text: str, limit: int = 200) -> str:
    """``text`` on one line without control characters, shortened."""
    line = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


class ConsoleProgress:
    """``ports.Progress`` on a terminal; silent elsewhere unless ``verbose``."""

    def __init__(self, console: Console, *, verbose: bool) -> None:
        self._console = console
        self._verbose = verbose
        self._status: Status | None = None
        self._stage = ""
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._status = self._console.status("starting")
            self._status.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._status:
            self._status.stop()

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""
        text = f"{name}: {plain(detail)}" if detail else name
        if self._verbose and text != self._stage:
            seconds = time.monotonic() - self._started
            self._console.print(Text(f"{seconds:6.1f} s  {text}"), highlight=False, soft_wrap=True)
        self._stage = text
        if self._status:
            self._status.update(Text(text))

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """See ``ports.Progress``."""
        if self._status:
            tried = () if attempts is None else (f"{attempts} tried",)
            self._status.update(Text(" · ".join((self._stage, *tried, plain(detail, 60)))))


def show_result(console: Console, result: RepairResult) -> None:
    """The evidence of a patch, or the reason why there is none."""
    if result.outcome is Outcome.PATCHED:
        console.print(_evidence(result))
        return
    console.print(Text(f"no patch ({result.outcome.value}): {plain(result.reason, 500)}"), soft_wrap=True)
    if result.outdated:
        console.print(Text(ADAPTED if result.adapted else NOT_ADAPTED), soft_wrap=True)
    if result.environment:
        console.print(Text(f"environment: {plain(result.environment)}"), soft_wrap=True)
    if result.baseline.compared:
        console.print(Text(f"before this change: {result.baseline.compared}"), soft_wrap=True)
    if result.baseline.apart:
        console.print(Text(f"set apart: {_apart(result)}"), soft_wrap=True)
    if result.culprit:
        console.print(Text(f"culprit: {plain(result.culprit.sentence, 500)}"), soft_wrap=True)
    closest = result.partials[:CLOSEST] or ([result.best_partial] if result.best_partial else [])
    for partial in closest:
        gain = partial.gain or f"repairs {len(partial.fixed)} of {len(result.baseline.failing)} tests"
        change = plain(partial.candidate.explanation)
        console.print(Text(f"closest: {change} ({plain(gain)})"), soft_wrap=True)
    if result.ruled_out.operators and result.attempts > 1:
        console.print(Text(_ruled_out(result)), soft_wrap=True)
    if result.suspicions and result.attempts:
        lines = ", ".join(f"{s.path}:{s.line}" for s in result.suspicions[:LISTED])
        console.print(Text(f"most suspicious: {plain(lines)}"))


def _evidence(result: RepairResult) -> Table:
    evidence = result.evidence
    assert evidence is not None
    sure = not evidence.doubts
    title, style = ("Verified", "green") if sure else ("A hint: the tests pass, with doubts", "yellow")
    table = Table(title=title, title_justify="left", show_header=False, title_style=f"bold {style}")
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    before = _listed([failure.test for failure in result.baseline.failing])
    table.add_row("failed before", Text(f"{before}\n(each of {result.baseline.runs} runs)"))
    if result.baseline.compared:
        table.add_row("before this change", Text(result.baseline.compared))
    table.add_row("pass now", Text(f"all {len(evidence.fail_to_pass)}, each of {evidence.repeats} runs"))
    table.add_row("still pass", Text(_still_pass(evidence)))
    if evidence.controls or evidence.uncontrolled:
        table.add_row("control tests", Text(_controls(evidence)))
    if result.baseline.flaky:
        table.add_row("flaky, ignored", Text(_listed([test for test, _ in result.baseline.flaky])))
    if result.baseline.apart:
        table.add_row("set apart", Text(_apart(result)))
    if result.culprit:
        table.add_row("culprit", Text(plain(result.culprit.sentence, 500)))
    table.add_row("change", Text(plain(result.explanation)))
    if result.warnings:
        why = "the policy cannot confirm that this is harmless, so it is only shown"
        table.add_row("read it first", Text(f"{why}:\n{_listed(list(result.warnings))}"))
    table.add_row("confidence", Text(_confidence(evidence)))
    table.add_row("candidates tried", Text(_candidates(result)))
    boundary = "" if evidence.isolated else " (no security boundary)"
    if result.choice and result.alternatives:
        table.add_row("the choice", Text(_choice(result.choice)))
    if result.environment:
        table.add_row("environment", Text(plain(result.environment)))
    table.add_row("sandbox", Text(f"{evidence.sandbox}{boundary}; the proof ran in a fresh one"))
    if result.usage.calls:
        tokens = f"{result.usage.prompt_tokens} + {result.usage.completion_tokens}"
        table.add_row("model", Text(f"{result.usage.calls} calls, {tokens} tokens"))
    table.add_row("time", Text(f"{result.seconds:.1f} s"))
    return table


def _confidence(evidence: Evidence) -> str:
    if not evidence.doubts:
        return "high: nothing speaks against it"
    return "\n".join(["low, it may not be the right change:", *map(plain, evidence.doubts[:LISTED])])


def _apart(result: RepairResult) -> str:
    """The tests that count neither for nor against a patch, by their reasons."""
    reasons: dict[str, list[str]] = {}
    for test, reason in result.baseline.apart:
        reasons.setdefault(reason, []).append(test)
    shown = list(reasons.items())[:LISTED]
    lines = []
    for reason, tests in shown:
        more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
        lines.append(f"{plain(tests[0])}{more}: {plain(reason)}")
    rest = len(reasons) - len(shown)
    return "\n".join([*lines, *([f"and {rest} more reasons"] if rest else [])])


def _still_pass(evidence: Evidence) -> str:
    text = f"{len(evidence.pass_to_pass)} tests"
    if evidence.of_change:
        text += f" (this change added or changed {len(evidence.of_change)} of the tests)"
    if evidence.left_out:
        text += f", {len(evidence.covering)} of them known to run the changed lines"
        text += f"\n{len(evidence.left_out)} were skipped because time was short"
    if evidence.unseen:
        ran = len(evidence.fail_to_pass) + len(evidence.pass_to_pass) + len(evidence.left_out)
        text += f"\na sample: {ran} of {ran + evidence.unseen} tests ran before, because time was short"
    return text


def _controls(evidence: Evidence) -> str:
    count = len(evidence.controls)
    lines = [f"{count} altered {'test' if count == 1 else 'tests'} failed as required"] if count else []
    for test, reason in evidence.uncontrolled[:LISTED]:
        lines.append(f"none for {plain(test)}: {reason}")
    rest = len(evidence.uncontrolled) - LISTED
    return "\n".join([*lines, *([f"and none for {rest} more"] if rest > 0 else [])])


def _candidates(result: RepairResult) -> str:
    if not result.alternatives:
        return str(result.attempts)
    noun = "alternative" if result.alternatives == 1 else "alternatives"
    return f"{result.attempts} ({result.alternatives} plausible {noun}, set aside)"


def _choice(choice: Choice) -> str:
    """What it rests on; where alternatives differ; and a warning where another might as well be right."""
    lines = [plain(choice.reason, 300)]
    lines += [
        f"{plain(difference.call, 80)}: here {plain(difference.chosen, 60)}, "
        f"an alternative {plain(difference.other, 60)} ({plain(difference.alternative, 80)})"
        for difference in choice.differences
    ]
    if choice.ambiguous:
        lines.append("another patch may be the right one: please compare")
    return "\n".join(lines)


def _ruled_out(result: RepairResult) -> str:
    """What was tried in vain, in a line."""
    found = result.ruled_out
    most = ", ".join(f"{plain(name, 40)} ({count})" for name, count in found.operators[:LISTED])
    same = f"; {found.unchanged} behaved as the unchanged program does" if found.unchanged else ""
    return f"ruled out: {result.attempts} candidates, most of them {most}{same}"


def _listed(names: list[str]) -> str:
    more = f"\nand {len(names) - LISTED} more" if len(names) > LISTED else ""
    return "\n".join(plain(name) for name in names[:LISTED]) + more
