"""Tests that a change of one literal left behind, whatever form their assertions have."""

from agent_support import PROJECTS
from agent_support import repaired as repair
from every_case import every_case
from fakes.testbed import FakeTestbed, FakeTestbeds

from bot.request import Budget
from bot.result import Outcome

BASE = {"hi.py": PROJECTS["greeting"]["hi.py"]}
FORMS = {
    "in": "def test_old():\n    assert 'Hello' in greet('a')\n",
    "truth": "def test_old():\n    assert greet('a').startswith('Hello')\n",
    "split": "def test_old():\n    words = greet('a').split()\n    assert words[0] == 'Hello'\n",
}
IMPORT = "from hi import greet\n\n\n"
NEEDS = "def test_new():\n    assert greet('b').endswith('day b')\n"
NEEDS_NOT = "def test_new():\n    assert greet('b').endswith('b')\n"


def repaired(test, *, new=NEEDS, head=None, base=None, **more):
    old = {**(base or BASE), "test_a.py": IMPORT + test}
    code = head or BASE["hi.py"].replace("Hello", "Good day")
    files = {**old, "hi.py": code, **({"test_c.py": IMPORT + new} if new else {})}
    return repair(
        files,
        base={"hi.py": old["hi.py"]},
        base_name="main",
        base_whole=True,
        base_lacks=frozenset({"test_c.py"}),
        budget=Budget(attempts=200),
        testbeds=FakeTestbeds(lambda _number: FakeTestbed(files)),
        base_testbeds=FakeTestbeds.of(old),
        **more,
    )


@every_case("form", FORMS)
def test_a_test_of_the_change_that_needs_the_new_literal_shows_the_purpose(form):
    found = repaired(FORMS[form])
    assert (found.outcome, found.cause) == (Outcome.NOT_CODE, "outdated_test"), form
    (one,) = found.outdated
    assert one.because == "test_c.py::test_new, a test of this change, needs that"


@every_case("form", FORMS)
def test_a_test_of_the_change_that_passes_without_it_shows_nothing(form):
    assert repaired(FORMS[form], new=NEEDS_NOT).cause == "", form


@every_case(
    ("line", "cause"),
    [
        ("greet: say Good day in place of Hello", "outdated_test"),
        ("greet: say Good night in place of Hello", ""),
        ("greet is faster", ""),
    ],
)
def test_the_words_of_the_change_have_to_name_what_stands_in_the_code(line, cause):
    assert repaired(FORMS["in"], new="", documents=(line,)).cause == cause


def test_code_that_raises_is_no_outdated_test():
    """The test does not get as far as what it asserts."""
    base = {"hi.py": "SIGNS = {'a': 'Hello'}\n\n\ndef greet(name):\n    return SIGNS['a'] + name\n"}
    head = base["hi.py"].replace("SIGNS['a']", "SIGNS['b']")
    line = "greet: take 'b' in place of 'a'"
    assert repaired(FORMS["in"], base=base, head=head, new="", documents=(line,)).outdated == ()


REFUSES = "    if len(name) > most:\n        raise ValueError(name)\n"
STRICT = f"def greet(name, most=9):\n{REFUSES}    return 'Hello ' + name\n"
LONG = "def test_old():\n    assert greet('Somebody') == 'Hello Somebody'\n"


@every_case(
    ("base", "line", "cause"),
    [
        (STRICT, "greet: the default of most is 7 in place of 9", "outdated_test"),
        (STRICT, "greet is faster", ""),
    ],
)
def test_code_that_refuses_on_purpose_what_the_words_speak_of_leaves_a_test_outdated(base, line, cause):
    head = base.replace("most=9", "most=7")
    found = repaired(LONG, base={"hi.py": base}, head=head, new="", documents=(line,))
    assert found.cause == cause


def test_an_error_that_is_raised_because_of_another_is_not_meant():
    body = (
        "    try:\n        return SIGNS[most] + name\n    except KeyError:\n        raise ValueError(most)\n"
    )
    base = f"SIGNS = {{9: 'Hello '}}\n\n\ndef greet(name, most=9):\n{body}"
    line = "greet: the default of most is 7 in place of 9"
    head = base.replace("most=9", "most=7")
    assert repaired(LONG, base={"hi.py": base}, head=head, new="", documents=(line,)).outdated == ()


def test_more_than_a_literal_is_judged_by_values_alone():
    head = BASE["hi.py"].replace("'Hello ' + name", "'Good day ' + name.lower()")
    assert repaired(FORMS["in"], head=head).cause == ""


def test_the_old_words_of_any_assertion_are_replaced():
    found = repaired(FORMS["in"], fix_tests=True)
    changed = [line for line in found.adapted_diff.splitlines() if line[:1] in "+-"]
    assert changed[2:] == ["-    assert 'Hello' in greet('a')", "+    assert 'Good day' in greet('a')"]
