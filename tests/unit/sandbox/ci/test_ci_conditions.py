"""Which commands of a script an ``if`` lets through."""

from case_rows import rows
from every_case import every_case

from sandbox.ci.conditions import MAX_DEPTH
from sandbox.ci.shell import simple_commands

BRANCHES = "if {0}; then a; else b; fi; c"
CHAIN = "if [ $X = 1 ]; then a; elif [ $X = 2 ]; then b; elif [ -f y ]; then c; else d; fi\ne"
WITHIN = "if [ $NO ]; then a; if [ -f x ]; then b; fi; c; else d; if [ $NO ]; then e; fi; f; fi; g"
DEPTH = MAX_DEPTH + 10


@every_case(
    ("script", "known", "expected"),
    [
        *(
            (BRANCHES.format(condition), {"MODE": "full", "EMPTY": ""}, expected)
            for condition, expected in rows("ci/shell_conditions.txt")
        ),
        # Branches after the one that holds are left out.
        (CHAIN, {"X": "1"}, "ae"),
        (CHAIN, {"X": "2"}, "be"),
        (CHAIN, {"X": "3"}, "cde"),
        (WITHIN, {}, "dfg"),
        # A variable that is set below is known there.
        ("if [ $NO ]; then MODE=1; fi; if [ $MODE ]; then a; fi; b", {}, "b"),
        ("MODE=1; if [ $MODE ]; then a; fi; b", {}, "ab"),
        # Ends without a beginning, and hostile nesting.
        ("fi; else; then a; elif; b", {}, "ab"),
        ("if [ $NO ]; then " * DEPTH + "a; " + "fi; " * DEPTH + "b", {}, "b"),
    ],
)
def test_a_branch_is_left_out_where_its_condition_is_known_not_to_hold(script, known, expected):
    """By the one-letter commands that are read."""
    names = (command.words[0] for command in simple_commands(script, variables=known))
    assert "".join(name for name in names if len(name) == 1 and name.isalpha()) == expected
