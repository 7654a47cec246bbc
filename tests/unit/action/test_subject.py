"""What is to be repaired, as GitHub's API tells it: among it what is not to be taken for that."""

from contextlib import contextmanager
from dataclasses import replace

import pytest
from delivery_cases import artifact
from fakes.action import REPOSITORY, shop
from fakes.github import serve

from bot.action.subject import NothingToDo, candidates
from bot.config.sources import load
from bot.errors import ConfigurationError
from bot.github.client import connect
from bot.github.events import Trigger

CHOSEN = load({}, {}).action


@contextmanager
def asked(server):
    with connect(repository=REPOSITORY, token=server.world.actions_token(), api_url=server.url) as github:
        yield github


@pytest.fixture
def server():
    with serve() as found:
        yield found


def scheduled(server, own_run):
    with asked(server) as github:
        return list(candidates(Trigger(kind="schedule"), github, CHOSEN, own_run=own_run))


def test_a_schedule_takes_what_fails(server):
    place = shop(server)
    (found,) = scheduled(server, place.own_run.id)
    assert (found.pull.number, [run.id for run in found.runs]) == (place.pull.number, [place.run.id])


def test_a_proposal_fits_only_with_a_run_that_failed(server):
    """Another run's number would have the repair counted as one that was counted before."""
    place = shop(server)
    (found,) = scheduled(server, place.own_run.id)
    changes = {"pull": found.pull.number, "head_sha": found.head_sha, "head_ref": found.head_ref}
    assert found.fits(artifact(**changes, run_id=place.run.id))
    assert not found.fits(artifact(**changes, run_id=place.run.id + 1))


@pytest.mark.parametrize(("workflow", "event"), [("Regreen", "schedule"), ("On request", "issue_comment")])
def test_its_own_runs_that_failed_make_no_branch_failing(server, workflow, event):
    place = shop(server)
    main = place.repository.branch_head("main")
    server.world.run(place.repository, main, workflow=workflow, event=event)
    assert [one.head_ref for one in scheduled(server, place.own_run.id)] == ["feature"]


def test_a_forks_run_for_the_same_commit_tells_nothing_of_a_branch_here(server):
    place = shop(server)
    main = place.repository.branch_head("main")
    fork = server.world.fork(place.repository, "stranger")
    ours = server.world.run(place.repository, main, event="push")
    theirs = server.world.run(place.repository, main, head_repository=fork, actor="stranger")
    first, _ = scheduled(server, place.own_run.id)
    assert [run.id for run in first.runs] == [ours.id]
    ours.conclusion = "success"
    assert theirs.conclusion == "failure"
    assert [one.head_ref for one in scheduled(server, place.own_run.id)] == ["feature"]


def test_a_pull_request_in_another_repository_is_not_the_one_of_its_number_here(server):
    place = shop(server)
    upstream = server.world.repository("upstream/app")
    server.world.push(upstream, "patch", {"x.py": b"x = 1\n"})
    for _ in range(2):
        server.world.pull(upstream, "patch")
    place.run.pulls = ()
    place.run.upstream_pulls = ((upstream, 1), (upstream, 2))
    trigger = Trigger(kind="workflow_run", run_id=place.run.id)
    with asked(server) as github:
        assert github.run(place.run.id).pulls == ()
        (found,) = candidates(trigger, github, CHOSEN, own_run=place.own_run.id)
    assert found.pull.number == place.pull.number


def test_a_forks_branch_that_is_called_main_is_not_main(server):
    place = shop(server, fork="stranger", branch="main")
    place.pull.state = "closed"
    trigger = Trigger(kind="workflow_run", run_id=place.run.id)
    with asked(server) as github, pytest.raises(NothingToDo, match="fork's commit"):
        list(candidates(trigger, github, CHOSEN, own_run=place.own_run.id))


def test_a_branch_by_name_is_no_forks(server):
    place = shop(server)
    fork = server.world.fork(place.repository, "stranger")
    server.world.push(fork, "theirs", {"x.py": b"x = 1\n"})
    with asked(server) as github, pytest.raises(ConfigurationError, match="there is no branch 'theirs'"):
        list(
            candidates(
                Trigger(kind="workflow_dispatch"),
                github,
                replace(CHOSEN, branch="theirs"),
                own_run=place.own_run.id,
            )
        )


def test_a_branchs_run_is_repaired_while_the_branch_is_still_there(server):
    place = shop(server)
    main = place.repository.branch_head("main")
    run = server.world.run(place.repository, main, event="push", branch="main")
    trigger = Trigger(kind="workflow_run", run_id=run.id)
    with asked(server) as github:
        (found,) = candidates(trigger, github, CHOSEN, own_run=place.own_run.id)
        assert (found.pull, found.head_sha, found.config_ref) == (None, main, "main")
        server.world.push(place.repository, "main", {"later.py": b"x = 1\n"})
        with pytest.raises(NothingToDo, match=f"'main' is not at {main[:12]} any more"):
            list(candidates(trigger, github, CHOSEN, own_run=place.own_run.id))


def test_a_schedule_leaves_forks_and_its_own_branches_alone(server):
    place = shop(server, fork="stranger")
    server.world.push(place.repository, "regreen/pr-1", {"x.py": b"x = 1\n"})
    server.world.pull(place.repository, "regreen/pr-1")
    server.world.run(place.repository, place.repository.branch_head("regreen/pr-1"), branch="regreen/pr-1")
    assert scheduled(server, place.own_run.id) == []
