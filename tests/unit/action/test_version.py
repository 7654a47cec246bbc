"""On which files the tests run: the head's, or those of its merge with the base where CI tested that."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from every_case import every_case
from fakes.action import RECENT, REPOSITORY, RIGHT, SHOP, job_log, shop
from fakes.github import Executable, Fault, Link, serve
from fakes.github.merges import merge_sha
from fakes.github.routes_repository import tarball
from fakes.progress import FakeProgress

from bot.action.logs import JobLog
from bot.action.subject import Subject
from bot.action.version import Versions
from bot.environments.versions.checkout import OLD, time_limit
from bot.errors import GitHubError
from bot.github.client import connect
from bot.github.retry import Waits

BASE = {"shop/rates.py": b"RATE = 19\n", "README.md": b"# The shop\n"}
CHECKED_OUT_HEAD = "[command]/usr/bin/git checkout --progress --force " + "c" * 40 + "\n"


@pytest.fixture
def here(tmp_path):
    """A failing pull request onto a base that went on since, and the versions of it."""
    with serve() as server:
        place = shop(server)
        server.world.push(place.repository, "main", BASE)
        waits = Waits(sleep=lambda _: None)
        token = server.world.actions_token()
        with connect(repository=REPOSITORY, token=token, api_url=server.url, waits=waits) as github:
            yield SimpleNamespace(
                server=server, place=place, github=github, progress=FakeProgress(), directory=tmp_path
            )


def versions(here, *, now=RECENT):
    pull = here.github.pull(1)
    subject = Subject(pull=pull, head_sha=pull.head_sha, head_ref=pull.head_ref, config_ref="main")
    return Versions(subject=subject, github=here.github, progress=here.progress, now=lambda: now)


def log(here, *, text="", **run):
    path = here.directory / "job.log"
    path.write_bytes(job_log(text))
    found = replace(here.github.run(here.place.run.id), **run)
    return JobLog(run=found, job=None, path=path, answer=None)


def test_what_a_pull_requests_run_tested_is_its_merge_with_the_base(here):
    found = versions(here).tested_by(log(here))
    assert found.snapshot.files["shop/rates.py"] == b"RATE = 19\n"
    assert b"net - tax" in found.snapshot.files["shop/prices.py"]
    assert found.frozen == ("README.md", "shop/rates.py")
    base = here.place.repository.branch_head("main")
    where = f"the merge with the base `main` at `{base[:12]}`, as CI does"
    assert found.note == f"the tests ran on {where}; 2 files differ from the head and were left alone"


def test_where_the_base_has_nothing_new_the_heads_files_are_the_merges(here):
    here.server.world.push(
        here.place.repository, "main", {"shop/rates.py": None, "README.md": SHOP["README.md"]}
    )
    every = versions(here)
    assert every.tested_by(log(here)) == every.head
    assert every.head.note == ""
    assert len(here.server.seen("GET", "/tarball/")) == 1


@pytest.mark.parametrize(
    ("text", "run"),
    [
        (CHECKED_OUT_HEAD, {}),
        *(("", {"event": event}) for event in ("push", "schedule", "pull_request_target", "merge_group")),
        ("", {"head_sha": "d" * 40}),
    ],
)
def test_any_other_job_tested_the_head(here, text, run):
    every = versions(here)
    found = every.tested_by(log(here, text=text, **run))
    assert found is every.head
    assert (found.frozen, found.note) == ((), "")
    assert "shop/rates.py" not in found.snapshot.files


def test_without_a_log_or_a_pull_request_it_is_the_head(here):
    every = versions(here)
    assert every.tested_by(None) is every.head
    branch = replace(every, subject=replace(every.subject, pull=None))
    assert branch.tested_by(log(here)) is branch.head


def test_each_version_is_fetched_once(here):
    every = versions(here)
    first = every.tested_by(log(here))
    assert every.tested_by(log(here)) is first
    assert every.tested_by(None) is every.head
    assert len(here.server.seen("GET", "/tarball/")) == 2


def test_every_way_in_which_the_head_has_something_else_is_frozen(here):
    world, repository = here.server.world, here.place.repository
    start = {"mode.sh": b"x", "link.py": b"y = 1\n", "old.py": b"1\n", "same.py": b"1\n"}
    world.push(repository, "main", start)
    world.push(repository, "feature", start)
    changed = {"mode.sh": Executable(b"x"), "link.py": Link("mode.sh"), "old.py": None}
    world.push(repository, "main", changed)
    here.place.run.head_sha = here.place.head
    # The stand-in knows merges of whole files: this is what git would make of the two.
    objects = repository.objects
    base = repository.branch_head("main")
    files = objects.at(base) | {"shop/prices.py": objects.at(here.place.head)["shop/prices.py"]}
    here.place.pull.pull.merge_sha = merge_of(here, files, base, here.place.head)
    found = versions(here).tested_by(log(here))
    assert found.frozen == ("README.md", "link.py", "mode.sh", "old.py", "shop/rates.py")


def merge_of(here, files, *parents):
    objects = here.place.repository.objects
    who = objects.commits[here.place.head].author
    return objects.commit(tree=objects.tree_of(files), parents=parents, message="Merge", author=who)


def conflict(here):
    here.server.world.push(here.place.repository, "main", {"shop/prices.py": RIGHT + b"# ours\n"})


def pull_with(name, value):
    return lambda here: setattr(here.place.pull.pull, name, value)


def parents(*wanted):
    def change(here):
        repository = here.place.repository
        base, start = repository.branch_head("main"), repository.objects.commits[here.place.head].parents[0]
        known = {"base": base, "head": here.place.head, "older base": start, "none": "e" * 40}
        files = repository.objects.at(base)
        shas = [known[one] for one in wanted]
        here.place.pull.pull.merge_sha = merge_of(here, files, *shas)

    return change


def other_files(here):
    """Storage that sends another commit's archive."""
    repository = here.place.repository
    base, wanted = repository.branch_head("main"), merge_sha(repository, here.place.pull)
    url = here.server.store("tar.gz", tarball(repository, base))
    here.server.fail("GET", f"/tarball/{wanted}", Fault(status=302, headers={"Location": url}))


def refused(path, status):
    def change(here):
        here.server.fail("GET", path, Fault(status=status), times=-1)

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (conflict, "the two conflict now"),
        (pull_with("merge_waits", 100), "GitHub has no merge of it yet"),
        (pull_with("merge_sha", ""), "GitHub has no merge of it yet"),
        (parents("head", "base"), "GitHub's merge is of another commit"),
        (parents("base", "older base"), "GitHub's merge is of another commit"),
        (parents("base", "none"), "GitHub's merge is of another commit"),
        (parents("head"), "GitHub's merge is of another commit"),
        (parents("base", "head", "older base"), "GitHub's merge is of another commit"),
        (parents("none", "head"), "GitHub's merge is with another base"),
        (parents("older base", "head"), "GitHub's merge is with another base"),
        (pull_with("merge_sha", "e" * 40), "GitHub refuses it"),
        (other_files, "GitHub sent the files of"),
    ],
)
def test_without_a_merge_of_just_these_two_it_is_the_head_with_a_note(here, change, why):
    every = versions(here)
    head = every.head
    change(here)
    found = every.tested_by(log(here))
    assert found.snapshot == head.snapshot
    assert found.frozen == ()
    assert found.note.startswith("CI tested the merge with the base, and here the tests ran on the head")
    assert why in found.note
    assert here.progress.stages[-1] == ("files", found.note)
    assert "\n" not in found.note


@pytest.mark.parametrize("path", ["/pulls/1$", "/commits/", "/tarball/"])
@pytest.mark.parametrize("status", [403, 404, 410, 422])
def test_where_github_refuses_the_merge_it_is_the_head_with_a_note(here, path, status):
    every = versions(here)
    assert every.head
    here.server.fail("GET", path, Fault(status=status), times=-1)
    found = every.tested_by(log(here))
    assert found.snapshot == every.head.snapshot
    assert "GitHub refuses it" in found.note


def test_the_heads_own_files_there_have_to_be(here):
    here.server.fail("GET", "/tarball/", Fault(status=404), times=-1)
    with pytest.raises(GitHubError):
        versions(here).tested_by(log(here))


def test_a_branchs_name_is_shown_as_nothing_but_text(here):
    world, repository = here.server.world, here.place.repository
    world.push(repository, "`a`\u202e@everyone", {"more.py": b"1\n"})
    here.place.pull.pull.base_ref = "`a`\u202e@everyone"
    assert "with the base `'a' @everyone` at `" in versions(here).tested_by(log(here)).note


def test_what_is_old_is_resolved_as_of_its_own_time(here):
    world, repository = here.server.world, here.place.repository
    old = datetime(2023, 5, 6, 7, 8, 9, tzinfo=UTC)
    world.push(repository, "feature", {"notes.md": b"1\n"}, when=old)
    here.place.run.head_sha = here.place.head
    every = versions(here)
    assert every.head.as_of == time_limit(old, now=RECENT) == "2023-05-07T07:08:09Z"
    # What merges it with a recent base is no older than that.
    assert every.tested_by(log(here)).as_of == ""
    late = versions(here, now=RECENT + OLD + timedelta(days=2))
    assert late.tested_by(log(here)).as_of.startswith(f"{RECENT + timedelta(days=1):%Y-%m-%dT}")


def test_a_commit_whose_time_github_refuses_counts_as_recent(here):
    here.server.fail("GET", "/commits/", Fault(status=404), times=-1)
    found = versions(here, now=datetime(2036, 1, 1, tzinfo=UTC)).head
    assert found.as_of == ""
    assert any("the time of the commit is not known" in said for _, said in here.progress.stages)


@every_case("when", [datetime(1970, 1, 1, tzinfo=UTC), datetime(2199, 1, 1, tzinfo=UTC), None])
def test_a_time_that_no_version_can_have_counts_as_recent(when):
    assert time_limit(when, now=datetime(2026, 1, 1, tzinfo=UTC)) == ""


def test_nothing_but_reading_is_asked(here):
    versions(here).tested_by(log(here))
    assert {one.method for one in here.server.requests} == {"GET"}
    assert json.dumps([one.path for one in here.server.requests]).count("/pulls/1") == 2


def branch_versions(here):
    """The versions of the branch ``main``, whose last commit is BASE."""
    head = here.github.branch_head("main")
    subject = Subject(pull=None, head_sha=head, head_ref="main", config_ref="main")
    return Versions(subject=subject, github=here.github, progress=here.progress, now=lambda: RECENT)


def test_of_a_branch_the_commit_before_is_compared_with(here):
    found = branch_versions(here)
    assert found.head.snapshot.files["shop/rates.py"] == b"RATE = 19\n"
    assert "shop/rates.py" not in found.earlier.snapshot.files
    assert "shop/prices.py" in found.earlier.snapshot.files
    assert found.earlier.name.endswith(", the commit before")


def test_of_a_pull_request_the_diff_says_more(here):
    assert versions(here).earlier is None


def test_a_commit_before_that_cannot_be_had_costs_the_comparison_only(here):
    found = branch_versions(here)
    assert found.head.snapshot.files
    here.server.fail("GET", "/tarball/", Fault(status=404), times=-1)
    assert found.earlier is None
    assert any("cannot be compared with" in said for _, said in here.progress.stages)
