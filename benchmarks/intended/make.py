"""Make cases of a library: a changed literal that its tests notice, with what a pull request brings beside.

Every other case is a fault: the same kind of change, and nothing in the pull request speaks of it.
"""

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from benchmarks.intended import pull_request
from benchmarks.intended.literals import Change, changes
from benchmarks.libraries.environment import Environment
from benchmarks.libraries.seeding import executed
from bot.patch.apply import apply
from bot.patch.policy.files.protected import is_plain_source
from bot.patch.text import decode, encode
from bot.search.difference.adapted import adapted
from bot.search.difference.expectation import expectation_of
from sandbox.lasting import LastingTestbed
from sandbox.reports import TestReport, TestStatus

INTENDED = ("other tests", "changelog", "new test", "commit message", "docstring", "other tests")
FAULTS = ("new test", "changelog", "commit message", "another value said", "another change")
MAX_TRIED, MAX_TRACED, MAX_NEAR, MAX_BROKEN, MAX_PARAMETERS = 120, 400, 60, 12, 100
MAX_SECONDS = 180
ROUNDS = 4
READ = (".py", ".md", ".rst", ".txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A pull request: whole new ``files`` by path over the library, and the ``message`` of its commit.

    ``failing`` are untouched tests that passed before and fail with it.
    """

    name: str
    library: str
    intended: bool
    kind: str
    beside: str
    path: str
    message: str
    files: Mapping[str, str]
    failing: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A ``change`` with the tests that it has ``broken``, and what may come ``beside`` it.

    ``others`` are changes of which nothing was made yet, ``names`` those of all passing tests.
    """

    bed: LastingTestbed
    beside: str
    change: Change
    broken: Sequence[str]
    others: Sequence[tuple[Change, list[str]]]
    names: Sequence[str]
    dice: random.Random


@dataclass(slots=True, kw_only=True)
class Maker:
    """Makes the cases of ``library`` in ``environment``."""

    library: str
    environment: Environment
    count: int
    seed: str
    say: Callable[[str], None]
    _texts: dict[str, str] = field(default_factory=dict)

    def cases(self) -> Iterator[Case]:
        """So many cases, intended ones and faults in turn, as far as they are found.

        Raises:
            sandbox.errors.SandboxError: the sandbox failed.
        """
        files = self.environment.snapshot.files
        self._texts = {path: decode(data) for path, data in files.items() if path.endswith(READ)}
        dice = random.Random(self.seed)  # noqa: S311 - a sample, not a secret
        with self.environment.beds.open() as bed:
            names = sorted(one.test for one in bed.run().passing)
            chosen = sorted(dice.sample(names, min(MAX_TRACED, len(names))))
            lines = executed(bed.run(tests=chosen, trace=True), self.environment.snapshot)
            paths = frozenset(path for path in lines if is_plain_source(path) and path in self._texts)
            made, waiting = 0, list[tuple[Change, list[str]]]()
            end = time.monotonic() + MAX_SECONDS
            for tried, change in enumerate(changes(files, paths, seed=self.seed)):
                if tried == MAX_TRIED or time.monotonic() > end:
                    return
                near = _near(change, lines[change.path])
                if not near or not (broken := self._broken(bed, change, near, frozenset(names))):
                    continue
                waiting.append((change, broken))
                while waiting and (case := self._case(bed, made, waiting, names, dice)):
                    made += 1
                    self.say(f"{self.library}: {made} of {self.count}, {tried + 1} changes tried")
                    yield case
                    if made == self.count:
                        return

    def _broken(
        self, bed: LastingTestbed, change: Change, near: Sequence[str], passing: frozenset[str]
    ) -> list[str]:
        """The tests that fail with ``change``; none where these are none, too many, or no assertions."""
        laid = {change.path: change.apply(self.environment.snapshot.files[change.path])}
        if not any(one.status is TestStatus.FAILED for one in bed.run(tests=near, changes=laid).results):
            return []
        report = bed.run(changes=laid)
        found = sorted(one.test for one in report.failing if one.test in passing)
        asserting = any(
            one.exception == "AssertionError" or "Failed" in one.exception for one in report.failing
        )
        whole = len(report.results) >= len(passing)
        few = len({one.partition("[")[0] for one in found}) <= MAX_BROKEN and len(found) <= MAX_PARAMETERS
        return found if whole and asserting and few else []

    def _case(
        self,
        bed: LastingTestbed,
        number: int,
        waiting: list[tuple[Change, list[str]]],
        names: Sequence[str],
        dice: random.Random,
    ) -> Case | None:
        intended = number % 2 == 0
        kinds = INTENDED if intended else FAULTS
        beside = kinds[(number // 2 + dice.randrange(2)) % len(kinds)]
        make = self._intended if intended else self._fault
        for place, (change, broken) in enumerate(waiting):
            others = [one for index, one in enumerate(waiting) if index != place]
            drawn = _Drawn(bed, beside, change, broken, others, names, dice)
            made = make(drawn)
            if made is None:
                continue
            message, files = made
            laid = {path: encode(text) for path, text in files.items()}
            failing = [one.test for one in bed.run(tests=broken, changes=laid).failing]
            if not failing:
                continue
            del waiting[place]
            return Case(
                name=f"{self.library}/{number:02d}",
                library=self.library,
                intended=intended,
                kind=change.kind,
                beside=beside,
                path=change.path,
                message=message,
                files=files,
                failing=failing,
            )
        return None

    def _intended(self, drawn: _Drawn) -> tuple[str, dict[str, str]] | None:
        change = drawn.change
        files = {change.path: self._changed(change)}
        line, title = pull_request.said(change, variant=drawn.dice.randrange(3)), pull_request.vague(change)
        if drawn.beside == "changelog":
            logged = pull_request.with_changelog(self._texts, line)
            return (title, {**files, logged[0]: logged[1]}) if logged else None
        if drawn.beside == "docstring":
            text = pull_request.with_docstring(files[change.path], change, line)
            return (title, {change.path: text}) if text else None
        if drawn.beside == "commit message":
            return f"{title}\n\n{line}.\n", files
        if drawn.beside == "new test":
            one = drawn.dice.choice(sorted(drawn.broken))
            copied = pull_request.with_copy(self._texts.get(one.partition("::")[0], ""), one, "_anew")
            if copied is None:
                return None
            laid = {**files, one.partition("::")[0]: copied[0]}
            done = self._adapted(drawn.bed, laid, [copied[1]], change)
            return (title, done) if done else None
        functions = sorted({one.partition("[")[0] for one in drawn.broken})
        left = drawn.dice.choice(functions)
        done = self._adapted(drawn.bed, files, [one for one in functions if one != left], change)
        return (title, done) if done and done.keys() != files.keys() else None

    def _fault(self, drawn: _Drawn) -> tuple[str, dict[str, str]] | None:
        change = drawn.change
        files = {change.path: self._changed(change)}
        title = drawn.dice.choice(pull_request.BESIDE).format(change.subject.rpartition(" ")[2])
        if drawn.beside == "changelog":
            logged = pull_request.with_changelog(self._texts, title)
            return (title, {**files, logged[0]: logged[1]}) if logged else None
        if drawn.beside == "commit message":
            return title, files
        if drawn.beside == "another value said":
            new = re.sub(r"\d+", r"\g<0>1", change.new)
            new = new if new != change.new else f"{change.new[:1]}{change.new}"
            line = pull_request.said(change, new=new, variant=drawn.dice.randrange(3))
            logged = pull_request.with_changelog(self._texts, line)
            return f"{pull_request.vague(change)}\n\n{line}.\n", {**files, **dict([logged] if logged else [])}
        if drawn.beside == "new test":
            path = drawn.broken[0].partition("::")[0]
            same = [one for one in drawn.names if one.partition("::")[0] == path and one not in drawn.broken]
            one = drawn.dice.choice(same) if same else ""
            copied = pull_request.with_copy(self._texts.get(path, ""), one, "_again") if one else None
            return (title, {**files, path: copied[0]}) if copied else None
        for other, failing in drawn.others:
            apart = other.end < change.start or change.end < other.start or other.path != change.path
            if not apart or set(failing) & set(drawn.broken):
                continue
            laid = {**files, other.path: self._changed(change, other)}
            functions = sorted({one.partition("[")[0] for one in failing})
            done = self._adapted(drawn.bed, laid, functions, other)
            if done and not self._run(drawn.bed, done, *failing).failing:
                return pull_request.vague(other), done
        return None

    def _changed(self, *changed: Change) -> str:
        """The text of the last one's file with all of them that are in it."""
        path = changed[-1].path
        text = self._texts[path]
        for one in sorted(changed, key=lambda one: -one.start):
            if one.path == path:
                text = text[: one.start] + one.new + text[one.end :]
        return text

    @staticmethod
    def _run(bed: LastingTestbed, files: Mapping[str, str], *tests: str) -> TestReport:
        return bed.run(tests=tests, changes={path: encode(text) for path, text in files.items()})

    def _adapted(
        self, bed: LastingTestbed, files: Mapping[str, str], tests: Sequence[str], change: Change
    ) -> dict[str, str] | None:
        """``files`` with those of ``tests`` adapted that can be; None where none can."""
        done = dict(files)
        for test in tests:
            made = self._adapted_one(bed, done, test, change)
            done = made or done
        return done if done != files else None

    def _adapted_one(
        self, bed: LastingTestbed, files: Mapping[str, str], test: str, change: Change
    ) -> dict[str, str] | None:
        path = test.partition("::")[0]
        before = {**self._texts, **files}
        if path not in before:
            return None
        if (text := pull_request.exchanged(before[path], test, change)) is not None:
            changed = {**files, path: text}
            if _passes(self._run(bed, changed, test)):
                return changed
        changed = dict(files)
        for _ in range(ROUNDS):
            report = self._run(bed, changed, test)
            if _passes(report):
                return changed
            texts = {**self._texts, **changed}
            wanted = [expectation_of(one, texts) for one in report.failing]
            patch = adapted([one for one in wanted if one], texts)
            if patch is None:
                return None
            changed |= apply(patch, texts)
        return None


def _passes(report: TestReport) -> bool:
    return bool(report.passing) and not report.failing


def _near(change: Change, lines: Mapping[int, Sequence[str]]) -> list[str]:
    """The tests that execute a line of the function, the most particular lines first."""
    own = [tests for line, tests in lines.items() if change.first < line <= change.last]
    own.sort(key=len)
    return list(dict.fromkeys(test for tests in own for test in tests))[:MAX_NEAR]


def as_edits(case: Case, texts: Mapping[str, str]) -> dict[str, object]:
    """``case`` as plain data, without the library's source: of each file what is replaced by what."""
    from benchmarks.seeded.mutants import changed_span

    edits = [[path, *changed_span(texts[path], text)] for path, text in sorted(case.files.items())]
    return {**asdict(case), "files": None, "edits": edits}
