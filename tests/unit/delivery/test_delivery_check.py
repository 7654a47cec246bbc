"""The conclusion of a check run: success only where nothing speaks against the change."""

from dataclasses import replace

from delivery_cases import artifact, result, vain
from every_case import every_case

from bot.delivery.check import conclusion
from bot.delivery.render import check, heading
from bot.result import Outcome


def doubted():
    found = result()
    return replace(found, evidence=replace(found.evidence, doubts=("it may be wrong",)))


@every_case(
    ("found", "ended", "title"),
    [
        (result(), "success", "Regreen verified this change"),
        (doubted(), "neutral", "which a person has to read"),
        (result(warnings=("a new file",)), "neutral", "which a person has to read"),
        (vain(), "failure", "Regreen does not verify this change"),
        (vain(Outcome.NOT_REPRODUCED), "neutral", "Regreen could not judge this change"),
        (vain(Outcome.FLAKY), "neutral", "Regreen could not judge this change"),
        (vain(Outcome.BUDGET_EXHAUSTED), "neutral", "Regreen could not judge this change"),
    ],
)
def test_a_verdict_has_its_conclusion_and_its_title(found, ended, title):
    verdict = artifact(found, judged=True)
    assert conclusion(verdict) == ended
    assert title in heading(verdict)
    assert heading(verdict) not in check(verdict)  # it is the title already
    assert "### Why this patch" not in check(verdict)
