"""Publishing against a GitHub over HTTP: each rung, its refusal, and the same again without a double."""

import re
from dataclasses import replace

import pytest
from delivery_bench import AFTER, FILE, START, comments, delivery, fixes, line_comments
from delivery_cases import NOW, vain
from fakes.github import Fault, secondary_limit

from bot.delivery import guards
from bot.delivery.options import DeliveryOptions
from bot.delivery.proposal import digest
from bot.delivery.sticky import find
from bot.errors import DeliveryError, HeadMoved, RateLimited
from bot.result import Outcome

NOT_SHOWN = Fault(status=422, message="line must be part of the diff")


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
            NOT_SHOWN,
            times=-1,
        )
        done = here.publish()
        assert [step.rung for step in done.steps] == ["suggestion", "pull-request"]
        assert line_comments(here) == []
        assert "1 of 1 suggestions were refused" in comments(here)[0]


def test_comment_by_comment_where_the_review_is_refused():
    with delivery(near=True) as here:
        here.server.fail("POST", r"/pulls/\d+/reviews$", NOT_SHOWN)
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


def test_another_patch_for_the_same_failure_is_not_announced_twice():
    with delivery() as here:
        here.publish()
        verified = here.verified()
        other = replace(verified, artifact=here.forged(b"tax + net"))
        assert here.publish(other).reason.startswith("it was published before")
        assert len(fixes(here)) == 1
        assert digest("a") != digest("b")
