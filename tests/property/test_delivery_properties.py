"""Whatever strangers write, what Regreen says on GitHub mentions, links and hides nothing of it."""

import json
import re
from dataclasses import replace

import pytest
from delivery_cases import AFTER, BEFORE, PATH, PULL, artifact, result, state, vain
from fakes.github_markdown import read
from hypothesis import example, given
from hypothesis import strategies as st

from bot.delivery import markdown, render
from bot.delivery.options import Delivered, DeliveryStep
from bot.delivery.proposal import dump, load
from bot.delivery.render import apply_script
from bot.delivery.sticky import kept, packed_line, read_artifact, read_state
from bot.delivery.suggestions import place
from bot.domain import Baseline, Suspicion
from bot.errors import DeliveryError
from bot.github.records import ChangedFile
from bot.result import (
    Basis,
    Choice,
    Difference,
    Outcome,
)
from examples import examples
from sandbox.reports import TestResult, TestStatus

NASTY = [
    *("@octocat", "#12", "fixes #3", "GH-7", "octo/app#1", "deadbeef", "defaced"),
    *("https://evil.example/x", "www.evil.example", "a@b.example", "<!--", "-->"),
    *("<img src=x onerror=y>", "</details>", "<b>", "&#64;x", "```", "~~~", "``", "`"),
    *("[x](https://evil.example)", "![x](http://y)", "|", "\\|", "\\", "\\\\|", ":tada:", "\n", "\r\n"),
    *("\r", "\t", "\n\n", "    ", "# h", "- x", "1. x", "> q", "---", "===", "\u202e", "\u200b", "\x00"),
    *("\x1b[31m", "\udcff", "\ud800", "\U000e0041", "\ufe0f", "\u3164", "é", "\u540d", "$x$", "*b*"),
    *("_i_", "~~s~~", "<!-- regreen:state:1 {} -->", "::error::x", "/regreen apply", "word", "(", ")"),
    *("REGREEN", "[^1]: x"),
]
PARTS = st.lists(st.sampled_from(NASTY) | st.text(max_size=5), max_size=8)
HOSTILE = PARTS.map("".join) | PARTS.map(" ".join)
OUR_HTML = re.compile(
    r"\s*(</?details( open)?>|<summary>[A-Z][a-z, ]+</summary>|</?sub>|<!-- regreen:[a-z]+[^<>]* -->|\s)*\s*"
)


def harmless(text: str) -> None:
    page = read(text)
    assert not page.acted_upon
    assert all(OUR_HTML.fullmatch(html) for html in page.html), page.html
    assert all(link.startswith("https://github.com/octo/app/") for link in page.links), page.links
    text.encode()
    assert len(text) <= markdown.LIMIT


def repaired(text: str):
    failing = TestResult(test=text or "t", status=TestStatus.FAILED, exception=text, message=text)
    difference = Difference(alternative=text, call=text, chosen=text, other=text)
    return result(
        baseline=Baseline(
            failing=(failing,), flaky=((text or "t", 1),), unsteady=((text or "t", text),), runs=3
        ),
        explanation=text,
        choice=Choice(
            alternatives=1, behaviours=2, inputs=3, basis=Basis.LOOKS, reason=text, differences=(difference,)
        ),
        evidence=replace(result().evidence, sandbox=text),
        suspicions=(Suspicion(path=text or "x", line=1, score=0.5),),
        ruled_out=replace(result().ruled_out, operators=((text, 3),)),
    )


@given(HOSTILE)
@example("\\|")
@example("`" * 40)
@example("a" * 100_000)
@examples(50)
def test_a_comment_is_harmless_and_can_be_read_again(text):
    proposed = artifact(repaired(text), job=text, notes=(text, text))
    steps = kept(
        (DeliveryStep(rung="suggestion", done=False, detail=text[:300].encode("utf-8", "replace").decode()),)
    )
    known = state(proposed, kind="comment", steps=steps, why="x")
    body = render.comment(proposed, known, pull=PULL, diff=proposed.diff)
    harmless(body)
    assert read_state(body) == known
    assert read_artifact(body) == proposed


@given(HOSTILE)
@examples(20)
def test_every_other_page_is_harmless(text):
    proposed, known = (
        artifact(repaired(text), job=text, notes=(text,)),
        state(status="withdrawn", why=text[:50].encode("utf-8", "replace").decode()),
    )
    harmless(render.comment(proposed, known, pull=PULL, diff=""))
    harmless(render.pull_body(proposed, pull=PULL, diff=text, branch="regreen/fix-7-0"))
    harmless(render.withdrawn_pull_body("x", text))
    harmless(render.explanation(proposed, known, marker="<!-- regreen:answer 1 -->", diff=text))
    harmless(render.review_body(proposed, 2))
    harmless(render.answer("<!-- regreen:answer 1 -->", text))
    harmless(render.withdrawn_suggestion("<!-- regreen:suggestion 0 -->", text))
    harmless(render.summary(proposed, Delivered(kind="none", reason=text), problem=text))
    found = vain(Outcome.FLAKY, text, baseline=repaired(text).baseline)
    none = artifact(found, cause="flaky/timing", advice=text)
    harmless(render.summary(none))
    harmless(render.comment(none, known, pull=PULL, diff=""))


@given(HOSTILE)
@examples(150)
@example("a\n```\nb")
@example("~~~\n`````")
def test_code_comes_out_as_it_went_in(text):
    shown = markdown.one_line(text)
    assert read(markdown.code(text)).code == ([shown] if shown else [])
    page = read(f"| a |\n|---|\n| {markdown.cell(text)} |\n")
    assert page.kinds.count("td_open") == 1
    assert [cell.replace("¦", "|") for cell in page.code] == ([shown.replace("¦", "|")] if shown else [])
    assert read(markdown.fence(text)).code == [markdown.visible(text).removesuffix("\n") + "\n"]


@given(st.text(max_size=60), st.integers(min_value=0, max_value=40))
def test_a_fence_is_never_cut_in_its_middle(text, limit):
    page = read(markdown.fence(text, limit=limit))
    assert page.kinds[0] == "fence"
    kept_lines = page.code[0].removesuffix("\n")
    assert markdown.visible(text).startswith(kept_lines)


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "```\n", "\tx\n", "d"]), max_size=12).map(
    lambda lines: "".join(line if line.endswith("\n") or line is lines[-1] else line + "\n" for line in lines)
)


@given(LINES, LINES, st.integers(0, 12), st.integers(0, 12))
@examples(150)
def test_suggestions_that_are_applied_give_the_patched_file(old, new, first, length):
    lines = old.splitlines(keepends=True)
    shown = lines[first : first + length]
    hunk = "".join(
        f"+{line}" if line.endswith("\n") else f"+{line}\n\\ No newline at end of file\n" for line in shown
    )
    diff = [
        ChangedFile(
            path="a.py", status="modified", patch=f"@@ -0,0 +{first + 1},{len(shown)} @@\n{hunk}".rstrip("\n")
        )
    ]
    placement = place({"a.py": old.encode()}, {"a.py": new.encode()}, diff)
    if placement.problem:
        assert not placement.suggestions
        return
    ends = 10**9
    for one in reversed(placement.suggestions):
        assert first < one.start <= one.end <= first + len(shown)
        assert one.end < ends
        ends = one.start
        lines[one.start - 1 : one.end] = one.lines
    assert "".join(lines) == new


def test_what_lies_within_the_diff_is_placed():
    patch = "@@ -1,6 +1,6 @@\n" + "".join(f" {line}\n" for line in BEFORE.decode().splitlines())
    diff = [ChangedFile(path=PATH, status="modified", patch=patch.rstrip("\n"))]
    (one,) = place({PATH: BEFORE}, {PATH: AFTER}, diff).suggestions
    assert (one.start, one.end, one.lines) == (2, 2, ("    return net + tax\n",))


def test_what_is_inserted_on_both_sides_of_a_line_is_one_suggestion():
    diff = [ChangedFile(path=PATH, status="modified", patch="@@ -2,2 +2,2 @@\n b\n c")]
    placement = place({PATH: b"a\nb\nc\nd\n"}, {PATH: b"a\nX\nb\nY\nc\nd\n"}, diff)
    (one,) = placement.suggestions
    assert (one.start, one.end, one.lines) == (2, 2, ("X\n", "b\n", "Y\n"))


@given(st.data())
@examples(150)
def test_a_proposal_that_was_tampered_with_is_read_or_refused_in_a_line(data):
    document = json.loads(dump(artifact()))
    name = data.draw(st.sampled_from(sorted(document)))
    odd = st.sampled_from([None, [{}], "x" * 800_000]) | st.integers() | st.text(max_size=5) | st.booleans()
    document[name] = data.draw(odd)
    assert re.fullmatch(".{0,400}", refusal(json.dumps(document).encode()))


def refusal(content: bytes) -> str:
    try:
        load(content)
    except DeliveryError as error:
        return str(error)
    return ""


@given(st.binary(max_size=60))
def test_what_is_no_proposal_is_refused(content):
    with pytest.raises(DeliveryError, match="refused"):
        load(content)


@given(HOSTILE)
def test_the_script_ends_where_the_diff_ends(text):
    diff = markdown.visible(text) + "\n"
    first, *lines, last = apply_script(diff).split("\n")
    assert first == f"git apply <<'{last}'"
    assert last not in lines
    assert "\n".join(lines) == diff.removesuffix("\n")


@given(HOSTILE)
def test_the_packed_proposal_is_left_out_rather_than_cut(text):
    line = packed_line(artifact(repaired(text * 50)))
    assert not line or read_artifact(f"x\n{line}") is not None
