"""Which passing tests a patch may break, by the functions that a run of the unchanged project saw called."""

from every_case import every_case
from sections import sections

from bot.agent.trial import callers as callers_module
from bot.agent.trial.callers import Callers
from bot.domain import Patch, SpanEdit
from bot.patch.syntax import parsed
from sandbox.reports import Calls

SOURCES = sections("sources/agent_callers.txt")[0].parts
SOURCE = SOURCES["SOURCE"]
CALLS = Calls(
    tests=("", "t.py::one", "t.py::two"),
    functions={
        ("shop.py", 1): (0,),
        ("shop.py", 4): (1, 2),
        ("shop.py", 6): (2,),
        ("shop.py", 15): (1,),
        ("other.py", 1): (0, 1),
    },
)


def patch(*olds, path="shop.py"):
    edits = []
    for old in olds:
        start = SOURCE.index(old)
        edits.append(SpanEdit(path=path, start=start, end=start + len(old), replacement="x"))
    return Patch(edits=tuple(edits))


@every_case(
    ("olds", "tests"),
    [
        (["inner(a)"], {"t.py::one", "t.py::two"}),
        (["return c"], {"t.py::two"}),
        (["return c", "inner(a)"], {"t.py::one", "t.py::two"}),
        (["b=1"], None),
        (["os.decorated"], None),
        (["limit = 3"], None),
        (["def total(self): return 1"], None),
        (["return 2"], None),
        (["return c", "limit = 3"], None),
    ],
)
def test_the_callers_of_the_functions_whose_bodies_change(olds, tests):
    callers = Callers()
    assert callers.of(patch(*olds), {"shop.py": SOURCE}) is None, "no run saw them"
    callers.learn(CALLS)
    callers.learn(None)  # a later run that saw nothing changes nothing
    assert CALLS.callers("other.py", 1) == {"t.py::one"}, "what an import made of it is left to the proof"
    assert callers.of(patch(*olds), {"shop.py": SOURCE}) == tests
    assert callers.of(patch(*olds), {"shop.py": SOURCE + "def"}) is None, "it does not parse"


def test_how_like_others_a_test_is_is_known_of_tests_that_ran():
    functions = {("shop.py", 4): (0, 1), ("shop.py", 8): (0, 1, 3, 4), ("shop.py", 9): (2,)}
    callers, tests = Callers(), ("one", "two", "apart", "little", "")
    assert callers.likeness({"one"}) is None, "no run saw them"
    callers.learn(Calls(tests=tests, functions=functions))
    assert callers.likeness({"one"}) == {"one": 0.75, "two": 0.75, "apart": 0.0, "little": 0.25, "": 0.25}
    assert callers.likeness({"one", "three"}) is None, "of one nothing was seen"


def test_a_file_is_parsed_once_for_a_search(monkeypatch):
    seen = []
    monkeypatch.setattr(callers_module, "parsed", lambda source: seen.append(source) or parsed(source))
    callers = Callers()
    callers.learn(CALLS)
    for _ in range(3):
        assert callers.of(patch("return c"), {"shop.py": SOURCE}) == {"t.py::two"}
    assert callers.of(patch("return c"), {"shop.py": SOURCE + "\n"}) == {"t.py::two"}
    assert seen == [SOURCE, SOURCE + "\n"]
