"""Which mutants there are, and that each is a program with one change."""

import ast
from textwrap import dedent

from mutation import trial
from mutation.draw import drawn, every
from mutation.trial import ROOT, Trials

TEXT = dedent('''\
    LIMIT = 3


    class A:
        @staticmethod
        def f(x: int | None = 5) -> int | None:
            """One."""
            y: int | None = x
            if y is None and not LIMIT:
                raise ValueError(f"ä {x + 1}")
            for one in range(3):
                if one < LIMIT:
                    continue
                y -= one
            return -y
    ''')


def changes(text):
    return {(mutant.line, mutant.kind, mutant.replacement) for mutant in every("a.py", text)}


def test_what_is_changed():
    assert changes(TEXT) == {
        (9, "condition", "(not (y is None and (not LIMIT)))"),
        (9, "logic", "(y is None or not LIMIT)"),
        (9, "logic", "(y is None)"),
        (9, "logic", "(not LIMIT)"),
        (9, "comparison", "(y is not None)"),
        (9, "sign", "(LIMIT)"),
        (10, "statement", "pass"),
        (11, "number", "(4)"),
        (11, "number", "(2)"),
        (12, "condition", "(not (one < LIMIT))"),
        (12, "comparison", "(one <= LIMIT)"),
        (12, "comparison", "(one >= LIMIT)"),
        (13, "jump", "break"),
        (14, "statement", "pass"),
        (15, "return", "return None"),
        (15, "sign", "(y)"),
    }


def test_what_stands_outside_of_functions_is_not_changed():
    assert changes("A = 1 + 2\n\ndef f(x=3 - 1):\n    return\n") == set()


def test_a_function_that_no_test_runs_is_not_tried_and_no_kill():
    path = "tests/mutation/trial.py"
    text = (ROOT / path).read_text("utf-8")
    mutant = next(one for one in every(path, text) if one.function == "_verdict")
    trials = Trials(mutants=[mutant], texts={path: text}, report=print)
    trials._functions[str(ROOT / path), mutant.function, mutant.first].append(trial._verdict)
    assert trials._try(mutant, []).verdict == "not tried"


def test_a_mutant_is_the_module_with_that_change():
    (mutant,) = (one for one in every("a.py", TEXT) if one.kind == "jump")
    assert mutant.apply(TEXT) == TEXT.replace("continue", "break")
    assert (mutant.function, mutant.first) == ("A.f", 5)


def test_characters_of_several_bytes_move_nothing():
    text = "def f(x):\n    return 'äöü', x + 1\n"
    (mutant,) = (one for one in every("a.py", text) if one.kind == "arithmetic")
    assert mutant.apply(text) == "def f(x):\n    return 'äöü', (x - 1)\n"


def test_a_sample_is_of_distinct_programs_and_the_same_for_a_seed():
    sample = drawn({"a.py": TEXT, "b.py": TEXT}, seed="0", count=40)
    assert sample == drawn({"b.py": TEXT, "a.py": TEXT}, seed="0", count=40)
    assert sample[:5] == drawn({"a.py": TEXT, "b.py": TEXT}, seed="0", count=5)
    assert len({(one.path, ast.dump(ast.parse(one.apply(TEXT)))) for one in sample}) == len(sample) == 32
