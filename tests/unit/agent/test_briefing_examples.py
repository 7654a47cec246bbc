"""What the tests of a function say of it without anything else."""

import ast

from agent_support import result
from every_case import every_case

from bot.agent.model.briefing.examples import CHARACTERS, MOST, examples
from bot.agent.model.briefing.target import targets
from bot.domain import Suspicion

SOURCE = "def double(a):\n    return a\n\n\nclass Box:\n    def double(self):\n        return 1\n"
TEST = "test_code.py::test_double"


def said(tests, *, line=2):
    sources = {"code.py": SOURCE, "test_code.py": tests}
    target = targets(sources, (Suspicion(path="code.py", line=line, score=1.0),))[0]
    return examples(target, result(TEST), sources)


def test_assertions_are_found_in_every_test_of_the_file_in_their_order():
    tests = "def test_double():\n    assert double(1) == 2\n\ndef test_more():\n    assert double( 2 )==4\n"
    assert said(tests) == ("assert double(1) == 2", "assert double(2) == 4")


def test_where_it_is_passed_on_it_is_called_by_its_own_name():
    check = "def check(f):\n    assert f(1) == 2\n    assert max(f(2), 0) == 4\n\n"
    tests = f"{check}def test_double():\n    check(double)\n"
    assert said(tests) == ("assert double(1) == 2", "assert max(double(2), 0) == 4")


@every_case(
    "other",
    [
        "assert double(x) == 2",
        "assert other(1) == 2",
        "if x:\n        assert double(9) == 18",
        "assert double(1) == 2",
        f"assert double('{'a' * CHARACTERS}')",
    ],
)
def test_what_needs_more_says_nothing_or_is_there_already(other):
    assert said(f"def test_double():\n    assert double(1) == 2\n    {other}\n") == ()


def test_no_more_are_told_than_can_be_read():
    lines = "".join(f"    assert double({n}) == {2 * n}\n" for n in range(40))
    assert len(said(f"def test_double():\n{lines}")) == MOST


@every_case("tests", ["def (", "", f"assert double({'-' * 5000}1)\n"])
def test_a_test_that_cannot_be_read_tells_nothing(tests):
    assert said(tests) == ()


def test_a_method_stands_on_more_than_its_call():
    assert said("def test():\n    assert double(1) == 2\n    assert double(2) == 4\n", line=7) == ()


def test_the_tree_of_the_tests_stays_as_it_was():
    tests = "def check(f):\n    assert f(1) == 2\n    assert f(2) == 4\n\ndef test():\n    check(double)\n"
    assert said(tests) == said(tests)
    assert all(ast.parse(line) for line in said(tests))
