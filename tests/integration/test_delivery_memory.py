"""Which operators' patches people took, by what Regreen's own comments say."""

from delivery_bench import AFTER, BEFORE, FILE, delivery
from delivery_cases import edit, result

from bot.delivery import commands
from bot.delivery.options import DeliveryOptions
from bot.delivery.sticky import MAX_ACCEPTED, accepted_operators, packed_line, read_artifact
from bot.delivery.withdraw import withdraw_stale
from bot.patch.policy.gate import Policy


def taken(here):
    here.publish()
    here.server.world.push(here.repository, "feature", {FILE: AFTER})
    withdraw_stale(here.client, here.number)


FOUND = result(edit(BEFORE, "net - tax", "net + tax", FILE), operator="arithmetic + off by one")


def test_operators_of_patches_that_people_took_are_known():
    with delivery(near=True, found=FOUND) as here:
        here.publish()
        assert accepted_operators(here.client) == ()  # nobody has taken it yet
        taken(here)
        assert accepted_operators(here.client) == ("arithmetic", "off by one")


def test_a_patch_that_a_person_has_applied_is_one_and_what_is_committed_unasked_is_none():
    with delivery(found=FOUND, options=DeliveryOptions(delivery="commit")) as here:
        assert here.publish().kind == "commit"
        assert accepted_operators(here.client) == ()
    with delivery(found=FOUND) as here:
        here.publish()
        assert (
            commands.apply(
                here.client, here.number, policy=Policy(), actor="octo", comment_id=here.ask()
            ).kind
            == "commit"
        )
        assert accepted_operators(here.client) == ("arithmetic", "off by one")


def test_a_dismissed_patch_is_none_that_people_took():
    with delivery(near=True, found=FOUND) as here:
        here.publish()
        commands.dismiss(here.client, here.number, actor="octo", comment_id=here.ask())
        assert accepted_operators(here.client) == ()


def test_what_anybody_else_writes_teaches_nothing():
    with delivery(near=True, found=FOUND) as here:
        taken(here)
        world, (own,) = here.server.world, here.repository.issues[here.number].comments
        body, own.body = own.body, "gone"
        world.comment(here.repository.issues[here.number], body, user=world.user("stranger"))
        assert accepted_operators(here.client) == ()


def test_a_comment_that_was_tampered_with_teaches_nothing_or_little():
    with delivery(near=True, found=FOUND) as here:
        taken(here)
        (own,) = here.repository.issues[here.number].comments
        body, artifact = own.body, read_artifact(own.body)
        many = " + ".join(map(str, range(100)))
        for change, known in (({"operator": many}, MAX_ACCEPTED), ({"operator": "x", "edits": ()}, 0)):
            forged = artifact.model_copy(update=change)
            own.body = body.replace(packed_line(artifact), packed_line(forged))
            assert len(accepted_operators(here.client)) == known
