"""What people took and dismissed, by Regreen's own comments, and by a file on a branch."""

import json
from dataclasses import replace

import pytest
from delivery_bench import AFTER, BEFORE, FILE, delivery
from delivery_cases import edit, result
from every_case import every_case
from fakes.github import Fault

from bot.delivery import commands
from bot.delivery.guards import UNWANTED
from bot.delivery.memory import BRANCH, MAX_ACCEPTED, Decisions, keep, known
from bot.delivery.memory import FILE as MEMORY
from bot.delivery.options import DeliveryOptions
from bot.delivery.sticky import packed_line, read_artifact
from bot.delivery.withdraw import withdraw_stale
from bot.errors import PermissionDenied
from bot.patch.policy.gate import Policy


def taken(here):
    here.publish()
    here.server.world.push(here.repository, "feature", {FILE: AFTER})
    withdraw_stale(here.client, here.number)


FOUND = result(edit(BEFORE, "net - tax", "net + tax", FILE), operator="arithmetic + off by one")


def test_operators_of_patches_that_people_took_are_known():
    with delivery(near=True, found=FOUND) as here:
        here.publish()
        assert known(here.client).accepted == ()  # nobody has taken it yet
        taken(here)
        assert known(here.client).accepted == ("arithmetic", "off by one")


def test_a_patch_that_a_person_has_applied_is_one_and_what_is_committed_unasked_is_none():
    with delivery(found=FOUND, options=DeliveryOptions(delivery="commit")) as here:
        assert here.publish().kind == "commit"
        assert known(here.client).accepted == ()
    with delivery(found=FOUND) as here:
        here.publish()
        assert (
            commands.apply(
                here.client, here.number, policy=Policy(), actor="octo", comment_id=here.ask()
            ).kind
            == "commit"
        )
        assert known(here.client).accepted == ("arithmetic", "off by one")


def test_a_dismissed_patch_is_none_that_people_took():
    with delivery(near=True, found=FOUND) as here:
        here.publish()
        commands.dismiss(here.client, here.number, actor="octo", comment_id=here.ask())
        assert known(here.client).accepted == ()


def test_what_anybody_else_writes_teaches_nothing():
    with delivery(near=True, found=FOUND) as here:
        taken(here)
        world, (own,) = here.server.world, here.repository.issues[here.number].comments
        body, own.body = own.body, "gone"
        world.comment(here.repository.issues[here.number], body, user=world.user("stranger"))
        assert known(here.client).accepted == ()


def test_a_comment_that_was_tampered_with_teaches_nothing_or_little():
    with delivery(near=True, found=FOUND) as here:
        taken(here)
        (own,) = here.repository.issues[here.number].comments
        body, artifact = own.body, read_artifact(own.body)
        many = " + ".join(map(str, range(100)))
        for change, count in (({"operator": many}, MAX_ACCEPTED), ({"operator": "x", "edits": ()}, 0)):
            forged = artifact.model_copy(update=change)
            own.body = body.replace(packed_line(artifact), packed_line(forged))
            assert len(known(here.client).accepted) == count


def dismissed(here):
    here.publish()
    commands.dismiss(here.client, here.number, actor="octo", comment_id=here.ask())


def other_pull(here):
    """The same proposal for another pull request with the same fault."""
    here.server.world.push(here.repository, "second", {FILE: BEFORE, "more.py": b"z = 3\n"})
    pull = here.server.world.pull(here.repository, "second")
    changed = {"pull": pull.number, "head_sha": pull.pull.head_sha, "head_ref": "second"}
    here.artifact = here.artifact.model_copy(update=changed)


def test_what_was_dismissed_below_one_pull_request_is_not_proposed_below_another():
    with delivery(near=True, found=FOUND) as here:
        dismissed(here)
        other_pull(here)
        assert here.publish().reason == UNWANTED
        assert here.publish(asked=True).kind == "suggestion"


def test_what_a_person_took_after_all_is_dismissed_no_more():
    with delivery(found=FOUND) as here:
        dismissed(here)
        keep(here.client)
        here.publish(asked=True)
        commands.apply(here.client, here.number, policy=Policy(), actor="octo", comment_id=here.ask())
        assert known(here.client).refused == ()
        keep(here.client)
        here.repository.issues[here.number].comments.clear()
        assert known(here.client).refused == ()


def test_an_operator_with_an_odd_name_teaches_nothing_and_harms_nothing():
    with delivery(near=True, found=replace(FOUND, operator="x" * 101 + " + number")) as here:
        taken(here)
        assert known(here.client).accepted == ("number",)


def test_where_the_comments_of_others_cannot_be_read_a_patch_is_delivered():
    with delivery(near=True, found=FOUND) as here:
        here.server.fail("GET", "/issues/comments$", Fault(status=403, message="no"), times=-1)
        assert here.publish().kind == "suggestion"


def test_a_change_that_was_dismissed_is_not_proposed_for_a_branch():
    with delivery(found=FOUND) as here:
        dismissed(here)
        here.push_again()
        here.artifact = here.artifact.model_copy(update={"pull": 0})
        assert here.publish().reason == UNWANTED
        assert here.publish(asked=True).kind == "pull-request"


def test_a_branch_keeps_what_the_newest_comments_said():
    with delivery(near=True, found=FOUND) as here:
        keep(here.client)
        assert here.client.branch_head(BRANCH) is None  # there is nothing to keep
        dismissed(here)
        keep(here.client)
        head = here.client.branch_head(BRANCH)
        assert (here.client.read_commit(head).parents, here.client.paths(ref=head)) == ((), (MEMORY,))
        remembered = known(here.client)
        assert (remembered.accepted, len(remembered.refused)) == ((), 1)
        writes = len(here.writes())
        keep(here.client)
        assert len(here.writes()) == writes
        here.repository.issues[here.number].comments.clear()
        assert known(here.client) == remembered
        keep(here.client)
        assert here.client.branch_head(BRANCH) == head


def test_the_file_grows_by_a_commit_on_the_one_before():
    with delivery(near=True, found=FOUND) as here:
        dismissed(here)
        keep(here.client)
        first = here.client.branch_head(BRANCH)
        here.publish(asked=True)
        here.server.world.push(here.repository, "feature", {FILE: AFTER})
        withdraw_stale(here.client, here.number)
        keep(here.client)
        assert here.client.read_commit(here.client.branch_head(BRANCH)).parents == (first,)
        assert known(here.client).accepted == ("arithmetic", "off by one")


@every_case(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"accepted": 3}',
        b'{"refused": ["not an id"]}',
        json.dumps({"accepted": ["x" * 101]}).encode(),
        json.dumps({"accepted": ["x"] * 11}).encode(),
        b'{"accepted": ["a"]}' + b" " * 100_000,
    ],
)
def test_a_file_that_is_no_memory_teaches_nothing(content):
    with delivery(near=True) as here:
        here.server.world.push(here.repository, BRANCH, {MEMORY: content})
        assert known(here.client) == Decisions()


def test_who_may_not_write_contents_keeps_nothing():
    with delivery(near=True, found=FOUND) as here:
        dismissed(here)
        here.server.world.tokens[here.bench.token].permissions = {
            "contents": "read",
            "pull_requests": "write",
        }
        with pytest.raises(PermissionDenied):
            keep(here.client)
