"""What the files of a project say about its dependencies, in one form for all of them.

The readers (``pyproject``, ``setuptools_files``, ``requirements``, ``locks``, ``runners``) turn files into
these; ``planner`` decides between them. Nothing here runs, imports or writes anything of the project.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from sandbox.ci.installs import Local
from sandbox.formats import normalised, split_extras, unique

# In the order of trust: groups for tests first; those for development hold more, and are the second choice.
TEST_NAMES = ("test", "tests", "testing")
DEVELOPMENT_NAMES = ("dev", "develop", "development")
# Stands for the project's directory in a requirement; the build puts its own path there.
PROJECT = "{project}"

_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What one file, or one table of it, declares.

    ``runtime`` is None where it says nothing of them. ``groups`` are requirements by normalised name, of
    which ``extras`` names those that belong to the package, and ``optional_groups`` those that an
    installation leaves out unless they are asked for. ``dynamic`` says that the runtime dependencies are
    known only after a build. ``own_extras`` are extras of the project itself that are asked for, and
    ``linked`` other packages of the repository. ``options`` are lines for the installer, such as another
    index. ``packaged`` says that the project can be built and installed.
    """

    source: str
    name: str = ""
    runtime: tuple[str, ...] | None = None
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    extras: frozenset[str] = frozenset()
    optional_groups: frozenset[str] = frozenset()
    constraints: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    own_extras: tuple[str, ...] = ()
    linked: tuple[Local, ...] = ()
    requires_python: str = ""
    dynamic: bool = False
    packaged: bool = False
    scripts: tuple[str, ...] = ()
    build_requires: tuple[str, ...] = ()


def name_of(requirement: str) -> str:
    """The normalised name of the package that ``requirement`` asks for; empty for a path or an option."""
    match = _NAME.match(requirement)
    if match is None or requirement[match.end() : match.end() + 1] in {"/", ":", "\\"}:
        return ""
    return normalised(match[1])


def extras_of(requirement: str) -> tuple[str, ...]:
    """The normalised extras that ``requirement`` asks for."""
    match = _NAME.match(requirement)
    return split_extras(match[2] or "") if match else ()


def expanded(requirements: Iterable[str], own: Declared) -> tuple[str, ...]:
    """``requirements`` with those on extras of the project itself replaced by what the extras hold."""
    result: list[str] = []
    seen: set[str] = set()
    rest = [*requirements][::-1]
    while rest:
        requirement = rest.pop()
        if not own.name or name_of(requirement) != normalised(own.name):
            result.append(requirement)
            continue
        extras = [extra for extra in extras_of(requirement) if extra not in seen]
        seen.update(extras)
        rest += [held for extra in extras for held in own.groups.get(extra, ())][::-1]
    return unique(result)


@cache
def known_packages() -> Mapping[str, Any]:
    """What is known of packages by their names: the tables of ``packages.toml``."""
    return tomllib.loads(resources.files(__package__).joinpath("packages.toml").read_text("utf-8"))
