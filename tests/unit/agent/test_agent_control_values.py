"""Values whose equality looks at nothing: the altered copy of a test notices them wherever they stand."""

import decimal
from unittest import mock

import pytest
from case_rows import rows
from control_support import MARK, ending, project
from every_case import every_case
from sections import sections

SHOP = sections("sources/agent_control_values.txt")[0].parts["SHOP"]


def ended(compared, value, **more):
    """What a test with this comparison raises, where the project's ``f`` gives this value."""
    space = project(SHOP.replace("VALUE", value))
    text = f"def test_x():\n    expected = 5\n    assert {compared}\n"
    return ending(text, space={**space, "approx": pytest.approx, "mock": mock, "decimal": decimal, **more})


@every_case(("compared", "value"), rows("controls/noticed.txt"))
def test_a_value_that_equals_what_it_does_not_look_at_is_noticed(compared, value):
    assert ended(compared, value) == f"{MARK} equal"


@every_case(("call", "value"), rows("controls/methods.txt"))
def test_an_assertion_method_is_handed_such_a_value(call, value):
    case = f"import unittest\nclass TestX(unittest.TestCase):\n    def runTest(self):\n        self.{call}\n"
    assert ending(case, "TestX::runTest", project(SHOP.replace("VALUE", value))) == f"{MARK} equal"


@every_case(("compared", "value"), rows("controls/right.txt"))
def test_a_right_value_is_no_suspect(compared, value):
    more = {"infinite": float("inf"), "numbers": iter([1]), "near": lambda value: pytest.approx(value, abs=9)}
    assert ended(compared, value, **more) == f"{MARK} end"


@every_case("compared", ["Own() == f()", "f() == Own()", "[Own()] == [f()]", "Own() in [f()]"])
def test_a_value_of_the_tests_own_may_equal_everything(compared):
    own = "class Own:\n    def __eq__(self, other): return True\n"
    text = f"{own}def test_x():\n    assert {compared}\n"
    assert ending(text, space=project(SHOP.replace("VALUE", "6"))) == f"{MARK} end"
    # What the tests define hides no value of the project.
    assert ending(f"{own}def test_x():\n    assert f() == 6\n", space=project(SHOP.replace("VALUE", "Any()")))


@every_case("line", ['assert"a"==f()', "assert[5]==f(),1", "assert 5in f()", "assert(f())==6"])
def test_a_comparison_without_blanks_is_altered_too(line):
    space = project(SHOP.replace("VALUE", "Any()" if "in" not in line else "[Any()]"))
    assert ending(f"def test_x():\n    {line}\n", space=space) == f"{MARK} equal"


def test_a_value_that_holds_itself_ends():
    space = project("def f():\n    found = []\n    found.append(found)\n    return found\n")
    assert ending("def test_x():\n    x = f()\n    assert x[0] == x\n", space=space) == f"{MARK} end"
