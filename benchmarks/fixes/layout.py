"""A version of a repository with the tests of a fix."""

import json
from pathlib import Path

from benchmarks.fixes.mine import changed_tests, tests_of
from benchmarks.libraries.sources import Commit
from bot.environments.last_failed import PLACE


def laid_out(
    repository: str, commit: str, fix: str, clones: Path, place: Path
) -> tuple[Path, tuple[str, ...]]:
    """A checkout of ``commit`` below ``place``, and the files of tests of ``fix`` that were laid over it.

    pytest's record says of these that they failed last, so that the first run begins with them.

    Raises:
        ConfigurationError: git cannot read the fix.
        MachineError: git cannot make the checkout.
    """
    version = Commit(repository=repository, commit=commit, cache=place / "cache", clones=clones.absolute())
    project = version.lay_out(place / "project" / version.directory_name)
    clone = clones / repository.replace("/", "+") / "repo"
    tests = changed_tests(clone, fix)
    for path, data in tests_of(clone, fix, tests):
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    record = project / PLACE
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps(dict.fromkeys(tests, True)), "utf-8")
    return project, tests
