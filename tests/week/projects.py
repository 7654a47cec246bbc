"""Small projects, made by a seed, and bugs for them: a line of one function is another one.

Nothing here is from a benchmark: each function was written for this file, each bug is a slip that people
make.
"""

import ast
import random
from collections.abc import Mapping
from dataclasses import dataclass

from sections import Section, sections

PACKAGES = ("orders", "garden", "library", "harbour", "kitchen")
MODULES = ("amounts", "texts", "lists")


@dataclass(frozen=True, slots=True)
class Function:
    """``slips`` are texts of ``source`` with what a tired person writes, ``checks`` calls with answers."""

    name: str
    source: str
    slips: tuple[tuple[str, str], ...]
    checks: tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """``files`` are those of a green commit."""

    package: str
    modules: Mapping[str, tuple[Function, ...]]
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """``content`` is what the file ``path`` becomes; ``log`` is what pytest says of it."""

    path: str
    content: bytes
    log: str


def _function(case: Section) -> Function:
    slips = (line.partition(" => ") for line in case.parts["faults"].splitlines())
    checks = (line.rpartition(" == ") for line in case.parts["checks"].splitlines())
    return Function(
        case.name,
        case.parts["code"],
        tuple((right, wrong) for right, _, wrong in slips),
        tuple((call, ast.literal_eval(value)) for call, _, value in checks),
    )


_CASES = sections("week_functions.txt")
FUNCTIONS = {
    module: tuple(_function(case) for case in _CASES if case.facts["module"] == module) for module in MODULES
}


def project(package: str, dice: random.Random) -> Project:
    """A package of three modules with their tests; which functions, and in which order, is the seed's."""
    modules = {name: tuple(dice.sample(FUNCTIONS[name], 3)) for name in MODULES}
    files: dict[str, bytes] = {f"{package}/__init__.py": b"", "README.md": f"# {package}\n".encode()}
    for name, functions in modules.items():
        files[f"{package}/{name}.py"] = "\n\n".join(one.source for one in functions).encode()
        files[f"tests/test_{name}.py"] = _tests(package, name, functions).encode()
    return Project(package=package, modules=modules, files=files)


def _tests(package: str, module: str, functions: tuple[Function, ...]) -> str:
    names = ", ".join(sorted(one.name for one in functions))
    text = f"from {package}.{module} import {names}\n"
    for one in functions:
        lines = "".join(f"    assert {call} == {answer!r}\n" for call, answer in one.checks)
        text += f"\n\ndef test_{one.name}():\n{lines}"
    return text


def bug(of: Project, dice: random.Random) -> Bug:
    """One slip in one function, with the log of the tests that notice it."""
    module = dice.choice(MODULES)
    functions = of.modules[module]
    broken = dice.choice(functions)
    old, new = dice.choice(broken.slips)
    wrong = broken.source.replace(old, new, 1)
    content = "\n\n".join(wrong if one is broken else one.source for one in functions)
    return Bug(
        path=f"{of.package}/{module}.py",
        content=content.encode(),
        log=_log(of, module, broken, wrong),
    )


def _log(of: Project, module: str, broken: Function, wrong: str) -> str:
    """As pytest writes it, short: the verdicts, one failure, the summary."""
    call, answer, said = _first_failure(broken, wrong)
    test, file = f"test_{broken.name}", f"tests/test_{module}.py"
    line = next(
        number
        for number, text in enumerate(of.files[file].decode().splitlines(), 1)
        if text == f"    assert {call} == {answer!r}"
    )
    count = sum(len(functions) for functions in of.modules.values())
    kind = said.partition(":")[0] if ":" in said else "AssertionError"
    return (
        "##[group]Run python -m pytest\npython -m pytest\nshell: /usr/bin/bash -e {0}\n##[endgroup]\n"
        f"{' test session starts ':=^78}\nplatform linux -- Python 3.11.7, pytest-8.4.0, pluggy-1.6.0\n"
        f"rootdir: /home/runner/work/{of.package}/{of.package}\ncollected {count} items\n\n"
        f"{' FAILURES ':=^78}\n{f' {test} ':_^78}\n\n    def {test}():\n>       assert {call} == {answer!r}\n"
        f"E       {said}\n\n{file}:{line}: {kind}\n{' short test summary info ':=^78}\n"
        f"FAILED {file}::{test} - {said}\n{f' 1 failed, {count - 1} passed in 0.05s ':=^78}\n"
        "##[error]Process completed with exit code 1.\n"
    )


def _first_failure(broken: Function, wrong: str) -> tuple[str, object, str]:
    """The first check that fails, with what pytest says of it. The code is this file's own."""
    names: dict[str, object] = {}
    exec(wrong, names)
    for call, answer in broken.checks:
        try:
            got = eval(call, names)
        except Exception as error:  # noqa: BLE001 - a slip may raise anything
            return call, answer, f"{type(error).__name__}: {error}"
        if got != answer:
            return call, answer, f"assert {got!r} == {answer!r}"
    raise AssertionError(f"no check notices {wrong!r}")
