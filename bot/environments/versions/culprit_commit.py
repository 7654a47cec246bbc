"""The commit that made tests fail: versions between a passing and a failing one are run in the sandbox.

Each version runs in the environment of the project as it is now. A test that the first version does not have
is taken, with its whole file, from the last version.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from bot.environments.versions.base_tree import of_commit
from bot.environments.versions.history import CommitRecord, first_failing, merged_commits
from bot.errors import ConfigurationError
from bot.ports import Progress
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.snapshot import Snapshot
from sandbox.testing import SandboxTestbeds

MAX_TESTS = 200
MAX_CULPRITS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CulpritCommit:
    """The first commit with which ``tests`` fail, seen by running it and the one before.

    With ``unclear`` commits before it the tests could not be judged: it may have been one of these.
    """

    commit: CommitRecord
    tests: tuple[str, ...]
    unclear: tuple[CommitRecord, ...] = ()

    @property
    def sentence(self) -> str:
        """What it means, for people."""
        number = "one test fails" if len(self.tests) == 1 else f"{len(self.tests)} tests fail"
        before = f", or one of {len(self.unclear)} before it that cannot be judged" if self.unclear else ""
        made = f"{self.commit.date} by {self.commit.author}" if self.commit.author else self.commit.date
        return f"{self.commit.id[:12]} ({self.commit.subject}; {made}): {number} from this commit on{before}"


@dataclass(frozen=True, kw_only=True)
class CommitVersions:
    """Runs tests on commits; ``beds`` hold the project as it is now.

    Nothing more is run once it ``is_late``. ``overlay`` are files that each commit gets.
    """

    project: Path
    beds: SandboxTestbeds
    progress: Progress
    is_late: Callable[[], bool] = bool
    overlay: Mapping[str, bytes] = field(default_factory=dict)
    known: dict[str, Mapping[str, TestResult]] = field(default_factory=dict)

    def with_files(self, files: Mapping[str, bytes]) -> "CommitVersions":
        """The same with ``files`` in each version; what was seen without them is forgotten."""
        return replace(self, overlay=files, known={})

    @property
    def runs(self) -> int:
        """How many versions were run."""
        return len(self.known)

    def snapshot(self, commit: str) -> Snapshot:
        """The files of ``commit``.

        Raises:
            ConfigurationError: they cannot be read.
        """
        tree = of_commit(self.project, commit, self.beds.snapshot)
        if not tree.whole:
            raise ConfigurationError(
                f"--commits: not all files of {commit[:12]} can be read: fetch them, or name later commits"
            )
        return replace(tree, files={**tree.files, **self.overlay}).laid_over(self.beds.snapshot)

    def report(self, commit: str, tests: Sequence[str] | None) -> TestReport:
        """A run of ``tests`` on ``commit``."""
        with replace(self.beds, snapshot=self.snapshot(commit)).open() as testbed:
            return testbed.run(tests=tests)

    def results(self, commit: CommitRecord, tests: Sequence[str]) -> Mapping[str, TestResult]:
        """How ``tests`` end on ``commit``; each commit is run once."""
        if commit.id not in self.known:
            if self.is_late():
                return {}
            self.progress.stage("commit", f"{commit.id[:12]} {commit.subject}")
            self.known[commit.id] = {one.test: one for one in self.report(commit.id, tests).results}
        return self.known[commit.id]


def culprit_commits(
    commits: Sequence[CommitRecord], versions: CommitVersions, failing: Sequence[TestResult]
) -> tuple[tuple[CulpritCommit, ...], CommitVersions, str]:
    """The commits that made ``failing`` fail, which they do with the last of ``commits``; why there are none.

    Raises:
        ConfigurationError: a version cannot be read.
        sandbox.errors.SandboxError: the sandbox failed.
    """
    names = [one.test for one in failing[:MAX_TESTS]]
    ended = {one.test: one for one in failing}
    before = versions.results(commits[0], names)
    left = [name for name in names if _passes(before.get(name), ended[name])]
    if not left and not any(name in before for name in names):
        # The tests are newer than the first version.
        versions = versions.with_files(_test_files(versions.snapshot(commits[-1].id).files, names))
        before = versions.results(commits[0], names)
        left = [name for name in names if _passes(before.get(name), ended[name])]
    if not left:
        return (), versions, f"none of the {len(names)} failing tests passes at {commits[0].id[:12]}"
    found: list[CulpritCommit] = []
    while left and len(found) < MAX_CULPRITS:
        one = _culprit(commits, versions, left, ended, names)
        found.append(one)
        left = [name for name in left if name not in one.tests]
    return tuple(found), versions, ""


def _culprit(
    commits: Sequence[CommitRecord],
    versions: CommitVersions,
    left: Sequence[str],
    ended: Mapping[str, TestResult],
    names: Sequence[str],
) -> CulpritCommit:
    """The commit for the first of ``left``, with all of them that changed there."""
    wanted = left[0]

    def judge(chain: Sequence[CommitRecord]) -> Callable[[int], bool | None]:
        return lambda place: _passes(versions.results(chain[place], names).get(wanted), ended[wanted])

    chain = commits
    while True:
        low, high = first_failing(len(chain), judge(chain))
        last, culprit = chain[low], chain[high]
        is_merge = len(culprit.parents) > 1 and high == low + 1
        branch = merged_commits(versions.project, culprit) if is_merge else ()
        # A merge that fails because of its branch: one of the branch's commits did it.
        if len(branch) < 2 or judge(branch)(0) is not True or judge(branch)(len(branch) - 1) is not False:
            break
        chain = branch
    earlier, later = (versions.results(one, names) for one in (last, culprit))
    together = [
        name
        for name in left
        if _passes(earlier.get(name), ended[name]) and _passes(later.get(name), ended[name]) is False
    ]
    tests = tuple(dict.fromkeys([wanted, *together]))
    return CulpritCommit(commit=culprit, tests=tests, unclear=tuple(chain[low + 1 : high]))


def _passes(result: TestResult | None, failing: TestResult) -> bool | None:
    """Whether the test passes; None where it is not there, or fails in another way than in the end."""
    if result is None:
        return None
    if result.status is TestStatus.PASSED:
        return True
    alike = (result.status, result.exception) == (failing.status, failing.exception)
    return False if alike else None


def _test_files(files: Mapping[str, bytes], tests: Sequence[str]) -> dict[str, bytes]:
    """The files that hold ``tests``, with the fixtures beside and above them."""
    paths = {test.partition("::")[0] for test in tests}
    beside = {str(above / "conftest.py") for path in paths for above in PurePosixPath(path).parents}
    return {path: data for path, data in files.items() if path in paths or path in beside}


def failing_tests(versions: CommitVersions, commit: str, named: Sequence[str]) -> tuple[TestResult, ...]:
    """The failing tests at ``commit``; those that a log ``named``, else all.

    Raises:
        ConfigurationError: the version cannot be read.
        sandbox.errors.SandboxError: the sandbox failed.
    """
    report = versions.report(commit, list(named) or None)
    again = [one.test for one in report.failing]
    if not again:
        return ()
    steady = {one.test for one in versions.report(commit, again[:MAX_TESTS]).failing}
    return tuple(one for one in report.failing if one.test in steady)
