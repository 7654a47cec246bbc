"""A patch that the policy does not know to be harmless: a person reads it, and nothing is committed."""

import pytest
from delivery_bench import BEFORE, FILE, comments, delivery, fixes, line_comments
from delivery_cases import edit, result

from bot.delivery import commands
from bot.delivery.options import DeliveryOptions
from bot.errors import DeliveryError
from bot.patch.policy.gate import Policy

BY_HAND = "Read it before you apply it"
OLD = "def total(net, tax):\n    return net - tax"
NEW = "def total(net, tax):\n    return net + tax"


def fixed(code, **changes):
    """A repair that puts ``code`` before the function that it corrects."""
    return result(edit(BEFORE, OLD, f"{code}\n\n{NEW}", FILE), **changes)


ODD = fixed("import tarfile\n")
DELIVERIES = ["auto", "suggestion", "pull-request", "commit", "comment"]


@pytest.mark.parametrize("kind", DELIVERIES)
@pytest.mark.parametrize("near", [True, False])
def test_it_goes_into_the_comment_with_a_warning_and_nowhere_else(kind, near):
    with delivery(near=near, found=ODD, options=DeliveryOptions(delivery=kind)) as here:
        done = here.publish()
        assert done.kind == "comment"
        (body,) = comments(here)
        assert BY_HAND in body
        assert "new use of tarfile" in body
        assert "/regreen apply" not in body
        assert (fixes(here), line_comments(here)) == ([], [])
        assert [name for name in here.repository.refs if "regreen/" in name] == []
        assert here.client.file(FILE, ref="feature") == BEFORE


def test_apply_commits_nothing_and_says_why():
    with delivery(found=ODD) as here:
        here.publish()
        done = commands.apply(here.client, here.number, policy=Policy(), actor="octo", comment_id=here.ask())
        assert done.kind == "none"
        assert "apply it by hand" in done.reason
        assert here.client.file(FILE, ref="feature") == BEFORE


def test_a_warning_that_was_taken_out_of_the_proposal_is_found_again():
    with delivery(found=ODD) as here:
        assert here.artifact.warnings == ()  # what a job that was taken over might write
        assert "new use of tarfile" in here.verified().warnings[0]


def test_a_warning_of_the_proposal_stays_where_the_policy_sees_nothing():
    with delivery(
        found=result(edit(BEFORE, "net - tax", "net + tax", FILE), warnings=("a person saw it",))
    ) as here:
        assert here.verified().warnings == ("a person saw it",)
        assert here.publish().kind == "comment"


def test_for_a_branch_it_stays_in_the_summary():
    with delivery(found=ODD, pull=False) as here:
        done = here.publish()
        assert done.kind == "none"
        assert "a person has to read it" in done.reason
        assert [name for name in here.repository.refs if "regreen/" in name] == []


@pytest.mark.parametrize(
    ("line", "held"), [("import other", False), ("from other import y", False), ("import numpy", True)]
)
def test_a_file_of_the_project_shows_that_an_import_is_known(line, held):
    with delivery(found=fixed(f"{line}\n", witnesses=("other.py",))) as here:
        assert bool(here.verified().warnings) is held


@pytest.mark.parametrize("code", ["import subprocess\n", "eval('1')\n", "x = '\u202e'\n", "# a\rx = 1\n"])
def test_what_the_policy_refuses_is_published_by_nobody(code):
    with delivery(found=fixed(code)) as here, pytest.raises(DeliveryError, match="the proposal is refused"):
        here.publish()


@pytest.mark.parametrize(
    "code",
    [
        "class Sum:\n    def __eq__(self, other):\n        return abs(self.n - other) < 500\n",
        "class Sum(float):\n    def __mod__(self, other):\n        return 0\n",
        "class Sum:\n    def __exit__(self, *error):\n        return True\n",
        "class Sum:\n    def __reduce__(self):\n        return total, (1,), (None, {'decode': total})\n",
        "import json\n\nd = json.JSONDecoder\nd.decode = print\n",
        "import json\n\n\ndef put(x):\n    x.decode = print\n\n\nput(json.JSONDecoder)\n",
        "def put(x):\n    type(x).decode = print\n",
        "import other\n\n\ndef take(name):\n    return dict(vars(other))[name]\n",
        "import other\n\n\ndef take(name):\n    return {**other.__dict__}[name]\n",
        "import other\n\n\ndef take(f):\n    return f(other)\n",
    ],
)
def test_what_a_forged_proposal_says_nothing_of_is_found_again(code):
    with delivery(found=fixed(code)) as here:
        assert here.artifact.warnings == ()
        assert here.verified().warnings
        assert here.publish().kind == "comment"
        assert (fixes(here), line_comments(here)) == ([], [])
