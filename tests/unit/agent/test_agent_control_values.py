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


WILD = """
class Anything:
    def __eq__(self, other):
        return True

class Quiet:
    def __enter__(self): return self
    def __exit__(self, *error): return True

def price(n):
    return Anything()

def notify(send):
    send("a", of=Anything())
"""


@pytest.mark.parametrize(
    "text",
    [
        "def test_x():\n    def inner():\n        assert price(3) == 9\n    inner()\n",
        "def check(n):\n    assert price(3) == n\n\ndef test_x():\n    check(9)\n",
        "def a(n):\n    assert n == 9\n\ndef b(n):\n    a(n)\n\ndef test_x():\n    b(price(3))\n",
        "def test_x():\n    s = mock.Mock()\n    notify(s.at)\n    s.at.assert_called_with('a', of=9)\n",
    ],
    ids=["inside", "a helper", "a helper of a helper", "a stand-in"],
)
def test_values_are_looked_at_in_what_the_test_calls(text):
    assert ending(text, space={**project(WILD), "mock": mock}) == f"{MARK} equal"


HELPED = "def check(n):\n    with Quiet():\n        assert n == 9\n\n"


def test_a_body_that_was_left_is_known_in_what_the_test_calls():
    space = project(WILD)
    assert "was left" in ending(f"{HELPED}def test_x():\n    check(3)\n", space=space)
    assert ending(f"{HELPED}def test_x():\n    check(9)\n", space=space) == f"{MARK} end"
    raises = "    import pytest\n    with pytest.raises(KeyError):\n        raise KeyError\n"
    assert ending(f"{HELPED}def test_x():\n    check(3)\n{raises}", space=space) == f"{MARK} end"


EMITS = """
def emit(callback, n):
    try:
        callback(n)
    except Exception:
        return None
"""


@pytest.mark.parametrize("last", ["", "        if n:\n            raise KeyError\n", "        return 1\n"])
def test_a_function_of_the_test_that_was_left_is_known(last):
    text = f"def test_x():\n    def seen(n):\n        assert n == 3\n{last}    emit(seen, N)\n"
    known = "was left" if not last else f"{MARK} end"
    assert known in ending(text.replace("N)", "4)"), space=project(EMITS))
    assert ending(text.replace("N)", "3)"), space=project(EMITS)) == f"{MARK} end"
