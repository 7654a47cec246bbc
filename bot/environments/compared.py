"""The version that a repair compares with: its sources, all its other files, and testbeds that hold them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.config.settings import Settings
from bot.environments.base_tree import BaseTree, base_tree
from bot.environments.base_version import BaseVersion, base_version
from bot.environments.chosen import ChosenEnvironment
from bot.ports import Progress
from sandbox.testing import SandboxTestbeds


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedVersion:
    """What is known of the version before the suspected change; ``testbeds`` is None where nothing is.

    ``documents`` are the lines that the change adds to documentation.
    """

    version: BaseVersion = field(default_factory=BaseVersion)
    tree: BaseTree = field(default_factory=BaseTree)
    documents: tuple[str, ...] = ()
    testbeds: SandboxTestbeds | None = None


def compared_version(
    settings: Settings,
    sources: Mapping[str, str],
    chosen: ChosenEnvironment,
    progress: Progress,
    *,
    diff: str,
) -> ComparedVersion:
    """The version to compare the project with, whose Python files are ``sources``."""
    snapshot = chosen.environment.snapshot
    version = base_version(settings.project, settings.base, sources, diff=diff)
    if said := f"none to compare with: {version.problem}" if version.problem else version.note:
        progress.stage("base", said)
    tree = base_tree(settings.project, version, snapshot) if version.name else BaseTree()
    if not tree.files:
        return ComparedVersion(version=version)
    return ComparedVersion(
        version=replace(version, sources={**tree.renamed(sources), **version.sources}),
        tree=tree,
        documents=tree.documents(snapshot),
        testbeds=replace(chosen.beds, snapshot=tree.laid_over(snapshot)),
    )
