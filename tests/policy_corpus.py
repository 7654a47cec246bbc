"""Patches for the policy, made from tables: hostile ones from spellings and places, harmless ones from fixes.

Nothing here is run; what is written stands in strings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from sections import GOLDEN, sections

HOST = sections("policy_projects.txt")[-1].parts["shop/code.py"]


def lines_of(path: str) -> list[tuple[str, str]]:
    """An import, which may be missing, and an expression after a semicolon, a line each."""
    parts = (line.rpartition("; ") for line in _lines(path))
    return [(setup, expression) for setup, _, expression in parts]


def _lines(path: str) -> list[str]:
    return (GOLDEN / path).read_text("utf-8").splitlines()


@dataclass(frozen=True, slots=True)
class Spelling:
    """Lines that come first, and an expression that does the harm; ``name`` says how."""

    name: str
    setup: str
    expression: str


def _ways(module: str, name: str, arguments: str) -> Iterator[Spelling]:
    """The ways to write a call of what does harm, and what fills them."""
    words = {"module": module, "name": name, "call": f"({arguments})"}
    words |= {"root": module.partition(".")[0], "start": name[:2], "rest": name[2:]}
    for line in _lines("policy_ways.txt"):
        way, _, code = line.format(**words).partition(": ")
        setup, _, expression = code.rpartition("; ")
        setup = setup.replace("; ", "\n")
        yield Spelling(name=f"{module}.{name}, {way}", setup=setup, expression=expression)


def _targets() -> Iterator[tuple[str, str, str]]:
    """What does harm: a module, a name in it, and the arguments of a call."""
    for line in _lines("policy_targets.txt"):
        call, _, names = line.partition("): ")
        module, _, arguments = call.partition("(")
        for name in names.split():
            yield module, name, arguments


# What needs no import of its own, or has a shape of its own.
OTHERS = [
    Spelling(name=expression[:50], setup=setup, expression=expression)
    for setup, expression in lines_of("policy_expressions.txt")
]


# Statements that reach harm by a shape of their own.
_STATEMENTS = (GOLDEN / "policy_statements.txt").read_text("utf-8")
STATEMENTS = [one.removesuffix("\n") for one in _STATEMENTS.split("# and\n")]


def spellings() -> list[Spelling]:
    """Every way to write each harm."""
    return [*(way for target in _targets() for way in _ways(*target)), *OTHERS]


PLACES = {
    "statement": "{}",
    "assignment": "result = {}",
    "function": "def run():\n    return {}",
    "method": "class A:\n    def run(self):\n        return {}",
    "class body": "class A:\n    field = {}",
    "decorator": "@(lambda f: {})\ndef run():\n    pass",
    "called decorator": "@print({})\nclass A:\n    pass",
    "default": "def run(value={}):\n    return value",
    "keyword default": "def run(*, value={}):\n    return value",
    "f-string": 'name = f"a{{{}}}"',
    "annotation": "def run(value: {}):\n    return value",
    "returned annotation": "def run() -> {}:\n    return 1",
    "variable annotation": "field: {} = 1",
    "lambda": "run = lambda: {}",
    "comprehension": "rows = [{} for _ in range(1)]",
    "condition of one": "rows = [x for x in () if {}]",
    "condition": "if {}:\n    pass",
    "argument": "print(1, end={})",
    "base class": "class A(dict, metaclass={}):\n    pass",
    "assertion": "assert {}, 1",
    "with": "with {} as x:\n    pass",
    "raise": "def run():\n    raise {}",
    "subscript": "x = [1][{}]",
    "match": "match 1:\n    case x if {}:\n        pass",
    "starred": "print(*{})",
    "conditional expression": "x = 1 if {} else 2",
    "await": "async def run():\n    return await {}",
    "global": "def run():\n    global cache\n    cache = {}",
    "a try": "try:\n    x = {}\nexcept ValueError:\n    pass",
}


def hostile(step: int = 1, *, start: int = 0) -> Iterator[tuple[str, str, str]]:
    """Name, old text and new text of hostile patches: every ``step``-th spelling, in places taken in turn."""
    turn = cycle(PLACES.items())
    for number, spelling in islice(enumerate(spellings()), start, None, step):
        place, template = next(turn)
        body = template.replace("{{{}}}", "{" + spelling.expression.replace('"', "'") + "}")
        body = body.replace("{}", spelling.expression)
        first = spelling.setup + "\n" if spelling.setup else ""
        # The imports stand at the top, or where they are wanted, or are there already and are not new.
        old = f"{first}{HOST}" if number % 3 == 1 else HOST
        new = f"{first}{HOST}\n\n{body}\n" if number % 3 else f"{HOST}\n\n{first}{body}\n"
        yield f"{spelling.name}, {place}", old, new
