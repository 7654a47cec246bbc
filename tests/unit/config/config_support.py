"""What the tests of config share."""

import pytest

from bot.errors import InvalidConfiguration


def problems(configured, *sources, **named):
    with pytest.raises(InvalidConfiguration) as caught:
        configured(*sources, **named)
    return caught.value.problems
