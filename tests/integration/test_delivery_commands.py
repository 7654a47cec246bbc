"""What a person asks for below a pull request, and proposals that are taken back, on a GitHub over HTTP."""

import pytest
from delivery_bench import AFTER, BEFORE, FILE, comments, delivery, fixes, line_comments
from delivery_cases import edit, result
from fakes.github import Fault

from bot.delivery import commands
from bot.delivery.options import DeliveryOptions
from bot.delivery.sticky import change_id, find, packed_line, state_line
from bot.delivery.withdraw import withdraw_stale
from bot.patch.policy.gate import Policy

ASKED = 4711


def apply(here, asked=None):
    asked = asked or here.ask()
    return commands.apply(here.client, here.number, policy=Policy(), actor="octo", comment_id=asked)


def test_apply_commits_the_patch_and_puts_the_rest_away():
    with delivery() as here:
        here.publish()
        done = apply(here)
        assert (done.kind, here.repository.branch_head("feature")) == ("commit", done.commit)
        assert here.client.file(FILE, ref="feature") == AFTER
        (fix,) = fixes(here)
        assert fix.state == "closed"
        assert fix.body.startswith("**Withdrawn:** The patch was committed onto the branch")
        assert [name for name in here.repository.refs if "regreen/" in name] == []
        (body,) = comments(here)
        assert "**Applied** onto this branch" in body
        assert "Asked for by octo." in body
        assert apply(here).commit == done.commit


def test_a_rule_that_keeps_branches_from_being_deleted_keeps_nothing_else_from_being_done():
    with delivery() as here:
        here.publish()
        rule = Fault(status=422, message="Repository rule violations found")
        here.server.fail("DELETE", r"/git/refs/heads/regreen/", rule, times=-1)
        assert "dismissed" in commands.dismiss(here.client, here.number, actor="octo", comment_id=ASKED)
        (fix,) = fixes(here)
        assert fix.state == "closed"
        assert "**Dismissed by octo.**" in comments(here)[0]


def test_apply_keeps_off_a_branch_that_moved_and_says_so_once():
    with delivery() as here:
        here.publish()
        here.server.world.push(here.repository, "feature", {"more.py": b"z = 1\n"})
        head = here.repository.branch_head("feature")
        asked = here.ask()
        assert "out of date" in apply(here, asked).reason
        apply(here, asked)
        assert here.repository.branch_head("feature") == head
        sticky, answer = comments(here)
        assert "**Withdrawn:** The branch has moved on" in sticky
        assert "Not applied" in answer


def test_apply_takes_no_proposal_that_is_newer_than_the_request():
    with delivery() as here:
        here.publish()
        asked = here.ask()
        here.found = result(edit(BEFORE, "net - tax", "tax + net", FILE))
        here.propose()
        here.publish(asked=True)
        assert "changed after you asked" in apply(here, asked).reason
        assert here.client.file(FILE, ref="feature") == BEFORE
        assert apply(here).kind == "commit"


def test_apply_refuses_forks_and_what_nobody_proposed():
    with delivery(near=True, fork=True) as here:
        assert "no proposal" in apply(here).reason
        here.publish()
        assert "fork" in apply(here).reason


def test_apply_checks_the_patch_in_the_comment_as_if_a_stranger_had_written_it():
    with delivery() as here:
        here.publish()
        comment = here.repository.issues[here.number].comments[0]
        forged = packed_line(here.forged(b"exit(0)"))
        comment.body = comment.body[: comment.body.index("<!-- regreen:proposal")] + forged
        assert "not the one that was published" in apply(here).reason
        sticky = find(here.client, here.number)
        state = sticky.state.model_copy(update={"patch": sticky.artifact.patch_id})
        comment.body = state_line(state) + comment.body[comment.body.index("\n") :]
        assert "the proposal is refused" in apply(here).reason
        assert here.client.file(FILE, ref="feature") != AFTER


def test_dismiss_takes_it_back_and_silences_this_head():
    with delivery(near=True) as here:
        here.publish()
        assert (
            commands.dismiss(here.client, here.number, actor="octo", comment_id=ASKED)
            == "the proposal was dismissed"
        )
        (body,) = comments(here)
        assert "**Dismissed by octo.**" in body
        assert "```suggestion" not in line_comments(here)[0].body
        assert "dismissed" in here.publish().reason
        assert here.publish(asked=True).kind == "suggestion"
        assert ["```suggestion" in line.body for line in line_comments(here)] == [False, True]


def test_a_dismissed_change_is_proposed_again_on_request_only():
    with delivery(near=True) as here:
        here.publish()
        commands.dismiss(here.client, here.number, actor="octo", comment_id=ASKED)
        here.push_again()
        assert "dismissed this very change" in here.publish().reason
        assert here.publish(asked=True).kind == "suggestion"
        here.push_again()
        assert here.publish().kind == "suggestion"


def test_another_change_is_proposed_after_one_was_dismissed():
    with delivery(near=True) as here:
        here.publish()
        sticky = find(here.client, here.number)
        other = sticky.state.model_copy(update={"refused": (change_id("-a\n+b"),), "status": "withdrawn"})
        here.repository.issues[here.number].comments[0].body = state_line(other)
        assert here.publish().kind == "suggestion"


def test_a_change_that_was_applied_and_taken_out_is_not_proposed_again():
    with delivery(near=True) as here:
        here.publish()
        before = here.client.file(FILE, ref="feature")
        assert apply(here).kind == "commit"
        here.server.world.push(here.repository, "feature", {FILE: before})
        here.propose()
        assert "took it out again" in here.publish().reason


def test_dismiss_without_a_proposal_is_answered():
    with delivery() as here:
        commands.dismiss(here.client, here.number, actor="octo", comment_id=ASKED)
        commands.dismiss(here.client, here.number, actor="octo", comment_id=ASKED)
        (body,) = comments(here)
        assert "no proposal" in body


def test_explain_tells_all_in_a_comment_of_its_own():
    with delivery() as here:
        here.publish()
        url = commands.explain(here.client, here.number, comment_id=ASKED)
        assert commands.explain(here.client, here.number, comment_id=ASKED) == url
        commands.explain(here.client, here.number, comment_id=ASKED + 1)
        assert len(comments(here)) == 3
        for said in ("What was tried", "`swap-operands`", "Where it was looked for", "+    return net + tax"):
            assert said in comments(here)[1]


def test_a_proposal_too_large_for_the_comment_is_not_said_to_be_none(monkeypatch):
    monkeypatch.setattr("bot.delivery.sticky.PACKED_LIMIT", 10)
    with delivery() as here:
        here.publish()
        commands.explain(here.client, here.number, comment_id=ASKED)
        assert "too large" in comments(here)[1]
        assert "too large" in apply(here).reason


def test_a_passing_run_takes_a_proposal_back():
    with delivery(near=True) as here:
        here.publish()
        run = here.server.world.run(here.repository, here.head, conclusion="failure")
        assert withdraw_stale(here.client, here.number) == ""
        fork = here.server.world.fork(here.repository, "stranger")
        here.server.world.run(here.repository, here.head, conclusion="success", head_repository=fork)
        assert withdraw_stale(here.client, here.number) == ""
        run.conclusion = "success"
        assert "CI passes" in withdraw_stale(here.client, here.number)
        assert "**Withdrawn:** CI passes for this very commit" in comments(here)[0]
        assert withdraw_stale(here.client, here.number) == ""


def test_what_a_passing_run_took_back_comes_again_with_the_next_failure():
    with delivery() as here:
        here.publish()
        run = here.server.world.run(here.repository, here.head, conclusion="success")
        withdraw_stale(here.client, here.number)
        run.conclusion = "failure"
        assert here.publish().kind == "pull-request"
        assert [fix.state for fix in fixes(here)] == ["closed", "open"]
        assert len(comments(here)) == 1


def test_a_comment_that_a_person_deleted_is_written_anew():
    with delivery(near=True) as here:
        here.publish()
        here.repository.issues[here.number].comments.clear()
        here.push_again()
        here.publish()
        assert len(comments(here)) == 1


def test_a_suggestion_that_was_taken_counts_as_applied():
    with delivery(near=True) as here:
        here.publish()
        here.server.world.push(here.repository, "feature", {FILE: AFTER})
        withdraw_stale(here.client, here.number)
        assert "**Applied** onto this branch" in comments(here)[0]


@pytest.mark.parametrize("amended", [False, True])
def test_a_branch_that_somebody_built_upon_or_amended_stays(amended):
    """An amended commit keeps the bot's name and the patch's trailer."""
    with delivery() as here:
        done = here.publish()
        message = f"Repair\n\nRegreen-Fix: {here.artifact.patch_id}"
        said = {"message": message, "author": here.client.viewer(), "start": here.head} if amended else {}
        files = {FILE: AFTER, "mine.py": b"m = 1\n"}
        sha = here.server.world.push(here.repository, done.branch, files, **said)
        here.server.world.push(here.repository, "feature", {"more.py": b"z = 1\n"})
        assert "moved on" in withdraw_stale(here.client, here.number)
        assert fixes(here)[0].state == "open"
        assert here.repository.branch_head(done.branch) == sha


def test_a_branch_of_that_name_that_is_not_ours_is_left_alone():
    with delivery() as here:
        here.publish(options=DeliveryOptions(delivery="none"))
        name = f"regreen/fix-{here.number}-{here.artifact.patch_id[:8]}"
        theirs = here.server.world.push(here.repository, name, {"mine.py": b"m = 1\n"})
        done = here.publish()
        assert done.kind == "comment"
        assert here.repository.branch_head(name) == theirs
        assert "holds something else" in comments(here)[0]


@pytest.mark.parametrize(
    "route", [r"/issues/\d+/comments$", r"/pulls$", r"/pulls/\d+/reviews$", r"/git/refs$"]
)
@pytest.mark.parametrize("near", [True, False])
def test_an_answer_that_got_lost_doubles_nothing(route, near):
    with delivery(near=near) as here:
        here.server.fail("POST", route, Fault(effect=True))
        here.publish()
        assert len(comments(here)) == 1
        assert (len(line_comments(here)), len(fixes(here))) == ((1, 0) if near else (0, 1))


CRLF = b"def total(net, tax):\r\n    return net - tax\r\n"
UNTERMINATED = b"def total(net, tax):\n    return net - tax"
LATIN = b"# caf\xe9\ndef total(net, tax):\n    return net - tax  # caf\xe9\n"


@pytest.mark.parametrize(
    ("content", "why"), [(CRLF, "carriage returns"), (UNTERMINATED, "no line feed"), (LATIN, "bytes")]
)
def test_what_a_suggestion_would_spoil_goes_into_a_commit_byte_for_byte(content, why):
    with delivery(near=True) as here:
        here.server.world.push(here.repository, "feature", {FILE: content})
        here.found = result(edit(content, "net - tax", "net + tax", FILE))
        here.propose()
        done = here.publish()
        assert done.kind == "pull-request"
        assert why in done.steps[0].detail
        assert here.client.file(FILE, ref=done.branch) == content.replace(b"-", b"+")
