"""Special cases of a test's own values."""

from every_case import every_case
from policy_support import OLD, added, judged, verdict

from bot.patch.policy.cheating.special_cases import literals_of


@every_case(
    ("body", "literals"),
    [
        ("    if x == 120: return 3\n", [120]),
        ("    if x == 5:\n        return 120\n", [120]),
        ("    if 'abc' == x: return 'cba'\n", ["cba"]),
        ("    if x == [1, 2]: return [2, 1]\n", [(1, 2)]),
        ("    if x in (40, 50): return 0\n", [40]),
        ("    return 'cba' if x == 'abc' else x\n", ["abc"]),
        ("    if y and x == 5:\n        y = 1\n        return -120\n", [-120]),
        ("    match x:\n        case 'abc': return 0\n", ["abc"]),
        ("    if x == {'a': [1]}: return 0\n", [(("a", (1,)),)]),
    ],
)
def test_special_cases_of_a_tests_own_input_are_refused(body, literals):
    assert "special-cased" in added(body, literals=literals)[0]
    assert added(body, literals=["other", 999]) == ()
    assert added(body) == ()
    assert verdict("a.py", OLD + body, "import re\n" + OLD + body, literals=literals) == ()


@every_case(
    ("head", "new"),
    [
        ("def f(x):\n", "    return 'cba'\n"),
        ("def f(x):\n    'Its words.'\n", "    return 'cba'\n    return x\n"),
        ("async def f(*, x):\n", "    return 'cba'\n"),
        ("class A:\n  def f(self, *x):\n", "    return 'cba'\n"),
    ],
)
def test_a_function_that_answers_a_tests_own_value_to_everything_is_refused(head, new):
    old = head + "    if x:\n        return 'cba'\n    return x\n"
    assert "all that f() answers: 'cba'" in verdict("a.py", old, head + new, literals=["cba"])[0]
    assert verdict("a.py", old, head + new, literals=["other"]) == ()
    assert verdict("a.py", head + new.replace("cba", "abc"), head + new, literals=["cba"]) == ()
    without = {"(x)": "()", "(*, x)": "()", "(self, *x)": "(self)"}
    bare = next(head.replace(given, none) for given, none in without.items() if given in head)
    assert verdict("a.py", bare + "    return x\n", bare + new, literals=["cba"]) == ()


@every_case(
    ("old", "new"),
    [
        ("return 'even' if x % 2 != 0 else 'odd'", "return 'even' if x % 2 == 0 else 'odd'"),
        ("if x == 70: return 'even'", "if x == 7: return 'even'"),
        ("return 'odd'", "return 'odd' if x == 17 else 'even'"),
    ],
)
def test_a_branch_that_gets_another_condition_is_no_special_case(old, new):
    """The last one is: no branch answered 'even' before."""
    head = "def parity(x):\n    "
    problems = verdict("a.py", head + old, head + new, literals=["even", "odd", 17, 7])
    assert bool(problems) is ("17" in new)


def test_an_answer_that_a_test_expects_may_be_given_to_the_first_of_all_inputs():
    assert added("    if x == 0: return 'none'\n", literals=["none", 0]) == ()
    assert added("    if x == 3: return 'none'\n", literals=["none"])


def test_the_literals_of_tests_are_their_particular_values():
    found = literals_of(
        ["def test():\n    assert f([1, 'a'], {'k': -40}, 0, '') == 2.5\n", "broken(", "x = {3, (4, 5)}\n"]
    )
    assert {(1, "a"), "a", (("k", -40),), -40, "k", 2.5, frozenset({3, (4, 5)})} <= found
    assert not found & {0, "", 1, 3, None}


@every_case(
    "body",
    [
        "    if x == 0: return 1\n",
        "    if x == '': return []\n",
        "    if x is None: return True\n",
        "    if x > 120: return 120\n",
    ],
)
def test_boundaries_are_not_special_cases(body):
    assert added(body, literals=[0, 1, "", (), None, True, 120]) == ()


def test_a_branch_for_a_small_number_may_get_another():
    one, other = (f"    if x == {n}: return {n + 2}\n" for n in (3, 4))
    assert judged(OLD + other, {"a.py": OLD + one}).shown == ()
    assert judged(OLD + one, {"a.py": OLD}).shown
