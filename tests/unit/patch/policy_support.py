"""What the tests of patch policy share."""

from sections import Section

from bot.patch.apply import from_sources
from bot.patch.policy.cheating.special_cases import literals_of
from bot.patch.policy.gate import Judgement, Policy, is_test_path, judge

SEPARATORS = {"lines": "\n", "blocks": "\n\n"}
OLD = "import os\n\n\ndef f(x):\n    assert x\n    return x - 1\n"


def verdict(path, old, new, *, policy=None, literals=()):
    sources = {} if old is None else {path: old}
    patch = from_sources(sources, {path: new})
    return judge(patch, sources, policy or Policy(), test_literals=frozenset(literals)).refused


def added(body, **options):
    return verdict("pkg/code.py", OLD, OLD + body, **options)


def codes(group: Section) -> list[str]:
    """The code of each case of a section of ``tests/golden/policy``."""
    alone = [group.parts["code"].strip("\n")] if "code" in group.parts else []
    parted = (
        group.parts[name].strip("\n").split(by) for name, by in SEPARATORS.items() if name in group.parts
    )
    return [*alone, *(code for part in parted for code in part)]


def judged(new: str, sources: dict[str, str], path: str = "") -> Judgement:
    """What the policy says of ``new`` as a file of ``sources``: the first, unless there is a ``path``."""
    patch = from_sources(sources, {path or next(iter(sources)): new})
    tests = [text for name, text in sources.items() if is_test_path(name)]
    return judge(patch, sources, Policy(), test_literals=literals_of(tests))
