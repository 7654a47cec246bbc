"""The commits that made tests fail, whatever each version makes of the tests."""

from dataclasses import dataclass, field

import pytest
from chooser_support import report, result
from every_case import every_case
from fakes.progress import FakeProgress
from fakes.testbed import FakeTestbeds, ScriptedTestbed

from bot.environments.versions import culprit_commit as module
from bot.environments.versions.culprit_commit import CommitVersions, culprit_commits, failing_tests
from bot.environments.versions.history import CommitRecord
from bot.errors import ConfigurationError
from sandbox.reports import TestStatus
from sandbox.snapshot import Entry, Snapshot

ONE, TWO = "t.py::one", "t.py::two"


def record(number, *parents):
    made = parents or (f"{number - 1:040}",)
    return CommitRecord(
        id=f"{number:040}", parents=made, subject=f"number {number}", author="Ann", date="2026-01-02"
    )


def failed(test, exception="AssertionError"):
    return result(test, TestStatus.FAILED, exception=exception)


BREAKS_AT_SIX = {n: [result(ONE) if n < 6 else failed(ONE)] for n in range(10)}


@dataclass(frozen=True, kw_only=True)
class ScriptedVersions(CommitVersions):
    """Versions whose tests end as ``endings`` says for each commit's number."""

    endings: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)

    def report(self, commit, tests):
        self.asked.append(int(commit))
        found = self.endings[int(commit)]
        results = found(self.overlay) if callable(found) else found
        return report(*results)

    def snapshot(self, commit):
        return Snapshot(
            entries=(Entry(path="t.py", data=b"t"), Entry(path="conftest.py"), Entry(path="m.py"))
        )


def scripted(endings, **more):
    return ScriptedVersions(project=None, beds=None, progress=FakeProgress(), endings=endings, **more)


def found(endings, failing=(ONE,), **more):
    commits = [record(number) for number in sorted(endings)]
    versions = scripted(endings, **more)
    culprits, after, reason = culprit_commits(commits, versions, [failed(one) for one in failing])
    return (
        [(int(one.commit.id), one.tests, [int(c.id) for c in one.unclear]) for one in culprits],
        after,
        reason,
    )


def test_the_first_commit_with_which_a_test_fails():
    culprits, versions, reason = found(BREAKS_AT_SIX)
    assert (culprits, reason) == ([(6, (ONE,), [])], "")
    assert versions.runs <= 5


def test_tests_that_broke_at_different_commits_have_one_each():
    endings = {
        n: [result(ONE) if n < 3 else failed(ONE), result(TWO) if n < 7 else failed(TWO)] for n in range(10)
    }
    assert found(endings, (ONE, TWO))[0] == [(3, (ONE,), []), (7, (TWO,), [])]
    together = {n: [result(t) if n < 3 else failed(t) for t in (ONE, TWO)] for n in range(10)}
    assert found(together, (ONE, TWO))[0] == [(3, (ONE, TWO), [])]


@every_case("other", [[], [failed(ONE, "ImportError")], [result(ONE, TestStatus.SKIPPED)]])
def test_a_version_that_ends_otherwise_is_not_judged(other):
    endings = {n: [result(ONE)] if n < 4 else other if n < 6 else [failed(ONE)] for n in range(9)}
    assert found(endings)[0] == [(6, (ONE,), [4, 5])]


def test_a_test_newer_than_the_first_version_is_laid_over():
    def ending(number):
        return lambda overlay: [result(ONE) if number < 2 else failed(ONE)] if overlay else []

    culprits, versions, _ = found({n: ending(n) for n in range(5)})
    assert culprits == [(2, (ONE,), [])]
    assert sorted(versions.overlay) == ["conftest.py", "t.py"]


def test_what_failed_at_the_first_version_has_no_culprit():
    culprits, _, reason = found({n: [failed(ONE)] for n in range(4)})
    assert (culprits, reason) == ([], f"none of the 1 failing tests passes at {0:012}")


def test_when_the_time_is_over_the_rest_is_unclear():
    asked = []
    culprits, _, _ = found(BREAKS_AT_SIX, is_late=lambda: len(asked) >= 1 or asked.append(0) is not None)
    assert culprits == [(9, (ONE,), list(range(1, 9)))]


def test_a_merge_is_followed_into_its_branch(monkeypatch):
    merge = record(5, f"{4:040}", f"{23:040}")
    commits = [record(3), record(4), merge]
    branch = [record(3), record(21), record(22), record(23)]
    monkeypatch.setattr(module, "merged_commits", lambda _project, one: branch if one is merge else ())
    endings = {n: [result(ONE)] for n in (3, 4, 21)} | {n: [failed(ONE)] for n in (5, 22, 23)}
    culprits, _, _ = culprit_commits(commits, scripted(endings), [failed(ONE)])
    assert [int(one.commit.id) for one in culprits] == [22]
    # Where the branch passes by itself, it is the merge.
    endings |= {n: [result(ONE)] for n in (22, 23)}
    culprits, _, _ = culprit_commits(commits, scripted(endings), [failed(ONE)])
    assert [int(one.commit.id) for one in culprits] == [5]


def test_what_fails_once_only_is_no_failing_test():
    reports = [[failed(ONE), failed(TWO), result("t.py::three")], [failed(TWO), result(ONE)]]
    versions = scripted({1: lambda _overlay: reports.pop(0)})
    assert [one.test for one in failing_tests(versions, "1", ())] == [TWO]
    assert failing_tests(scripted({1: [result(ONE)]}), "1", ()) == ()


def test_a_version_that_cannot_be_read_is_one_sentence(tmp_path):
    (tmp_path / ".git").mkdir()
    beds = FakeTestbeds(lambda _number: ScriptedTestbed())
    beds.snapshot = Snapshot(entries=())
    versions = CommitVersions(project=tmp_path, beds=beds, progress=FakeProgress())
    with pytest.raises(ConfigurationError, match="not all files of 000000000000 can be read"):
        versions.snapshot("0" * 40)


def test_the_sentence_names_the_commit_and_what_is_unclear():
    endings = {n: [result(ONE)] if n < 4 else [] if n < 6 else [failed(ONE)] for n in range(9)}
    commits = [record(number) for number in sorted(endings)]
    culprits, _, _ = culprit_commits(commits, scripted(endings), [failed(ONE)])
    assert culprits[0].sentence == (
        "000000000000 (number 6; 2026-01-02 by Ann): one test fails from this commit on, "
        "or one of 2 before it that cannot be judged"
    )
