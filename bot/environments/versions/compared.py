"""The version that a repair compares with: its sources, all its other files, and testbeds that hold them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from bot.agent.baseline.sample import changed_in
from bot.config.settings import Settings
from bot.environments.chosen import ChosenEnvironment
from bot.environments.versions.base_tree import BaseTree, of_snapshot
from bot.environments.versions.base_version import BaseVersion, base_version, version_of
from bot.ports import Progress
from sandbox.snapshot import Snapshot
from sandbox.testing import SandboxTestbeds


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierFiles:
    """The files of an earlier version, which is called ``name``."""

    name: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedVersion:
    """What is known of the version before the suspected change; ``testbeds`` is None where nothing is.

    ``documents`` are the lines that the change adds to documentation, and those of its commits' messages.
    """

    version: BaseVersion = field(default_factory=BaseVersion)
    documents: tuple[str, ...] = ()
    testbeds: SandboxTestbeds | None = None

    @property
    def tree(self) -> BaseTree:
        """All files that differ."""
        return self.version.tree


def compared_version(  # noqa: PLR0913 - what a version is known by
    settings: Settings,
    sources: Mapping[str, str],
    chosen: ChosenEnvironment,
    progress: Progress,
    *,
    diff: str,
    earlier: EarlierFiles | None = None,
) -> ComparedVersion:
    """The version to compare the project with, whose Python files are ``sources``.

    It is the ``earlier`` one where neither the settings nor a ``diff`` name another.
    """
    snapshot = chosen.environment.snapshot
    version = _version(settings, snapshot, diff, earlier)
    if said := f"none to compare with: {version.problem}" if version.problem else version.note:
        progress.stage("base", said)
    tree = version.tree
    if not tree.files:
        return ComparedVersion(version=version)
    return ComparedVersion(
        version=replace(version, sources={**tree.renamed(sources), **version.sources}),
        documents=(*version.messages, *tree.documents(snapshot)),
        testbeds=replace(chosen.beds, snapshot=tree.laid_over(snapshot)),
    )


def changed_paths(
    settings: Settings, snapshot: Snapshot, *, diff: str, earlier: EarlierFiles | None
) -> tuple[str, ...]:
    """What ``diff`` changes, and where there is none what differs from the version to compare with."""
    if diff:
        return changed_in(diff)
    tree = _version(settings, snapshot, diff, earlier).tree
    return tuple(sorted({*tree.files, *tree.kept}))


def _version(settings: Settings, snapshot: Snapshot, diff: str, earlier: EarlierFiles | None) -> BaseVersion:
    if earlier and not diff and not settings.base:
        return version_of(earlier.name, of_snapshot(earlier.snapshot, snapshot), snapshot)
    return _read_once(settings.project, settings.base, snapshot, diff)


@lru_cache(maxsize=1)
def _read_once(project: Path, base: str, snapshot: Snapshot, diff: str) -> BaseVersion:
    """The version is asked for before the environment is chosen, and after that."""
    return base_version(project, base, snapshot, diff=diff)
