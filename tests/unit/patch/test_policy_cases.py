"""The policy's verdict on code that a patch adds, kept as plain text: ``tests/golden/policy``.

A file of cases begins with a project, whose first file gets the code of each case at its end. Every other
section holds cases of one verdict: its ``code`` is one, and so is each line of ``lines``, and each block of
``blocks``, which blank lines part. The code stands in ``around``, at ``{}``; where there is an ``old``, that
stood there before.
"""

from collections.abc import Iterator
from typing import NamedTuple

from every_case import every_case
from policy_support import Judgement, codes, judged
from sections import GOLDEN, Section, sections

VERDICTS = {
    "refused": lambda found: bool(found.refused),
    "shown": lambda found: bool(found.shown) and not found.refused,
    "held": lambda found: bool(found.refused or found.shown),
    "allowed": lambda found: found == Judgement(),
}


class Case(NamedTuple):
    """Code that is added to the first file of a project, and what the policy says of that."""

    files: dict[str, str]
    old: str
    new: str
    verdict: str
    reason: str


def cases_of(name: str) -> Iterator[Case]:
    project, *groups = sections(f"policy/{name}")
    host = next(iter(project.parts.values()))
    for group in groups:
        facts = project.facts | group.facts
        old = f"{host}\n\n{put_in(group, group.parts['old'])}" if "old" in group.parts else host
        for code in codes(group):
            new = f"{host}\n\n{put_in(group, code)}\n"
            yield Case(project.parts, old, new, facts["verdict"], facts.get("reason", ""))


def put_in(group: Section, code: str) -> str:
    around = group.parts.get("around", "{}")
    blanks = around.partition("{}")[0].rpartition("\n")[2]
    indent = blanks if blanks.isspace() else ""
    return around.replace("{}", code.strip("\n").replace("\n", f"\n{indent}"))


FILES = sorted((GOLDEN / "policy").glob("*.txt"))
CASES = [case for path in FILES for case in cases_of(path.name)]


@every_case("case", CASES, ids=[case.new[-200:] for case in CASES])
def test_a_case_has_its_verdict(case):
    path = next(iter(case.files))
    assert case.new.strip() != case.old.strip(), "a case that adds nothing tests nothing"
    found = judged(case.new, {**case.files, path: case.old})
    assert VERDICTS[case.verdict](found), (case.verdict, found)
    assert case.reason in "; ".join((*found.refused, *found.shown))
    assert not any("syntax" in why for why in found.refused), "what does not parse tests nothing"
