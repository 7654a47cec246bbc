"""Publishing against a GitHub over HTTP: each rung, its refusal, and the same again without a double."""

import re
from dataclasses import replace

import pytest
from delivery_bench import AFTER, FILE, START, comments, delivery, fixes, line_comments
from delivery_cases import NOW, vain
from fakes.github import secondary_limit

from bot.delivery import guards
from bot.delivery.options import DeliveryOptions
from bot.delivery.proposal import digest
from bot.delivery.sticky import find
from bot.delivery.verify import is_own_commit, verify
from bot.errors import DeliveryError, HeadMoved, RateLimited
from bot.patch.policy import Policy
from bot.result import Outcome


def test_a_change_within_the_diff_becomes_a_suggestion_once():
    with delivery(near=True) as here:
        first = here.publish()
        (comment,) = line_comments(here)
        assert (first.kind, comment.line, comment.start_line) == ("suggestion", START + 1, None)
        assert "```suggestion\n    return net + tax\n```" in comment.body
        assert comment.commit == here.head
        assert first.url in comments(here)[0]
        writes = here.writes()
        second = here.publish()
        assert (second.kind, second.url) == ("suggestion", first.url)
        assert "published before" in second.reason
        assert here.writes() == writes


def test_a_change_outside_of_the_diff_becomes_a_draft_onto_the_branch():
    with delivery() as here:
        done = here.publish()
        (fix,) = fixes(here)
        assert (done.kind, done.pull) == ("pull-request", fix.number)
        assert (fix.pull.base_ref, fix.pull.draft, fix.labels) == ("feature", True, ["regreen"])
        assert re.fullmatch(rf"regreen/fix-{here.number}-[0-9a-f]{{8}}", fix.pull.head_ref)
        head = here.repository.branch_head(fix.pull.head_ref)
        commit = here.client.read_commit(head)
        assert commit.parents == (here.head,)
        assert f"Regreen-Fix: {here.artifact.patch_id}" in commit.message
        assert here.client.file(FILE, ref=head) == AFTER
        assert here.repository.branch_head("feature") == here.head
        assert "the diff of the pull request does not show `cart.py`" in comments(here)[0]
        writes = here.writes()
        assert here.publish().pull == fix.number
        assert here.writes() == writes


def test_where_actions_may_not_open_pull_requests_a_branch_is_left_to_compare():
    with delivery() as here:
        here.repository.pulls_by_actions = False
        done = here.publish()
        assert (done.kind, fixes(here)) == ("branch", [])
        assert done.url.endswith(f"/octo/app/compare/feature...{done.branch}?expand=1")
        assert here.repository.branch_head(done.branch)
        assert "Allow GitHub Actions to create and approve pull requests" in comments(here)[0]
        assert done.url in comments(here)[0]


def test_without_the_right_to_write_contents_the_comment_holds_the_patch():
    with delivery(permissions={"pull_requests": "write", "issues": "write", "contents": "read"}) as here:
        done = here.publish()
        (body,) = comments(here)
        assert done.kind == "comment"
        assert "git apply <<'REGREEN'" in body
        assert "contents: write" in body
        assert done.url


def test_without_any_right_the_patch_is_not_lost_in_silence():
    with delivery(permissions={"contents": "read", "pull_requests": "read"}) as here:
        with pytest.raises(DeliveryError, match="pull-requests: write") as refused:
            here.publish()
        assert "job's summary" in str(refused.value)
        assert comments(here) == []


@pytest.mark.parametrize(("near", "kind"), [(True, "suggestion"), (False, "comment")])
def test_a_fork_gets_suggestions_or_a_comment_and_no_branch(near, kind):
    with delivery(near=near, fork=True) as here:
        assert here.publish().kind == kind
        assert [name for name in here.repository.refs if "regreen" in name] == []
        assert "/regreen apply" not in comments(here)[0]


def test_a_commit_goes_onto_the_branch_and_only_there():
    with delivery(options=DeliveryOptions(delivery="commit")) as here:
        done = here.publish()
        head = here.repository.branch_head("feature")
        assert (done.kind, done.commit) == ("commit", head)
        assert here.client.file(FILE, ref=head) == AFTER
        assert "**Applied** onto this branch" in comments(here)[0]
        again = here.publish()
        assert (again.kind, here.repository.branch_head("feature")) == ("commit", head)
        why = guards.reason_to_skip(here.client, here.client.pull(here.number), here.options, now=NOW)
        assert "Regreen's own" in why


def test_a_protected_branch_gets_a_pull_request_instead():
    with delivery(options=DeliveryOptions(delivery="commit")) as here:
        here.repository.protected.add("feature")
        done = here.publish()
        assert done.kind == "pull-request"
        assert [step.rung for step in done.steps] == ["commit", "pull-request"]


def test_none_writes_nothing():
    with delivery(options=DeliveryOptions(delivery="none")) as here:
        assert here.publish().kind == "none"
        assert here.writes() == []


def test_comments_can_be_switched_off():
    with delivery(options=DeliveryOptions(comment_on="never")) as here:
        first, second = here.publish(), here.publish()
        assert (first.kind, second.pull, len(fixes(here)), comments(here)) == (
            "pull-request",
            first.pull,
            1,
            [],
        )


def test_a_line_that_github_refuses_brings_the_whole_patch_a_rung_down():
    with delivery(near=True) as here:
        here.server.fail(
            "POST",
            r"/pulls/\d+/(reviews|comments)$",
            here.fault(422, "line must be part of the diff"),
            times=-1,
        )
        done = here.publish()
        assert [step.rung for step in done.steps] == ["suggestion", "pull-request"]
        assert line_comments(here) == []
        assert "1 of 1 suggestions were refused" in comments(here)[0]


def test_comment_by_comment_where_the_review_is_refused():
    with delivery(near=True) as here:
        here.server.fail("POST", r"/pulls/\d+/reviews$", here.fault(422, "line must be part of the diff"))
        assert here.publish().kind == "suggestion"
        assert len(line_comments(here)) == 1


def test_a_rate_limit_ends_the_run_and_the_next_one_goes_on():
    with delivery() as here:
        here.server.fail("POST", r"/pulls$", secondary_limit(9_999))
        with pytest.raises(RateLimited):
            here.publish()
        (body,) = comments(here)
        assert "it is being handed over" in body
        assert "+    return net + tax" in body
        assert here.publish().kind == "pull-request"
        assert (len(comments(here)), len(fixes(here))) == (1, 1)


def test_a_branch_that_moved_is_left_alone():
    with delivery() as here:
        verified = here.verified()
        here.server.world.push(here.repository, "feature", {"new.py": b"y = 1\n"})
        with pytest.raises(HeadMoved, match="out of date"):
            here.verified()
        with pytest.raises(HeadMoved):
            here.publish(verified, options=DeliveryOptions(delivery="commit"))
        assert "**Withdrawn:**" in comments(here)[0]


def test_a_branch_without_a_pull_request_gets_one():
    with delivery(pull=False) as here:
        done = here.publish()
        (fix,) = fixes(here)
        assert (done.kind, fix.pull.base_ref) == ("pull-request", "feature")
        assert here.publish().pull == done.pull
        assert len(fixes(here)) == 1


@pytest.mark.parametrize(("state", "said"), [("open", "stands already"), ("closed", "was closed")])
def test_a_branch_is_left_alone_once_there_is_an_answer_for_its_very_commit(state, said):
    """A schedule comes back each morning: it asks for nothing twice, and goes on to what else is red."""
    with delivery(pull=False) as here:
        assert guards.reason_to_skip_branch(here.client, "feature", here.head) == ""
        number = here.publish().pull
        here.client.update_pull(number, state=state)
        why = guards.reason_to_skip_branch(here.client, "feature", here.head)
        assert why == f"pull request {number}, a proposal for this very commit, {said}"
        assert guards.reason_to_skip_branch(here.client, "feature", here.head, asked=True) == ""
        here.server.world.push(here.repository, "feature", {"new.py": b"y = 1\n"})
        head = here.client.branch_head("feature")
        assert guards.reason_to_skip_branch(here.client, "feature", head) == ""


def test_a_second_head_brings_a_second_proposal_and_takes_the_first_back():
    with delivery(near=True) as here:
        here.publish()
        here.push_again()
        here.publish()
        old, new = line_comments(here)
        assert "withdrawn" in old.body
        assert "```suggestion" not in old.body
        assert "```suggestion" in new.body
        assert len(comments(here)) == 1
        assert find(here.client, here.number).state.attempts == 2


def test_what_is_not_the_codes_doing_is_said_once_and_only_if_asked_for():
    found = vain(Outcome.NOT_CODE, "no route to host")
    with delivery(found=found, cause="infrastructure/network", advice="Run the job again.") as here:
        assert here.publish().kind == "none"
        assert comments(here) == []
        always = DeliveryOptions(comment_on="always")
        here.publish(options=always)
        here.publish(options=always)
        (body,) = comments(here)
        assert "nothing in the code to repair" in body
        assert "Run the job again." in body


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


def test_its_own_branches_are_no_subject():
    with delivery() as here:
        here.publish()
        fix = here.client.pull(fixes(here)[0].number)
        assert "Regreen's own" in guards.reason_to_skip(here.client, fix, here.options, now=NOW, asked=True)
        assert is_own_commit(here.client, fix.head_sha)
        assert not is_own_commit(here.client, here.head)


def test_a_comment_of_somebody_else_is_no_memory():
    with delivery() as here:
        here.publish()
        (body,) = comments(here)
        person = here.server.world.token("octo")
        here.repository.issues[here.number].comments[0].user = here.server.world.tokens[person].user
        assert find(here.client, here.number) is None
        assert body.startswith("<!-- regreen:state")


TAMPERED = {
    "another repository": ({"repository": "octo/other"}, "it is for octo/other"),
    "another file": ({"originals": "other"}, "is not the file that the patch was made for"),
    "a protected path": ({"path": ".github/workflows/ci.yml"}, "protected"),
    "a path that leads out": ({"path": "../x.py"}, "not a plain relative path"),
    "a diff that hides what is done": ({"diff": "-a\n+b\n"}, "not what its edits do"),
    "code that is no Python": ({"text": b"return net +"}, "syntax error"),
    "a way out of the sandbox": ({"text": b"__import__('os').system('id')"}, "refused"),
    "a patch that quits": ({"text": b"exit(0)"}, "refused"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_proposal_that_was_tampered_with_is_refused(name):
    changes, why = TAMPERED[name]
    with delivery() as here:
        here.server.world.push(here.repository, "feature", {".github/workflows/ci.yml": b"on: push\n"})
        here.propose()
        with pytest.raises(DeliveryError, match=re.escape(why)):
            verify(here.tampered(changes), here.client, policy=Policy())
        assert here.writes() == []


def test_a_patch_larger_than_the_policy_allows_is_refused():
    with delivery() as here, pytest.raises(DeliveryError, match="at most 1 are allowed"):
        verify(here.artifact, here.client, policy=Policy(max_changed_lines=1))


def test_a_closed_pull_request_gets_nothing():
    with delivery() as here:
        here.repository.issues[here.number].state = "closed"
        with pytest.raises(HeadMoved, match="closed"):
            here.verified()


def test_another_patch_for_the_same_failure_is_not_announced_twice():
    with delivery() as here:
        here.publish()
        verified = here.verified()
        other = replace(verified, artifact=here.tampered({"text": b"tax + net", "diff": None}))
        assert here.publish(other).reason.startswith("it was published before")
        assert len(fixes(here)) == 1
        assert digest("a") != digest("b")
