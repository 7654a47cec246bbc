"""The attacks on verdicts, and the project that they attack; docs/sandbox_tables.py shows them."""

import textwrap
from dataclasses import dataclass

from sections import Section, sections

EARLY = "the verdict cannot be believed: control tests failed before their end"
EQUAL = "compares a value that equals everything"
# Three of its tests fail until ``price`` is right, and one passes.
PROJECT = sections("attacks/project.txt")[0].parts
SHOP = PROJECT["shop.py"]
WRONG_LINE = "    return n + 1\n"
RIGHT = SHOP.replace("n + 1", "2 * n")
WRONG = SHOP.replace("n + 1", "n - 1")
FAILING = ("test_shop.py::test_price", "test_shop.py::TestOld::test_price", "test_shop.py::test_text")
PASSING = "test_shop.py::test_greeting"


@dataclass(frozen=True, kw_only=True)
class Attack:
    """What a candidate or the tests' own code does to be taken for right.

    Attributes:
        candidate: the source of ``shop.py``: code that runs in the function under test, or behind it.
        files: test code that is laid over the project, or is its own where ``of_the_project``.
        isolated: it is tried only where the provider is a boundary.
        reason: a part of the proof's objection.
        against: what stands against what the runner cannot see.
    """

    name: str
    what: str
    candidate: str
    files: dict[str, str]
    isolated: bool
    of_the_project: bool
    reason: str
    against: str


def _attack(case: Section) -> Attack:
    code = case.parts.get("code", "")
    answer = f"    return {case.facts['answer']}\n" if "answer" in case.facts else WRONG_LINE
    inside = SHOP.replace(WRONG_LINE, textwrap.indent(code, "    ") + answer)
    return Attack(
        name=case.name,
        what=case.facts["what"],
        candidate=SHOP + code if "at import" in case.facts else inside,
        files=case.parts,
        isolated="isolated" in case.facts,
        of_the_project="of the project" in case.facts,
        reason=case.facts.get("reason", ""),
        against=case.facts.get("against", ""),
    )


CANDIDATES, FORGERIES, HOSTILE, RESIDUAL = (
    [_attack(case) for case in sections(f"attacks/{name}.txt")]
    for name in ("candidates", "forgeries", "tests", "residual")
)
