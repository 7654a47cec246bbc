"""What is written down of a repair, and what its build gets."""

from dataclasses import replace

import pytest
from delivery_cases import BEFORE, ORIGIN, PATH, PULL, edit, result

from bot.action.propose import for_build, written
from bot.action.subject import Subject
from bot.config.sources import load
from bot.environments.testbeds import overrides
from bot.errors import DeliveryError


def test_a_patch_that_fits_into_no_proposal_is_named_in_a_line():
    found = result(edit(BEFORE, "net - tax", "net + tax  #" + "x" * 600_000))
    with pytest.raises(DeliveryError, match=r"fits into no proposal, text: String should") as said:
        written(found, ORIGIN, {PATH: BEFORE}, ())
    assert "\n" not in str(said.value)


@pytest.mark.parametrize("is_fork", [False, True])
def test_the_build_of_a_fork_gets_no_secret(tmp_path, is_fork):
    environment = {
        "REGREEN_BUILD_SECRETS": "PIP_INDEX_URL=https://a:b@index.example",
        "REGREEN_BUILD_VARIABLES": "A=1",
    }
    settings = load({"project": tmp_path}, environment)
    pull = replace(PULL, head_repository="elsewhere/app" if is_fork else PULL.base_repository)
    subject = Subject(pull=pull, head_sha=pull.head_sha, head_ref=pull.head_ref, config_ref="main")
    names = {"A"} if is_fork else {"A", "PIP_INDEX_URL"}
    assert set(overrides(for_build(settings, subject)).network) == names
