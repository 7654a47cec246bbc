"""Backward slices within functions: what had no part in how a function ended is less suspicious."""

import time

from every_case import every_case
from sections import sections

from bot.domain import Suspicion
from bot.search.dependence import relevance, weighed
from bot.search.source import parse
from sandbox.reports import Steps, TestResult, TestStatus


def factors(text, *last):
    return relevance(parse("m.py", text), [last or range(1, text.count("\n") + 1)])


def outside(text, *last):
    """The lines that the slice leaves out."""
    return {line for line, factor in factors(text, *last).items() if factor <= 0.5}


@every_case("case", sections("dependence.txt"))
def test_the_slice_leaves_out_the_lines_that_say_so(case):
    text = case.parts["code"]
    marked = {number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# outside")}
    assert outside(text, *map(int, case.facts.get("last", "").split())) == marked


def test_the_branches_of_a_match_are_statements_of_their_own():
    text = (
        "def f(a):\n    note = 1\n    match a:\n        case 1:\n            b = note\n            return 0\n"
        "        case {'c': 2, **rest}:\n            c = rest\n            return c\n"
    )
    assert outside(text, 2, 3, 4, 7, 8, 9) == {2, 5}
    found = factors(text, 2, 3, 4, 7, 8, 9)
    assert found[9] > found[8] == found[7] > 0.9


def test_many_tests_that_end_alike_are_sliced_once():
    body = "".join(f"    v{number} = v{number - 1} + 1\n" for number in range(1, 150))
    source = parse("m.py", f"def f(v0):\n{body}    return v149\n")
    started = time.process_time()
    once = relevance(source, [range(2, 152)])
    alone = time.process_time() - started
    started = time.process_time()
    assert relevance(source, [range(2, 152)] * 40) == once
    # A slice takes time in the square of the function's length; forty took forty times as long.
    assert time.process_time() - started < 10 * max(alone, 0.02)


def test_the_nearer_is_the_more_suspicious_and_what_did_not_run_is_left_alone():
    found = factors("def f(a):\n    b = a\n    c = b\n    return c\n\n\ndef g(a):\n    return a\n", 2, 3, 4)
    assert found[4] == 1.0 > found[3] > found[2] > 0.9
    assert set(found) == {2, 3, 4}


@every_case("last", [(), (99,), (1, 1, 2)])
def test_odd_traces_do_no_harm(last):
    text = "def f(a):\n    return a\n"
    assert set(relevance(parse("m.py", text), [last])) <= {1, 2}


def test_suspicions_are_weighed_and_ranked_anew():
    text = "def f(a, b):\n    note = b\n    return a\n"
    suspicions = [Suspicion(path="m.py", line=2, score=1.0), Suspicion(path="m.py", line=3, score=0.9)]
    suspicions.append(Suspicion(path="gone.py", line=1, score=0.2))
    failed_result = TestResult(
        test="t", status=TestStatus.FAILED, steps=Steps(count=0, last={"m.py": (2, 3), "gone.py": (1,)})
    )
    found = weighed(suspicions, {"m.py": text}, [failed_result])
    assert [(s.path, s.line, round(s.score, 3)) for s in found] == [
        ("m.py", 3, 1.0),
        ("m.py", 2, 0.556),
        ("gone.py", 1, 0.222),
    ]
    assert weighed(suspicions, {"m.py": text}, []) == tuple(suspicions)
