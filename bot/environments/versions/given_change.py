"""A change that somebody gives to be judged: on which version, by which tests, and with which reservation."""

from dataclasses import dataclass, replace

from bot.domain import Patch
from bot.patch.added_tests import parts
from bot.patch.text import decode, encode
from bot.result import RepairResult
from sandbox.snapshot import Snapshot

OWN_TESTS = "the tests that fail without the change came with it: read them as well"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenChange:
    """The ``patch`` to judge for ``snapshot``, by ``tests``, or by all that fail where it brings none."""

    patch: Patch
    snapshot: Snapshot
    tests: tuple[str, ...] = ()

    def doubted(self, result: RepairResult) -> RepairResult:
        """``result`` for a person to read, where one author wrote the change and its tests."""
        if not self.tests or not result.evidence:
            return result
        evidence = replace(result.evidence, doubts=(*result.evidence.doubts, OWN_TESTS))
        return replace(result, evidence=evidence, warnings=(*result.warnings, OWN_TESTS))


def given_change(patch: Patch, snapshot: Snapshot) -> GivenChange:
    """What to judge of ``patch``: without the tests that it adds, on the version that has them already.

    Raises:
        PatchError: it does not fit ``snapshot``.
    """
    files = snapshot.files
    sources = {path: decode(files[path]) for path in patch.paths if path in files}
    found = parts(patch, sources)
    if found is None:
        return GivenChange(patch=patch, snapshot=snapshot)
    tests = {path: encode(text) for path, text in found.tests.items()}
    return GivenChange(patch=found.code, snapshot=snapshot.with_files(tests), tests=found.added)
