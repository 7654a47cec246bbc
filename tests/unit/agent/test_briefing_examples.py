"""What the tests of a function say of it without anything else."""

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


PASSED_ON = (
    "def check(f):\n    assert f(1) == 2\n    assert max(f(2), 0) == 4\n\ndef test():\n    check(double)\n"
)
TWO = "def test_double():\n    assert double(1) == 2\n\ndef test_more():\n    assert double( 2 )==4\n"
NOTHING_MORE = (
    *("assert double(x) == 2", "assert other(1) == 2", "if x:\n        assert double(9) == 18"),
    *("assert double(1) == 2", f"assert double('{'a' * CHARACTERS}')"),
)


@every_case(
    ("tests", "told"),
    [
        (TWO, ("assert double(1) == 2", "assert double(2) == 4")),
        (PASSED_ON, ("assert double(1) == 2", "assert max(double(2), 0) == 4")),  # called by its own name
        *((f"def test():\n    assert double(1) == 2\n    {more}\n", ()) for more in NOTHING_MORE),
        # what cannot be read
        *((text, ()) for text in ("def (", "", f"assert double({'-' * 5000}1)\n")),
    ],
)
def test_assertions_are_told_from_every_test_of_the_file_where_there_are_several(tests, told):
    assert said(tests) == told
    assert said(tests) == told, "the tree of the tests stays as it was"


def test_no_more_are_told_than_can_be_read():
    lines = "".join(f"    assert double({n}) == {2 * n}\n" for n in range(40))
    assert len(said(f"def test_double():\n{lines}")) == MOST


def test_a_method_stands_on_more_than_its_call():
    assert said("def test():\n    assert double(1) == 2\n    assert double(2) == 4\n", line=7) == ()
