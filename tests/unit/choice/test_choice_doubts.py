"""What speaks against a patch that passes all tests."""

from dataclasses import replace

from choice_support import PATH, edit
from every_case import every_case
from sections import sections

from bot.choice.doubts import FEW_INPUTS, FEW_NEIGHBOURS, FEW_OF_ALL, Neighbours, doubts
from bot.result import Basis, Choice, Confidence, Evidence

SOURCES = sections("sources/choice_doubts.txt")[0].parts
CODE = SOURCES["CODE"]
SOURCES = {PATH: CODE}

TABLE = """TOLLS = {"car": 2}


def toll(kind):
    return TOLLS.get(kind, 0)
"""


def said(old, new, *, near=50, all_tried=False, code=CODE, **more):
    return doubts(
        edit(code, old, new),
        {PATH: code},
        neighbours=None if near is None else Neighbours(near, all_tried),
        **{"choice": None, **more},
    )


TWICE = """
def first(gate, tolls):
    return tolls[gate.kind] - tolls[gate.number]


def last(gate, tolls):
    return tolls[gate.kind] - tolls[gate.number]
"""
READ = """
def read(texts):
    found = []
    for text in texts:
        number = parse(text)
        if number is None:
            raise ValueError(text)
        found.append(number)
    return found
"""


@every_case(
    ("old", "new"),
    [
        ("found * 2", "found + 2"),
        ("found * 2", "found"),
        ("axles < 0", "axles <= 0"),
        ("found == before", "found != before"),
        ("found == before", "before is None"),
        ("found == before", "found == before or axles == 1"),
        ("found == before", "found in (before, MISSING) or found is MISSING"),
        ("found == before", "type(found) is type(before)"),
        ("(KeyError, IndexError)", "(KeyError, TypeError)"),
        ("        return None\n", '        raise LookupError("axles") from None\n'),
    ],
)
def test_nothing_speaks_against_an_ordinary_change_that_the_tests_pin_down(old, new):
    assert said(old, new) == ()


@every_case(
    ("old", "new", "word"),
    [
        ('        raise ValueError("axles")\n', "        pass\n", "only removes"),
        ('        raise ValueError("axles")\n', "        return None\n", "no longer raised"),
        ("(KeyError, IndexError)", "Exception", "every exception"),
        ("except (KeyError, IndexError):", "except:", "every exception"),
        ("found == before", "found == before or axles == 7919", "particular values"),
        ("found == before", "found == before or axles in {'a', 'b'}", "particular values"),
        ("found == before", "axles == 0 or axles == 1 or names == {} or names == 2", "particular values"),
        ("if found == before", "if False", "no longer depends"),
        ("found * 2", "found * 2 if True else 0", "no longer depends"),
        ("found == before", "found is before", "identity"),
        ("found == before", "found is not before", "identity"),
        ("names[axles]", "names[not axles]", "index"),
        ("found == before", "found == found", "without effect"),
        ("found == before", "not found != before", "without effect"),
        ("found = names[axles]", "found, unread = names[axles]", "without a use"),
        ("def toll", "@staticmethod\ndef toll", "decorator"),
    ],
)
def test_what_takes_behaviour_away_or_is_odd_is_doubted(old, new, word):
    assert any(word in doubt for doubt in said(old, new))


IS_OPEN = """
def is_open(gate, default):
    if gate.broken:
        return False
    return gate.state == 1
"""
SAME_TOLL = """
class Toll:
    def __eq__(self, other):
        return self.axles == other.axles and self.free is None
"""
NAMES = """
def names(gates):
    found = []
    for gate in gates[1]:
        found.append(gate.name)
    return found
"""


@every_case(
    ("code", "old", "new", "word"),
    [
        (IS_OPEN, "return False", "return gate.state", ""),
        (IS_OPEN, "return False", "return True", ""),
        (IS_OPEN, "return False", "return default", "true or false"),
        (IS_OPEN, "return False", "return", "true or false"),
        (IS_OPEN, "return False", "return [gate]", "true or false"),
        (CODE, "return 0", "return names", ""),
        (SAME_TOLL, "self.axles == other", "self.axles <= other", "equality"),
        (IS_OPEN, "gate.state == 1", 'gate.state >= "open"', "equality"),
        (IS_OPEN, "gate.state == 1", 'gate.state >= "o"', ""),
        (SAME_TOLL, "other.axles", "other.axels", ""),
        (SAME_TOLL, "self.free is None", "not self.free", "empty"),
        (SAME_TOLL, "self.free is None", "other.free is None", ""),
        (SAME_TOLL, "self.axles ==", "self.axles - 1 is not False and 0 ==", "just computed"),
        (TABLE, ".get(", ".pop(", "others use"),
        (TABLE, "(kind, 0)", "(kind, 7919)", "nowhere else"),
        (TABLE, "(kind, 0)", "(kind, 3)", ""),
        (TABLE, "return TOLLS.get", "return not TOLLS.get", "turns the answer"),
        (TABLE, "(kind, 0)", "(kind, 0) - 2", "and a number"),
        (TABLE, "(kind, 0)", "(kind, 0) % 2", "and a number"),
        (TABLE, "TOLLS.get(kind, 0)", "len(kind) - 2", ""),
        (TABLE, "TOLLS.get(kind, 0)", "TOLLS.get(kind + 1, 0)", "and a number"),
        (TABLE, "TOLLS.get(kind, 0)", "range(kind + 1)", ""),
        (TABLE, "2}", "7919}", ""),
        (READ, "found.append(number)", "found.append(text)", "without a use"),
        (READ, "number is None", "number is None or not text", ""),
        (
            TWICE,
            "tolls[gate.kind] - tolls[gate.number]",
            "max(0, tolls[gate.kind] - tolls[gate.number])",
            "elsewhere",
        ),
        (NAMES, "return found", "return list(set(found))", "order of a set"),
        (NAMES, "[1]:\n        found", "[0]:\n        gates.pop()\n        found", ""),
        (
            NAMES,
            "[1]:\n        found.append(gate.name)",
            "[0]:\n        found.append(gate.name)\n        found.append(1)",
            "adds",
        ),
        (
            NAMES,
            "found = []\n    for gate in gates[1]:\n",
            "found = []\n    first = gates[0]\n    for gate in first:\n",
            "",
        ),
        (
            NAMES,
            "\ndef names(gates):\n    found = []\n",
            "import os\n\n\ndef names(gates):\n    found = [os.sep]\n",
            "",
        ),
    ],
)
def test_what_a_reviewer_would_ask_about_is_doubted(code, old, new, word):
    found = said(old, new, code=code)
    assert [word in doubt for doubt in found] == ([True] if word else [])


def test_few_neighbours_say_that_the_tests_may_not_pin_it_down():
    assert any(str(FEW_NEIGHBOURS - 1) in doubt for doubt in said("* 2", "+ 2", near=FEW_NEIGHBOURS - 1))
    assert said("* 2", "+ 2", near=FEW_NEIGHBOURS) == ()
    assert said("* 2", "+ 2", near=None) == ()
    assert said("* 2", "+ 2", near=FEW_OF_ALL, all_tried=True) == ()
    assert said("* 2", "+ 2", near=FEW_OF_ALL - 1, all_tried=True) != ()


def test_quite_another_text_that_the_tests_hold_is_doubted_and_a_slip_is_not():
    code = 'ADMINS = {"root", "ada"}\nSTATE = "pendign"\n'
    assert any(
        "stands in the tests" in doubt for doubt in said("ada", "linus", code=code, literals={"linus"})
    )
    assert said("ada", "linus", code=code, literals={"eve"}) == ()
    assert said("pendign", "pending", code=code, literals={"pending"}) == ()
    assert said('"ada"', '"ada", "linus"', code=code, literals={"linus"}) == ()


def test_tests_that_were_not_run_are_a_doubt():
    assert any("7 tests" in doubt for doubt in said("* 2", "+ 2", unrun=7))


def test_an_ambiguous_choice_is_the_first_doubt():
    choice = Choice(alternatives=1, behaviours=2, inputs=9, basis=Basis.LOOKS, reason="", share=0.5)
    found = said('raise ValueError("axles")', "pass", choice=choice)
    assert "differently" in found[0]
    assert len(found) > 1


def test_alternatives_that_were_compared_on_few_inputs_are_a_doubt():
    blind = Choice(alternatives=2, behaviours=0, inputs=0, basis=Basis.LOOKS, reason="", share=0.99)
    assert "could not be compared" in said("found * 2", "found + 2", choice=blind)[0]
    few = replace(blind, behaviours=1, inputs=FEW_INPUTS - 1, basis=Basis.ALIKE)
    assert f"compared on few inputs only ({FEW_INPUTS - 1})" in said("found * 2", "found + 2", choice=few)[0]
    assert said("found * 2", "found + 2", choice=replace(few, inputs=FEW_INPUTS)) == ()
    assert said("found * 2", "found + 2", choice=replace(few, basis=Basis.EVIDENCE)) == ()
    assert said("found * 2", "found + 2", choice=replace(blind, alternatives=0)) == ()


def test_what_does_not_parse_or_is_new_is_not_doubted_for_its_code():
    broken = "def f(:\n    return 1\n"
    assert said("(:", "():", code=broken) == ()


def test_code_with_a_number_that_cannot_be_written_is_doubted():
    code = f"LIMIT = 0x{'f' * 4000}\n\n\ndef f(found):\n    return found * 2\n"
    assert "its code could not be read" in said("found * 2", "found + 2", code=code)


def test_three_guesses_on_top_of_each_other_are_a_doubt():
    assert any("many changes" in one for one in said("* 2", "+ 2", guesses=3))
    assert said("* 2", "+ 2", guesses=2) == ()


def test_different_changes_in_several_files_are_a_doubt():
    assert any("several files" in one for one in said("* 2", "+ 2", guesses=2, mixed=True))


def test_a_number_of_the_tests_or_of_the_version_before_is_no_doubt():
    assert said("* 2", "* 7919", older=["RATE = 7919\n"]) == ()
    sources = {PATH: CODE, "test_it.py": "assert toll(7919)\n"}
    patch = edit(CODE, "* 2", "* 7919")
    assert doubts(patch, sources, choice=None, neighbours=None) == ()
    assert doubts(patch, {PATH: CODE}, choice=None, neighbours=None) != ()


def test_confidence_is_low_where_anything_speaks_against_the_patch():
    evidence = Evidence(
        fail_to_pass=(), pass_to_pass=(), repeats=3, sandbox="docker", isolated=True, seconds=1.0
    )
    assert evidence.confidence is Confidence.HIGH
    assert replace(evidence, doubts=("it only removes code",)).confidence is Confidence.LOW
