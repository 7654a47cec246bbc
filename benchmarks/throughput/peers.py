"""mutmut and cosmic-ray, each in an environment of its own, on given mutants in a copy of the project."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.libraries.environment import Environment
from benchmarks.seeded.mutants import Mutant
from benchmarks.throughput.judged import Judged, read
from benchmarks.throughput.outside import Outside, site_packages
from sandbox.command import PytestCommand

MUTMUT = ("mutmut==3.8.1", "pytest")


@dataclass(frozen=True, slots=True, kw_only=True)
class ByMutmut:
    """Its verdicts, the tests that pass in its copy, and the seconds before the first verdict."""

    verdicts: list[Judged] = field(default_factory=list)
    tests: tuple[str, ...] = ()
    prepared_s: float | None = None


def by_mutmut(mutants: Sequence[Mutant], environment: Environment, copy: Outside, mutmut: Path) -> ByMutmut:
    """The verdicts by the tests that mutmut chooses; ``mutmut`` is its interpreter.

    Raises:
        MachineError: mutmut ends without an answer.
    """
    command = environment.command
    assert isinstance(command, PytestCommand)
    # The directories, or single modules, at the project's root that hold the mutants.
    paths = sorted({one.path.partition("/")[0] for one in mutants})
    beside = sorted(entry.name for entry in copy.files.iterdir() if entry.name not in {*paths, ".git"})
    task = {
        "task": "judge",
        "packages": [
            str(beside_the_project(site_packages(mutmut)[0], environment.python, copy.plugins.parent))
        ],
        "source_paths": paths,
        "also_copy": beside,
        "arguments": list(command.arguments),
        "mutants": plain(mutants),
    }
    answer = copy.drive("mutmut_judge", environment.python, task, with_project=True)
    return ByMutmut(
        verdicts=list(map(read, answer["verdicts"])),
        tests=tuple(answer["tests"]),
        prepared_s=answer.get("prepared"),
    )


def beside_the_project(packages: Path, python: Path, directory: Path) -> Path:
    """Links below ``directory`` to what of ``packages`` the project's environment has not.

    pytest would load plugins by the metadata of both, so there is none but mutmut's own.
    """
    own = {entry.name for at in site_packages(python) for entry in at.iterdir()}
    links = directory / "packages"
    links.mkdir()
    for entry in packages.iterdir():
        is_metadata = entry.suffix in {".dist-info", ".pth"} and not entry.name.startswith("mutmut-")
        if entry.name not in own and not is_metadata:
            (links / entry.name).symlink_to(entry)
    return links


def by_cosmic_ray(
    mutants: Sequence[Mutant], environment: Environment, copy: Outside, cosmic_ray: Path, *, timeout_s: float
) -> list[Judged]:
    """Judge ``mutants`` by the whole suite, until a test fails.

    Raises:
        MachineError: cosmic-ray ends without an answer.
    """
    command = environment.command
    assert isinstance(command, PytestCommand)
    given = copy.judging_variables()
    given["PYTHONPATH"] = f"{given.get('PYTHONPATH', '')}:{copy.plugins}"
    argv = ["env", *(f"{name}={value}" for name, value in given.items()), str(environment.python)]
    argv += [*command.launch.options, "-m", "pytest", "-x", "-q", "-p", "no:randomly", "-p", "judged_tests"]
    task = {
        "mutants": [[one.path, one.operator, one.occurrence] for one in mutants],
        "command": shlex.join([*argv, *command.arguments]),
        "timeout": timeout_s,
        "session": str(copy.plugins.parent / "session.sqlite"),
    }
    return list(map(read, copy.drive("cosmic_judge", cosmic_ray, task)["verdicts"]))


def plain(found: Sequence[Mutant]) -> list[list[object]]:
    """As the drivers read them."""
    return [[one.path, one.start, one.end, one.replacement] for one in found]
