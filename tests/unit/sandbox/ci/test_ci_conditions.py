"""Which commands of a script an ``if`` lets through."""

from case_rows import rows
from every_case import every_case

from sandbox.ci.conditions import MAX_DEPTH
from sandbox.ci.shell import simple_commands

BRANCHES = "if {0}; then a; else b; fi; c"


def run(script, **known):
    """The one-letter commands of ``script`` that are read."""
    names = (command.words[0] for command in simple_commands(script, variables=known))
    return "".join(name for name in names if len(name) == 1 and name.isalpha())


@every_case(
    ("condition", "expected"),
    rows("ci/shell_conditions.txt"),
)
def test_a_branch_is_left_out_where_its_condition_is_known_not_to_hold(condition, expected):
    assert run(BRANCHES.format(condition), MODE="full", EMPTY="") == expected


def test_branches_after_the_one_that_holds_are_left_out():
    script = "if [ $X = 1 ]; then a; elif [ $X = 2 ]; then b; elif [ -f y ]; then c; else d; fi\ne"
    assert run(script, X="1") == "ae"
    assert run(script, X="2") == "be"
    assert run(script, X="3") == "cde"


def test_conditions_within_conditions():
    script = "if [ $NO ]; then a; if [ -f x ]; then b; fi; c; else d; if [ $NO ]; then e; fi; f; fi; g"
    assert run(script) == "dfg"


def test_a_variable_that_is_set_below_is_known_there():
    assert run("if [ $NO ]; then MODE=1; fi; if [ $MODE ]; then a; fi; b") == "b"
    assert run("MODE=1; if [ $MODE ]; then a; fi; b") == "ab"


def test_hostile_nesting_and_ends_without_a_beginning():
    depth = MAX_DEPTH + 10
    assert run("fi; else; then a; elif; b") == "ab"
    assert run("if [ $NO ]; then " * depth + "a; " + "fi; " * depth + "b") == "b"
