"""What is not published: limits, tampering, and what is Regreen's own."""

from dataclasses import replace

import pytest
from delivery_bench import AFTER, BEFORE, FILE, comments, delivery, fixes, line_comments
from delivery_cases import NOW, TEST, edit, result
from fakes.github import Executable, Fault, Link, secondary_limit

from bot.delivery import commands, guards
from bot.delivery.options import DeliveryOptions
from bot.delivery.proposal import Alternative, FailingTest, ProposedChoice, dump, load
from bot.delivery.sticky import find
from bot.delivery.verify import is_own_commit, verify
from bot.errors import DeliveryError, HeadMoved, RateLimited
from bot.patch.policy.gate import Policy
from bot.result import Basis


def test_limits_hold_and_a_person_may_ask_beyond_them():
    options = DeliveryOptions(max_attempts_per_pull=2, max_per_day=1)
    with delivery(options=options) as here:
        here.publish()
        pull = here.client.pull(here.number)
        assert "max-per-day" in guards.reason_to_skip(here.client, pull, options, now=NOW)
        assert guards.reason_to_skip(here.client, pull, options, now=NOW.replace(month=2, day=1)) == ""
        here.push_again()
        here.publish(asked=True)
        pull = here.client.pull(here.number)
        assert "max-attempts-per-pull" in guards.reason_to_skip(
            here.client, pull, options, now=NOW.replace(day=1)
        )
        assert guards.reason_to_skip(here.client, pull, options, now=NOW, asked=True) == ""


def test_limits_hold_where_it_is_published_and_a_run_that_goes_on_is_none_further():
    """A patch may be looked for with a token that does not know the comment as its own: an App publishes."""
    options = DeliveryOptions(max_attempts_per_pull=1)
    with delivery(options=options) as here:
        here.server.fail("POST", r"/pulls$", secondary_limit(9_999))
        with pytest.raises(RateLimited):
            here.publish()
        assert here.publish().kind == "pull-request"
        here.push_again()
        writes = here.writes()
        refused = here.publish()
        assert (refused.kind, here.writes()) == ("none", writes)
        assert "max-attempts-per-pull: 1" in refused.reason
        assert here.publish(asked=True).kind == "pull-request"


def test_its_own_commit_is_known_whoever_has_published_it():
    with delivery() as here:
        world = here.server.world
        world.push(here.repository, "feature", {"a.py": b""}, message="x\n\nRegreen-Fix: 0123")
        world.users["dev"].login = "an-app[bot]"
        pull = here.client.pull(here.number)
        assert "Regreen's own" in guards.reason_to_skip(here.client, pull, here.options, now=NOW)
        assert not is_own_commit(here.client, pull.head_sha)


@pytest.mark.parametrize("pull", [True, False])
def test_what_comes_after_its_own_commit_is_published_for_nobody(pull):
    with delivery(pull=pull) as here:
        message = "Repair\n\nRegreen-Fix: 0123456789abcdef"
        here.server.world.push(here.repository, "feature", {"more.py": b"z = 1\n"}, message=message)
        here.propose()
        done = here.publish()
        assert (done.kind, done.reason) == ("none", guards.OWN_COMMIT)
        assert fixes(here) == []
        assert here.publish(asked=True).kind == "pull-request"


def test_a_branch_gets_one_proposal_for_a_commit():
    """A job that was taken over may propose again and again: the comment's counts are for pull requests."""
    with delivery(pull=False) as here:
        assert here.publish().kind == "pull-request"
        assert here.publish().kind == "pull-request"  # the very same: it goes on where it stopped
        here.found = result(edit(BEFORE, "net - tax", "tax + net", FILE))
        here.propose()
        assert "stands already" in here.publish().reason
        assert len(fixes(here)) == 1


@pytest.mark.parametrize(("test", "shown"), [("tests.test_cart.Case.test_total", 0), ("test_total", 1)])
def test_the_values_of_a_test_without_a_path_are_compared_or_a_person_reads_the_patch(test, shown):
    special = "if net == 100:\n        return 120\n    return net - tax"
    for text, refused in (("return net + tax", False), (special, not shown)):
        found = result(edit(BEFORE, "return net - tax", text, FILE))
        failing = tuple(replace(one, test=test) for one in found.baseline.failing)
        with delivery(found=replace(found, baseline=replace(found.baseline, failing=failing))) as here:
            if refused:
                with pytest.raises(DeliveryError, match="own input is special-cased"):
                    here.verified()
            else:
                assert len(here.verified().warnings) == shown


@pytest.mark.parametrize("wrong", [{"repaired": 0}, {"repeats": 0}])
def test_a_proposal_without_a_test_that_was_repaired_is_refused(wrong):
    with delivery() as here:
        evidence = here.artifact.evidence.model_copy(update=wrong)
        forged = here.artifact.model_copy(update={"evidence": evidence})
        with pytest.raises(DeliveryError, match="no failing test was seen to pass"):
            load(dump(forged))


def test_its_own_branches_are_no_subject():
    with delivery() as here:
        here.publish()
        fix = here.client.pull(fixes(here)[0].number)
        assert "Regreen's own" in guards.reason_to_skip(here.client, fix, here.options, now=NOW, asked=True)
        assert is_own_commit(here.client, fix.head_sha)
        assert not is_own_commit(here.client, here.head)


PLANTED = {
    "more files": {FILE: AFTER, ".github/workflows/ci.yml": b"on: pull_request_target\n"},
    "another content": {FILE: AFTER.replace(b"net + tax", b"tax")},
    "a file less": {FILE: AFTER, "other.py": None},
    "an executable file": {FILE: Executable(AFTER)},
    "a link": {FILE: Link("app.py")},
    "nothing of it": {"more.py": b"z = 1\n"},
}


def planted(here, name, branch):
    """A commit that says of itself that it is the patch, with the author's address of whoever publishes."""
    said = {"message": f"Repair\n\nRegreen-Fix: {here.artifact.patch_id}", "author": here.client.viewer()}
    sha = here.server.world.push(here.repository, branch, PLANTED[name], start=here.head, **said)
    assert is_own_commit(here.client, sha, patch_id=here.artifact.patch_id, parent=here.head)
    return sha


@pytest.mark.parametrize("name", PLANTED)
def test_a_branch_with_more_or_less_than_the_patch_is_somebody_elses(name):
    with delivery() as here:
        branch = f"regreen/fix-{here.number}-{here.artifact.patch_id[:8]}"
        sha = planted(here, name, branch)
        assert (here.publish().kind, fixes(here)) == ("comment", [])
        assert here.repository.branch_head(branch) == sha
        assert "holds something else" in comments(here)[0]


@pytest.mark.parametrize("name", PLANTED)
def test_a_head_with_more_or_less_than_the_patch_is_not_the_patch_applied(name):
    with delivery() as here:
        here.publish()
        planted(here, name, "feature")
        done = commands.apply(here.client, here.number, policy=Policy(), actor="octo", comment_id=1)
        assert (done.kind, "out of date" in done.reason) == ("none", True)
        with pytest.raises(HeadMoved, match="out of date"):
            here.publish()


def test_a_comment_of_somebody_else_is_no_memory():
    with delivery() as here:
        here.publish()
        (body,) = comments(here)
        person = here.server.world.token("octo")
        here.repository.issues[here.number].comments[0].user = here.server.world.tokens[person].user
        assert find(here.client, here.number) is None
        assert body.startswith("<!-- regreen:state")


TICKS = "`" * 1000
ANOTHER = Alternative(alternative=TICKS, call=TICKS, chosen=TICKS, other=TICKS)
LONG = {
    "notes": (TICKS,) * 5,
    "choice": ProposedChoice(
        basis=Basis.LOOKS,
        ambiguous=True,
        reason=TICKS,
        behaviours=1,
        inputs=1,
        differences=(ANOTHER,) * 3,
    ),
    "failing": tuple(FailingTest(test=f"{TEST}[{n}{TICKS[:400]}]", message=TICKS) for n in range(10)),
    "failing_count": 10,
}


def test_a_report_that_is_too_long_is_a_short_one_that_remembers_as_much():
    """Texts of backticks take three times their length; a comment that GitHub refused would count nothing."""
    options = DeliveryOptions(max_attempts_per_pull=1)
    with delivery(near=True, options=options) as here:
        evidence = here.artifact.evidence.model_copy(update={"doubts": (TICKS,) * 20})
        here.artifact = here.artifact.model_copy(update={**LONG, "evidence": evidence})
        assert here.publish().kind == "suggestion"
        (body,) = comments(here)
        assert "too long to be shown here" in body
        assert line_comments(here)[0].body
        sticky = find(here.client, here.number)
        assert (sticky.state.attempts, sticky.artifact) == (1, here.artifact)
        here.push_again()
        assert "max-attempts-per-pull: 1" in here.publish().reason
        done = commands.dismiss(here.client, here.number, actor="octo", comment_id=1)
        assert done == "the proposal was dismissed"
        assert "```suggestion" not in line_comments(here)[0].body


@pytest.mark.parametrize(("status", "said"), [(422, "Validation Failed"), (403, "Resource not accessible")])
@pytest.mark.parametrize("near", [True, False])
def test_where_github_refuses_the_comment_nothing_else_is_published(near, status, said):
    with delivery(near=near) as here:
        here.server.fail("POST", r"/issues/\d+/comments$", Fault(status=status, message=said), times=-1)
        with pytest.raises(DeliveryError, match="job's summary: comment: "):
            here.publish()
        assert (comments(here), line_comments(here), fixes(here)) == ([], [], [])
        assert [name for name in here.repository.refs if "regreen/" in name] == []


def test_a_patch_larger_than_the_policy_allows_is_refused():
    with delivery() as here, pytest.raises(DeliveryError, match="at most 1 are allowed"):
        verify(here.artifact, here.client, policy=Policy(max_changed_lines=1))


def test_a_closed_pull_request_gets_nothing():
    with delivery() as here:
        here.repository.issues[here.number].state = "closed"
        with pytest.raises(HeadMoved, match="closed"):
            here.verified()
