"""The policy gate where a patch is published: with what GitHub has at the head, not with the proposal's word.

The job that proposes has all files of the project. Here are those that the policy asks for.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bot.delivery.proposal import ProposalArtifact
from bot.errors import DeliveryError, NotFound
from bot.github.client import GitHub
from bot.patch.policy.cheating.special_cases import literals_of
from bot.patch.policy.files.formatted import is_formatting
from bot.patch.policy.files.own_rules import RULE_FILES, named_tests, own_rules
from bot.patch.policy.files.protected import alternative_paths, is_python, name_problem
from bot.patch.policy.gate import Policy, judge
from bot.patch.text import decode, one_line

_DEEPEST = 8
"""Packages in one another, in the name of a test."""
_TEST_BYTES = 2_000_000
"""How much is read of the files of the tests that failed."""


def refused(why: str) -> DeliveryError:
    """The error for a proposal that is not published."""
    return DeliveryError(f"the proposal is refused: {why}")


def made_for(artifact: ProposalArtifact) -> str:
    """The commit that the patch of ``artifact`` is for."""
    return artifact.base_sha if artifact.judged else artifact.head_sha


def judged(
    artifact: ProposalArtifact, before: Mapping[str, bytes | None], github: GitHub, policy: Policy
) -> tuple[str, ...]:
    """What a person has to see; a patch that the policy refuses is no proposal.

    Args:
        artifact: the proposal, with a patch.
        before: the files that the patch changes, as they are; None for one that is not there yet.
        github: where to read the other files.
        policy: the limits; what the project's configuration protects is added here.

    Raises:
        DeliveryError: it is refused; the message says why.
        GitHubError: GitHub cannot be asked.
    """
    asked = [
        *artifact.witnesses,
        *(one for path, old in before.items() if old is None for one in alternative_paths(path)),
    ]
    found = _files((path for path in asked if path not in before), artifact, github)
    rules = own_rules(_files(_beside_or_above(before, RULE_FILES), artifact, github))
    named = _beside_or_above(before, named_tests(failing.test for failing in artifact.failing))
    policy = replace(policy, protected=(*policy.protected, *rules, *(f"/{path}" for path in named)))
    sources = {path: decode(content) for path, content in {**found, **before}.items() if content is not None}
    paths = github.paths(ref=made_for(artifact))
    tests: list[bytes] = []
    unread: tuple[str, ...] = ()
    # What a formatter does gives no test what it asks for.
    if artifact.failed != "check" or not is_formatting(artifact.patch, sources):
        tests, unread = _tests(artifact, before, github, paths)
    literals = literals_of(map(decode, tests))
    judgement = judge(artifact.patch, sources, policy, test_literals=literals, paths=paths)
    if judgement.refused:
        raise refused(one_line("; ".join(judgement.refused), limit=400))
    return (*judgement.shown, *unread)


def _files(paths: Iterable[str], artifact: ProposalArtifact, github: GitHub) -> dict[str, bytes]:
    """Those of the files that the head has."""
    asked = [path for path in dict.fromkeys(paths) if not name_problem(path)]
    found = ((path, github.file(path, ref=made_for(artifact))) for path in asked)
    return {path: content for path, content in found if content is not None}


def _beside_or_above(paths: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Where a file of one of ``names`` would decide something for one of ``paths``."""
    directories = dict.fromkeys(above for path in paths for above in _above(path))
    return (posixpath.join(directory, name) for name in names for directory in directories)


def _above(path: str) -> Iterator[str]:
    """The directories above ``path``; the repository's own is empty."""
    while path:
        path = posixpath.dirname(path)
        yield path


def _tests(
    artifact: ProposalArtifact, before: Mapping[str, bytes | None], github: GitHub, paths: Iterable[str]
) -> tuple[list[bytes], tuple[str, ...]]:
    """The files of the failing tests, and why a person has to see the patch where that is not all of them.

    What stands in them shows a patch for their very input. A test is named as in the part of the repository
    that was repaired.
    """
    named = dict.fromkeys(failing.test.partition("::")[0] for failing in artifact.failing)
    found: list[bytes] = []
    left = _TEST_BYTES
    names = [one for name in named for one in ([name] if is_python(name) else _modules(name))]
    asked = [path for path in dict.fromkeys(_beside_or_above(before, names)) if not name_problem(path)]
    # What a proposal names may be a thousand files: those that are there are known by two requests.
    places = dict.fromkeys(_listed(github, artifact.base_sha), artifact.base_sha)
    places |= dict.fromkeys(paths, made_for(artifact))
    for path in asked:
        # A file that cannot be imported is named too; the patch's own are no tests.
        content = github.file(path, ref=places[path]) if path in places and path not in before else None
        left -= len(content or b"")
        if left < 0:
            return found, ("the files of the failing tests are too large to be compared with the patch",)
        found += [content] if content else []
    if not found and not any(path in before for path in asked):
        return [], ("the failing tests' files were not found: their values are not compared with the patch",)
    return found, ()


def _listed(github: GitHub, ref: str) -> tuple[str, ...]:
    """The files at the commit ``ref``, which is the base that CI merges the head with."""
    try:
        return github.paths(ref=ref)
    except NotFound:
        return ()


def _modules(name: str) -> list[str]:
    """The files that may hold a test with the dotted ``name`` of unittest, as ``tests.test_it.Case.test``."""
    parts = name.split(".")[:_DEEPEST]
    if not all(part.isidentifier() for part in parts):
        return []
    return ["/".join(parts[:end]) + ".py" for end in range(1, len(parts) + 1)]
