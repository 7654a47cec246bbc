"""What the tests of patch policy share."""

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, check

OLD = "import os\n\n\ndef f(x):\n    assert x\n    return x - 1\n"


def verdict(path, old, new, *, policy=None, literals=()):
    sources = {} if old is None else {path: old}
    return check(
        from_sources(sources, {path: new}), sources, policy or Policy(), test_literals=frozenset(literals)
    )


def added(body, **options):
    return verdict("pkg/code.py", OLD, OLD + body, **options)
