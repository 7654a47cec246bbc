"""The policy gate where a patch is published: with what GitHub has at the head, not with the proposal's word.

The job that proposes has all files of the project. Here are those that the policy asks for.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bot.delivery.proposal import ProposalArtifact
from bot.errors import DeliveryError
from bot.github.port import GitHub
from bot.patch.build_backend import PROJECT_FILE, backend_files
from bot.patch.policy import Policy, is_test_path, judge
from bot.patch.protected import alternative_paths, name_problem
from bot.patch.special_cases import literals_of
from bot.patch.text import decode, one_line

_TEST_FILES = 5


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
    configuration = _files(_beside_or_above(before, (PROJECT_FILE,)), artifact, github)
    policy = replace(policy, protected=(*policy.protected, *backend_files(configuration)))
    sources = {path: decode(content) for path, content in {**found, **before}.items() if content is not None}
    judgement = judge(artifact.patch, sources, policy, test_literals=_literals(artifact, github))
    if judgement.refused:
        raise _refused(one_line("; ".join(judgement.refused), limit=400))
    return judgement.shown


def _files(paths: Iterable[str], artifact: ProposalArtifact, github: GitHub) -> dict[str, bytes]:
    """Those of the files that the head has."""
    asked = [path for path in dict.fromkeys(paths) if not name_problem(path)]
    found = ((path, github.file(path, ref=artifact.head_sha)) for path in asked)
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


def _literals(artifact: ProposalArtifact, github: GitHub) -> frozenset[object]:
    """What stands in the files of the failing tests, so that a patch for their very input is seen."""
    paths = dict.fromkeys(failing.test.partition("::")[0] for failing in artifact.failing)
    tests = [path for path in paths if not name_problem(path) and is_test_path(path)][:_TEST_FILES]
    contents = [github.file(path, ref=artifact.head_sha) for path in tests]
    return literals_of(decode(content) for content in contents if content)


def _refused(why: str) -> DeliveryError:
    return DeliveryError(f"the proposal is refused: {why}")
