"""What a model is shown: the bare assertion, the function without its docstring, and no more than fits."""

import pytest
from agent_support import FILES, PATH, SOURCE, attempt, baseline, by_model, failed_result, runtime, swap
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from sections import sections

from bot.agent.model.briefing.brief import FRAME_TOKENS, brief_of
from bot.agent.model.briefing.failure import failure_of
from bot.agent.model.briefing.history import function_after, learned, line_of
from bot.agent.model.briefing.target import bindings, callees, marks, targets
from bot.agent.model.briefing.tokens import TokenMeter
from bot.agent.model.excerpts import Excerpt, suspicious_excerpt
from bot.agent.state import RepairState
from bot.domain import Base, RuledOut, Suspicion, Verdict
from bot.ports import Message
from sandbox.reports import Comparison, Frame, TestStatus

FIXTURE = "def test_a(tmp_path):\n    path = tmp_path / 'x'\n    assert f(path) == 2\n"
LOOP = "def test_a():\n    for x in (1, 2):\n        assert f(\n            x,\n        ) == 2\n"
SOURCES = sections("sources/briefing.txt")[0].parts
MODULE, CHECK = SOURCES["MODULE"], SOURCES["CHECK"]


def failed(*lines, path="test_x.py", **more):
    frames = tuple(Frame(path=path, line=line, function="f") for line in lines)
    return failed_result("test_x.py::test_total", **{"exception": "AssertionError", "frames": frames, **more})


def suspect(*lines, path="m.py", scores=None):
    scores = scores or [1.0] * len(lines)
    return [Suspicion(path=path, line=line, score=score) for line, score in zip(lines, scores, strict=True)]


def test_of_a_test_the_failed_assertion_is_shown_with_what_it_needs():
    sides = Comparison(operator="==", left="0", right="4")
    shown = failure_of(failed(11, 7, comparison=sides), {"test_x.py": CHECK})
    assert shown.code == 'first = 2\nassert total(first, 2) == 4, "two"'
    assert shown.values == "actual:   0\nexpected: 4"
    assert shown.text.endswith("# actual:   0\n# expected: 4")


@every_case(
    ("asserted", "sides", "values"),
    [
        ("4 == f()", ("==", "4", "5"), "actual:   5\nexpected: 4"),  # what is written out is expected
        (
            "abs(f() - 1) < 0.1",
            ("<", "0.5", "0.1"),
            "left side:  0.5\nright side: 0.1\n(expected: left < right)",
        ),
    ],
)
def test_a_comparison_says_what_was_expected_where_that_is_known(asserted, sides, values):
    operator, left, right = sides
    compared = failed(2, comparison=Comparison(operator=operator, left=left, right=right))
    assert failure_of(compared, {"test_x.py": f"def test_a():\n    assert {asserted}\n"}).values == values


@every_case(
    ("more", "words"),
    [
        ({"status": TestStatus.TIMEOUT}, "endless loop"),
        ({"status": TestStatus.CRASHED}, "crashed"),
        ({"exception": "KeyError", "message": "'a'\n\nmore"}, "raises KeyError: 'a'"),
        ({"message": "x" * 900}, "x..."),
        ({"message": ""}, "AssertionError"),
    ],
)
def test_what_came_out_in_few_words(more, words):
    values = failure_of(failed(7, **more), {"test_x.py": CHECK}).values
    assert values.endswith(words)
    assert len(values) < 400


@every_case(
    ("text", "line", "code"),
    [
        (FIXTURE, 3, FIXTURE.rstrip()),  # the head is shown where it names fixtures
        (LOOP, 3, "assert f(\n    x,\n) == 2"),  # in a block, and over several lines
        ("def f(:\n  x\n", 2, "def f(:\n  x"),  # what does not parse
        (None, 2, ""),
    ],
)
def test_what_is_shown_of_a_test(text, line, code):
    assert failure_of(failed(line), {} if text is None else {"test_x.py": text}).code == code


def test_a_test_that_is_a_command_has_no_code():
    assert failure_of(failed_result("make test"), {"a.py": ""}).code == ""


def test_a_method_with_what_it_uses():
    (target,) = targets({"m.py": MODULE}, suspect(18))
    assert (target.name, target.start, target.end) == ("Cart.total", 12, 20)
    assert target.promise == "The sum.\n\nOf all."
    assert "The sum" not in target.code
    assert target.numbered.split("\n")[:2] == [
        "12|     def total(self, items):",
        "17|         rest = helper(math.pi) * RATE",
    ]
    assert target.head == "def total(self, items):"
    assert callees(target, {"m.py": MODULE}) == ("def helper(x):\n    return x",)
    assert bindings(target, {"m.py": MODULE}) == "import math\nRATE = 3"


def test_a_constant_that_is_nested_too_deeply_is_named():
    text = f"LONG = {' + '.join(['1'] * 2_000)}\n\n\ndef f(a):\n    return a - LONG\n"
    (target,) = targets({PATH: text}, [Suspicion(path=PATH, line=5, score=1.0)])
    assert bindings(target, {PATH: text}) == "# LONG: too long to be shown"


def test_lines_are_marked_only_where_they_stand_out():
    (target,) = targets({"m.py": MODULE}, suspect(19, 17, scores=[0.9, 0.2]))
    assert list(marks(target)) == ["rest -= item"]
    (target,) = targets({"m.py": MODULE}, suspect(17, 18, 19, 20))
    assert list(marks(target)) == []


def test_a_function_within_another_is_shown_with_it_and_long_ones_are_left_out():
    nested = "def outer(a):\n    def inner(b):\n        return b\n    return inner(a)\n"
    assert [t.name for t in targets({"m.py": nested}, suspect(3))] == ["outer"]
    long = "def f():\n" + "    x = 1\n" * 200
    assert targets({"m.py": long, "n.py": nested}, [*suspect(9), *suspect(4, path="n.py")])[0].path == "n.py"
    assert targets({"m.py": "def f(:\n"}, suspect(1)) == ()


def test_tokens_are_estimated_too_high_rather_than_too_low_and_learned():
    meter = TokenMeter()
    before = meter.count(SOURCE)
    assert len(SOURCE) / 6 < before < len(SOURCE)
    meter.learn(100, 150)
    assert meter.count(SOURCE) == pytest.approx(1.5 * before, abs=2)
    meter.learn(100, 50)  # an easy text moves it by half
    assert meter.count(SOURCE) == pytest.approx(1.125 * before, abs=2)
    for nonsense in ((0, 5), (5, 0), (-1, 5)):
        meter.learn(*nonsense)
    assert meter.count(SOURCE) == pytest.approx(1.125 * before, abs=2)
    assert meter.of([Message(role="user", content="")]) > 0


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6))), st.text())
def test_no_report_makes_an_estimate_absurd(reports, text):
    meter = TokenMeter()
    plain = meter.count(text)
    for estimated, reported in reports:
        meter.learn(estimated, reported)
    assert 0.5 * plain - 1 <= meter.count(text) <= 3 * plain + 1


def state(**more):
    return RepairState(
        **{"baseline": baseline(), "suspicions": (Suspicion(path=PATH, line=2, score=1.0),), **more}
    )


def shown(room, files=FILES, **more):
    """What a model is shown within ``room`` tokens."""
    return brief_of(state(**more), runtime(strategy="react", files=files).context, room=room)


def test_a_brief_leaves_out_what_does_not_fit_the_least_telling_first():
    history = tuple(
        attempt(by_model(swap("a - b", f"a * {n}"), n), Verdict.FAILING, detail="x" * 60) for n in range(1, 9)
    )
    full = shown(2000, history=history)
    assert (full.path, full.target.name, len(full.history)) == (PATH, "total", 5)
    assert full.code == "def total(a, b):\n    return a - b"
    small = shown(FRAME_TOKENS + 60, history=history)
    assert (small.code, small.history) == (full.code, ())


def test_what_is_too_long_is_cut_around_the_suspicious_line():
    body = "".join(f"    x{n} = {n}\n" for n in range(60))
    files = {**FILES, PATH: f"def total(a, b):\n{body}    return a - b\n"}
    brief = shown(300, files, suspicions=tuple(suspect(40, path=PATH)))
    assert brief.target is None  # of a part, the whole cannot be asked back
    assert "40|     x38 = 38" in brief.numbered
    assert TokenMeter().count(brief.numbered) < 300


def test_without_a_suspicious_function_the_neighbourhood_is_shown():
    brief = shown(900, {**FILES, PATH: "VALUE = 3\n"}, suspicions=tuple(suspect(1, path=PATH)))
    assert (brief.target, brief.path) == (None, PATH)
    assert "VALUE = 3" in brief.code
    assert shown(900, suspicions=()).code == ""


def test_a_try_is_told_in_one_line():
    tried = attempt(by_model(swap("a - b", "a * b")), Verdict.FAILING, detail="t: AssertionError: no")
    assert line_of(tried, FILES) == "return a * b: t: AssertionError: no"
    ended = failed_result("test_x.py::t", exception="KeyError", message="'a'\nb")
    tried = attempt(tried.candidate, Verdict.FAILING, endings=(ended,), gain="fails later")
    assert line_of(tried, FILES) == "return a * b: raises KeyError: 'a' b (fails later)"
    deleted = attempt(by_model(swap("    return a - b\n", "")), Verdict.FAILING, detail="x")
    assert line_of(deleted, FILES) == "(deleted): x"


def test_what_a_search_learned_is_told():
    near = attempt(swap("a - b", "a"), Verdict.FAILING, progress=0.4, gain="fails later")
    found = learned(
        RepairState(
            drawn=7,
            bases=(
                Base(attempt=near, known_at=1),
                Base(attempt=attempt(by_model(near.candidate)), known_at=2),
            ),
            ruled_out=RuledOut(operators=(("wrap", 5), ("two changes", 2))),
        ),
        FILES,
    )
    assert found == "nearer, not enough: return a (fails later)\nin vain: 7 small changes (wrap)"
    assert learned(RepairState(), FILES) == ""


def test_a_function_as_an_attempt_leaves_it():
    (target,) = targets({"m.py": MODULE}, suspect(19))
    change = swap("rest -= item", "rest += item", path="m.py", text=MODULE)
    after = function_after(attempt(change), target, {"m.py": MODULE})
    assert after.strip().startswith("def total(self, items):\n        rest = helper")
    assert "rest += item" in after
    assert "The sum" not in after
    assert function_after(attempt(swap("a - b", "a")), target, {**FILES, "m.py": MODULE}) == ""


def test_lines_that_only_the_parser_counts_are_not_taken_for_others():
    files = {**FILES, PATH: "def total(a,\rb):\n    c = a\n    return c - b\n"}
    brief = shown(2000, files, suspicions=suspect(4, path=PATH))
    assert (brief.target, brief.marks) == (None, ())


CODE = SOURCES["PLACES"]
LONG = "def f():\n" + "".join(f"    x = {n}\n" for n in range(500))


@every_case(
    ("text", "line", "lines"),
    [
        (CODE, 8, (4, 8)),  # a function with its decorators
        (CODE, 7, (6, 7)),  # the innermost one
        (CODE, 13, (12, 13)),
        (CODE, 16, (6, 17)),  # outside of functions, the neighbourhood
        ("def f(:\n    x\n", 1, (1, 3)),
        (LONG, 250, (210, 289)),  # cut around the line
    ],
)
def test_what_is_shown_around_a_line(text, line, lines):
    excerpt = suspicious_excerpt({"m.py": text}, suspect(line))
    assert excerpt.start == lines[0]
    assert excerpt.text.split("\n") == text.split("\n")[lines[0] - 1 : lines[1]]


def test_the_first_line_that_some_source_has_decides():
    lines = [*suspect(8, path="gone.py"), *suspect(13), *suspect(8)]
    assert suspicious_excerpt({"m.py": CODE}, lines).start == 12
    assert suspicious_excerpt({}, lines) is None


def test_numbers_are_those_of_the_file():
    assert Excerpt(path="m.py", start=9, text="a\r\nb").numbered == "9| a\n10| b"
