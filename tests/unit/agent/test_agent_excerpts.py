"""What a model is shown: the suspicious functions, whole where they fit, and the failing end of the test."""

from agent_support import red

from bot.agent import excerpts
from bot.agent.excerpts import EXCERPT_LINES, TEST_LINES, Excerpt, suspicious_excerpts
from bot.domain import Suspicion
from sandbox.reports import Frame

# not by its own name, by which pytest would take it for a test
excerpt_of_test = excerpts.test_excerpt

CODE = (
    "import os\n\n\n"
    "@cached\ndef outer(a):\n    def inner(b):\n        return b\n    return inner(a)\n\n\n"
    "class Shop:\n    async def total(self):\n        return 1\n\n\n"
    "VALUE = 3\n"
)


def suspect(*lines, path="m.py"):
    return [Suspicion(path=path, line=line, score=1.0) for line in lines]


def spans(shown):
    return [(excerpt.start, excerpt.end) for excerpt in shown]


def test_the_innermost_function_with_its_decorators():
    assert spans(suspicious_excerpts({"m.py": CODE}, suspect(8))) == [(4, 8)]
    assert spans(suspicious_excerpts({"m.py": CODE}, suspect(7))) == [(6, 7)]
    (method,) = suspicious_excerpts({"m.py": CODE}, suspect(13))
    assert method.text == "    async def total(self):\n        return 1"


def test_a_line_outside_of_functions_comes_with_its_neighbourhood():
    assert spans(suspicious_excerpts({"m.py": CODE}, suspect(16))) == [(6, 17)]
    assert spans(suspicious_excerpts({"m.py": "def f(:\n    x\n"}, suspect(1))) == [(1, 3)]


def test_lines_of_one_function_give_one_excerpt_and_the_number_is_limited():
    sources = {"m.py": CODE, "n.py": CODE}
    lines = [*suspect(13), *suspect(12), *suspect(8, path="n.py"), *suspect(13, path="n.py")]
    shown = suspicious_excerpts(sources, lines)
    assert [(excerpt.path, excerpt.start) for excerpt in shown] == [("m.py", 12), ("n.py", 4)]
    assert len(suspicious_excerpts(sources, lines, limit=3)) == 3


def test_files_that_are_no_sources_are_left_out():
    assert suspicious_excerpts({}, suspect(1)) == ()


def test_a_long_function_is_cut_around_the_line():
    text = "def f():\n" + "".join(f"    x = {n}\n" for n in range(500))
    (excerpt,) = suspicious_excerpts({"m.py": text}, suspect(250))
    assert excerpt.end - excerpt.start + 1 == EXCERPT_LINES
    assert excerpt.start < 250 < excerpt.end
    assert "    x = 248" in excerpt.text.split("\n")


def test_numbers_are_those_of_the_file():
    assert Excerpt(path="m.py", start=9, end=10, text="a\r\nb").numbered == "9| a\n10| b"


def test_the_test_is_shown_up_to_the_line_that_failed():
    text = "def test_a():\n    x = 1\n    assert x == 2\n    after = 3\n"
    failure = red("t.py::test_a", frames=(Frame(path="t.py", line=3, function="test_a"),))
    assert excerpt_of_test({"t.py": text}, failure) == "def test_a():\n    x = 1\n    assert x == 2"


def test_a_long_test_keeps_its_head_and_its_end():
    text = "def test_a():\n" + "".join(f"    x = {n}\n" for n in range(40)) + "    assert x == 2\n"
    failure = red("t.py::test_a", frames=(Frame(path="t.py", line=42, function="test_a"),))
    shown = excerpt_of_test({"t.py": text}, failure).split("\n")
    assert shown[:2] == ["def test_a():", "    ..."]
    assert len(shown) == TEST_LINES + 2
    assert shown[-1] == "    assert x == 2"


def test_a_test_that_cannot_be_found_is_left_out():
    assert excerpt_of_test({}, red("t.py::test_a")) == ""
    assert excerpt_of_test({"t.py": "x\n"}, red("t.py::test_a")) == ""


def test_the_test_of_a_command_is_the_program_that_it_runs():
    text = "from m import f\n\nassert f(1) == 2\n"
    frames = (Frame(path="check.py", line=3, function="<module>"), Frame(path="m.py", line=2, function="f"))
    failure = red("python check.py", frames=frames)
    assert excerpt_of_test({"check.py": text, "m.py": CODE}, failure).strip().endswith("assert f(1) == 2")
    assert excerpt_of_test({"m.py": CODE}, red("python check.py", frames=frames[:1])) == ""
    assert excerpt_of_test({"m.py": CODE}, red("make test")) == ""
