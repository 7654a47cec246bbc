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


def test_who_calls_nothing_of_what_others_call_is_known_of_tests_that_ran():
    callers, calls = Callers(), Calls(tests=("one", "two", "none"), functions={("shop.py", 4): (0, 1)})
    assert callers.apart({"one"}) == set(), "no run saw them"
    callers.learn(calls)
    assert callers.apart({"one"}) == {"none"}
    assert callers.apart({"none"}) == {"one", "two"}
    assert callers.apart({"one", "three"}) == set(), "of one nothing was seen"


def test_a_file_is_parsed_once_for_a_search(monkeypatch):
    seen = []
    monkeypatch.setattr(callers_module, "parsed", lambda source: seen.append(source) or parsed(source))
    callers = Callers()
    callers.learn(CALLS)
    for _ in range(3):
        assert callers.of(patch("return c"), {"shop.py": SOURCE}) == {"t.py::two"}
    assert callers.of(patch("return c"), {"shop.py": SOURCE + "\n"}) == {"t.py::two"}
    assert seen == [SOURCE, SOURCE + "\n"]
