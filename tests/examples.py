"""How many examples Hypothesis tries: all with ``make test-all``, a quarter of them with ``make test``."""

from hypothesis import settings

QUICK = "quick"
LEAST = 5


def load_quick_profile() -> None:
    """For all tests that are collected from now on; those that name a number have ``examples``."""
    now = settings.get_profile(settings.get_current_profile_name())
    settings.register_profile(QUICK, now, max_examples=_quarter(now.max_examples))
    settings.load_profile(QUICK)


def examples(number: int, **others) -> settings:
    """The settings of a test that tries ``number`` examples, in whatever time they take."""
    if settings.get_current_profile_name() == QUICK:
        number = _quarter(number)
    return settings(max_examples=number, deadline=None, **others)


def _quarter(number: int) -> int:
    return max(LEAST, number // 4)
