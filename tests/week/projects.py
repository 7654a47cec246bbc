"""Small projects, made by a seed, and bugs for them: a line of one function is another one.

Nothing here is from a benchmark: each function was written for this file, each bug is a slip that people
make.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass

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


FUNCTIONS = {
    "amounts": (
        Function(
            "with_shipping",
            "def with_shipping(price, shipping):\n    return price + shipping\n",
            (("price + shipping", "price - shipping"), ("price + shipping", "price * shipping")),
            (("with_shipping(40, 5)", 45), ("with_shipping(7, 0)", 7)),
        ),
        Function(
            "per_head",
            "def per_head(bill, guests):\n    return bill // guests\n",
            (("bill // guests", "guests // bill"), ("bill // guests", "bill % guests")),
            (("per_head(90, 4)", 22), ("per_head(12, 12)", 1)),
        ),
        Function(
            "is_free",
            "def is_free(weight, limit):\n    return weight <= limit\n",
            (("weight <= limit", "weight < limit"), ("weight <= limit", "weight >= limit")),
            (("is_free(3, 3)", True), ("is_free(4, 3)", False), ("is_free(1, 3)", True)),
        ),
        Function(
            "water_needed",
            "def water_needed(plants, litres):\n    need = plants * litres\n    return max(need, 1)\n",
            (("max(need, 1)", "min(need, 1)"), ("plants * litres", "plants + litres")),
            (("water_needed(6, 3)", 18), ("water_needed(0, 3)", 1)),
        ),
    ),
    "texts": (
        Function(
            "initials",
            "def initials(name):\n    return ''.join(word[0] for word in name.split())\n",
            (("word[0]", "word[1]"),),
            (("initials('Ada Lovelace')", "AL"), ("initials('Grace Brewster Hopper')", "GBH")),
        ),
        Function(
            "shout",
            "def shout(text, loud):\n    return text.upper() if loud else text\n",
            (("if loud", "if not loud"), ("text.upper()", "text.lower()")),
            (("shout('Ahoy', True)", "AHOY"), ("shout('Ahoy', False)", "Ahoy")),
        ),
        Function(
            "is_blank",
            "def is_blank(line):\n    return not line.strip()\n",
            (("not line.strip()", "line.strip()"),),
            (("is_blank('   ')", True), ("is_blank(' x ')", False)),
        ),
    ),
    "lists": (
        Function(
            "numbers_to",
            "def numbers_to(last):\n    return list(range(1, last + 1))\n",
            (("last + 1", "last"), ("range(1, ", "range(0, ")),
            (("numbers_to(3)", [1, 2, 3]), ("numbers_to(0)", [])),
        ),
        Function(
            "longest",
            "def longest(words):\n    best = ''\n    for word in words:\n        if len(word) > len(best):\n"
            "            best = word\n    return best\n",
            (("len(word) > len(best)", "len(word) < len(best)"), ("best = word", "best = words")),
            (("longest(['ab', 'abcd', 'abc'])", "abcd"), ("longest([])", "")),
        ),
        Function(
            "both",
            "def both(left, right):\n    return [one for one in left if one in right]\n",
            (("one in right", "one not in right"),),
            (("both([1, 2, 3], [2, 3, 4])", [2, 3]), ("both([1], [2])", [])),
        ),
        Function(
            "total",
            "def total(amounts):\n    result = 0\n    for amount in amounts:\n        result += amount\n"
            "    return result\n",
            (("result += amount", "result -= amount"), ("result = 0", "result = 1")),
            (("total([1, 2, 3])", 6), ("total([])", 0)),
        ),
    ),
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
