"""What is written down of a repair."""

import pytest
from delivery_cases import BEFORE, ORIGIN, PATH, edit, result

from bot.action.propose import _written
from bot.errors import DeliveryError


def test_a_patch_that_fits_into_no_proposal_is_named_in_a_line():
    found = result(edit(BEFORE, "net - tax", "net + tax  #" + "x" * 600_000))
    with pytest.raises(DeliveryError, match=r"fits into no proposal, text: String should") as said:
        _written(found, ORIGIN, {PATH: BEFORE}, ())
    assert "\n" not in str(said.value)
