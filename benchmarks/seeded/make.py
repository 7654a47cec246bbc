"""Seed bugs into a library: mutants, drawn in an order that the seed decides, that make a test fail."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.runs.verify import Quiet
from benchmarks.seeded import manifest
from benchmarks.seeded.manifest import Library
from benchmarks.seeded.mutants import Mutant, mutants
from bot.config.settings import Settings
from bot.environments.testbeds import testbeds
from bot.errors import MachineError
from bot.patch.text import decode, encode
from sandbox.command import PytestCommand
from sandbox.snapshot import take

# Mutants to draw for each bug that is wanted: tests notice about every second.
DRAWN_PER_BUG = 12
# Of a test that passed in a run which then ended as no run of pytest should: it noticed nothing.
DISTRUST = "Untrusted"


def modules(library: Library, source: Path) -> dict[str, str]:
    """The texts that are mutated, by path."""
    found = {path for pattern in library.modules for path in source.glob(pattern)}
    return {path.relative_to(source).as_posix(): decode(path.read_bytes()) for path in sorted(found)}


def seed_bugs(
    library: Library, settings: Settings, *, count: int, seed: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """The manifest of ``count`` bugs in ``library``, whose source lies at ``settings.project``.

    Raises:
        MachineError: the library's own tests fail here, or too few mutants are noticed by them.
        sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
    """
    texts = modules(library, settings.project)
    drawn = mutants(
        texts,
        seed=f"{library.name} {seed}",
        count=count * DRAWN_PER_BUG,
        cache=settings.cache_directory / "benchmarks",
    )
    kept: dict[Mutant, list[str]] = {}
    tried = 0
    with ExitStack() as resources:
        beds = testbeds(settings, take(settings.project), PytestCommand(), Quiet(), resources)
        bed = resources.enter_context(beds.open())
        whole = bed.run()
        if whole.failing or not whole.proves(frozenset()):
            names = ", ".join(result.test for result in whole.failing[:3])
            raise MachineError(f"the tests of {library.name} fail as they are: {names or whole.problem}")
        for mutant in drawn:
            if len(kept) == count:
                break
            tried += 1
            changes = {mutant.path: encode(mutant.apply(texts[mutant.path]))}
            report = bed.run(changes=changes, stop_at_first_failure=True)
            if noticed := [result.test for result in report.failing if result.exception != DISTRUST]:
                kept[mutant] = noticed
            say(f"{library.name}: {len(kept)} of {count} bugs, {tried} mutants tried")
    if len(kept) < count:
        raise MachineError(f"{library.name}: only {len(kept)} of {tried} mutants make a test fail")
    return manifest.made(library, seed=seed, tests=len(whole.passing), tried=tried, kept=kept)
