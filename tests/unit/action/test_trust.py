"""Who may have what repaired: every rule with those whom it lets pass and those whom it stops."""

from dataclasses import replace

from delivery_cases import BASE as OTHER
from delivery_cases import HEAD, PULL
from every_case import every_case

from bot.action.trust import WRITERS, Initiator, people, refusal
from bot.github.records import WorkflowRun

FORK = replace(PULL, head_repository="someone/app")
RUN = WorkflowRun(
    id=5,
    name="CI",
    event="pull_request",
    conclusion="failure",
    head_sha=HEAD,
    head_branch="feature",
    head_repository="octo/app",
    actor="dev",
    triggering_actor="dev",
)
FORK_RUN = replace(RUN, head_repository="someone/app", actor="stranger", triggering_actor="stranger")
CAN_WRITE = {"dev": "write", "boss": "admin", "keeper": "maintain", "stranger": "none", "reader": "read"}
KINDS = ("workflow_run", "pull_request", "workflow_dispatch", "issue_comment", "schedule")


def ask(kind, *, actors=("dev",), **rest):
    return Initiator(kind=kind, repository="Octo/App", actors=actors, **rest)


@every_case("kind", KINDS)
def test_somebody_who_can_write_is_answered(kind):
    assert refusal(ask(kind, run=RUN, pull=PULL), CAN_WRITE) == ""


@every_case("permission", ["none", "read", "triage", "write", "maintain", "admin"])
@every_case("kind", [kind for kind in KINDS if kind != "schedule"])
def test_it_takes_write_to_start_it(kind, permission):
    said = refusal(ask(kind, run=RUN, pull=PULL, actors=("boss", "x")), {**CAN_WRITE, "x": permission})
    assert (said == "") == (permission in WRITERS)
    assert said == "" or "x has the permission" in said


@every_case("who", ["actor", "triggering_actor"])
@every_case("kind", ["workflow_run", "pull_request"])
def test_a_run_that_nobody_asked_for_counts_with_those_who_started_it(kind, who):
    run = replace(RUN, **{who: "reader"})
    assert "reader has the permission 'read'" in refusal(ask(kind, run=run, pull=PULL), CAN_WRITE)


@every_case("kind", ["issue_comment", "workflow_dispatch"])
def test_a_fork_is_repaired_for_a_person_who_can_write(kind):
    assert refusal(ask(kind, run=FORK_RUN, pull=FORK), CAN_WRITE) == ""


@every_case("kind", ["issue_comment", "workflow_dispatch"])
@every_case("person", ["stranger", "reader", "unheard-of", ""])
def test_a_fork_is_not_repaired_for_anybody_else(kind, person):
    assert refusal(ask(kind, actors=(person,), run=FORK_RUN, pull=FORK), CAN_WRITE)


@every_case("kind", ["workflow_run", "pull_request", "schedule"])
def test_a_fork_is_never_repaired_unasked(kind):
    everybody = dict.fromkeys(["dev", "stranger"], "admin")
    assert "fork" in refusal(ask(kind, run=FORK_RUN, pull=FORK), everybody)
    assert "fork" in refusal(ask(kind, run=FORK_RUN), everybody)


def test_a_comment_counts_with_its_author_whoever_started_the_run():
    asking = ask("issue_comment", actors=("boss",), commenter="reader", pull=PULL)
    assert people(asking) == ("boss", "reader")
    assert "reader" in refusal(asking, CAN_WRITE)


@every_case("kind", [kind for kind in KINDS if kind != "schedule"])
def test_nobody_is_not_somebody(kind):
    assert "does not say who" in refusal(ask(kind, actors=(), pull=PULL), CAN_WRITE)


@every_case(
    ("kind", "changes", "said"),
    [
        ("workflow_run", {"head_repository": ""}, "fork"),  # a fork that was deleted
        ("issue_comment", {"base_repository": "x/y"}, "not one of"),
        ("issue_comment", {"state": "closed"}, "closed"),
    ],
)
def test_a_pull_request_that_is_left_alone(kind, changes, said):
    assert said in refusal(ask(kind, pull=replace(PULL, **changes)), CAN_WRITE)


@every_case("kind", KINDS)
def test_a_run_for_another_commit_than_the_head_is_out_of_date(kind):
    said = refusal(ask(kind, run=replace(RUN, head_sha=OTHER), pull=PULL), CAN_WRITE)
    assert HEAD[:12] in said
    assert OTHER[:12] in said


@every_case("kind", ["pull_request_target", "push", "", "repository_dispatch\n::error::"])
def test_other_events_are_not_answered(kind):
    said = refusal(ask(kind, run=RUN, pull=PULL), dict.fromkeys(CAN_WRITE, "admin"))
    assert "none that Regreen answers" in said
    assert "\n" not in said


def test_the_schedule_needs_nobody():
    assert people(ask("schedule", actors=("gone",))) == ()


@every_case("kind", KINDS)
def test_a_forks_run_without_a_pull_request_is_nobodys_to_ask_for(kind):
    run = replace(FORK_RUN, actor="dev", triggering_actor="dev")
    assert "a fork's commit" in refusal(ask(kind, run=run), CAN_WRITE)


BOT = "dependabot[bot]"
BOTS_PULL = replace(PULL, author=BOT)
BOTS_RUN = replace(RUN, actor=BOT, triggering_actor=BOT)


def bot_asks(kind="workflow_run", *, pull=BOTS_PULL, run=BOTS_RUN, actors=(BOT,), trusted=(BOT,), **rest):
    return refusal(
        ask(kind, pull=pull, run=run, actors=actors, trusted_bots=frozenset(trusted), **rest), CAN_WRITE
    )


@every_case("kind", ["workflow_run", "pull_request"])
def test_a_trusted_bots_own_pull_request_is_repaired(kind):
    assert bot_asks(kind) == ""
    assert f"{BOT} has the permission 'none'" in bot_asks(kind, trusted=())
    assert f"{BOT} has the permission" in bot_asks(kind, trusted=("renovate[bot]",))


def test_a_trusted_bot_is_trusted_with_nothing_but_its_own_pull_request():
    assert f"{BOT} has the permission" in bot_asks(pull=PULL)
    assert f"{BOT} has the permission" in bot_asks(pull=None)
    assert "comes from a fork" in bot_asks(pull=replace(BOTS_PULL, head_repository="someone/app"))
    assert "fork's commit" in bot_asks(run=replace(BOTS_RUN, head_repository="someone/app"))
    for kind in ("issue_comment", "workflow_dispatch"):
        assert f"{BOT} has the permission" in bot_asks(kind, commenter=BOT)


def test_who_starts_a_trusted_bots_run_again_still_has_to_write():
    assert "reader has the permission" in bot_asks(run=replace(BOTS_RUN, triggering_actor="reader"))
    assert "reader has the permission" in bot_asks(actors=(BOT, "reader"))
    assert bot_asks(actors=(BOT, "dev")) == ""
