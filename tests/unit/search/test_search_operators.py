import ast
from pathlib import Path

import pytest
from every_case import every_case
from search_support import PATH, texts
from sections import sections

from bot.search import operators
from bot.search.operators import OPERATORS, base
from sandbox.reports import Frame, TestResult, TestStatus

# (family, before, after): each pair is invented.
PAIRS = [(case.name, case.parts["before"], case.parts["after"]) for case in sections("mutations.txt")]


@every_case("before", sorted({pair[1] for pair in PAIRS}))
def test_the_fix_is_among_the_candidates_which_are_new_and_compile(before):
    found = texts(before)
    assert {after for _, start, after in PAIRS if start == before} <= set(found)
    assert len(found) == len(set(found))
    assert before not in found
    for text in found:
        compile(text, "<candidate>", "exec", dont_inherit=True)


def raised(exception, message, line):
    frames = (Frame(path=PATH, line=line, function="f"),)
    return TestResult(test="t", status=TestStatus.FAILED, exception=exception, message=message, frames=frames)


@every_case(
    ("buggy", "failure", "fix"),
    [
        (
            "def g(size): ...\ndef f():\n    return g(sise=1)\n",
            raised("TypeError", "g() got an unexpected keyword argument 'sise'", 3),
            "def g(size): ...\ndef f():\n    return g(size=1)\n",
        ),
        (
            "def f(value):\n    return valeu + 1\n",
            raised("NameError", "name 'valeu' is not defined", 2),
            "def f(value):\n    return value + 1\n",
        ),
        (
            '"""Doc."""\nfrom __future__ import annotations\n\ndef f(x):\n    return json.dumps(x)\n',
            raised("NameError", "name 'json' is not defined", 5),
            (
                '"""Doc."""\nfrom __future__ import annotations\nimport json\n\n'
                "def f(x):\n    return json.dumps(x)\n"
            ),
        ),
        (
            "def f(n):\n    i = 0\n    while i < n:\n        print(i)\n",
            TestResult(test="t", status=TestStatus.TIMEOUT),
            "def f(n):\n    i = 0\n    while i < n:\n        print(i)\n        i += 1\n",
        ),
    ],
)
def test_what_the_interpreter_says_comes_first(buggy, failure, fix):
    found = [text.replace("\n\n", "\n") for text in texts(buggy, [failure])[:5]]
    assert fix.replace("\n\n", "\n") in found


def test_every_module_of_the_package_brings_its_operators():
    modules = {operator.mutations.__module__.rpartition(".")[2] for operator in OPERATORS}
    files = {path.stem for path in Path(operators.__file__).parent.glob("*.py")}
    assert files - {"__init__", "base"} == modules
    assert len({operator.name for operator in OPERATORS}) == len(OPERATORS)


@pytest.mark.parametrize(("name", "prior"), [("comparison", 0.5), ("new one", 0.0), ("new one", 1.5)])
def test_a_name_twice_or_a_prior_outside_of_its_range_is_refused(monkeypatch, name, prior):
    monkeypatch.setattr(base, "_REGISTERED", [*base._REGISTERED])
    base.operator(name, prior=prior, kinds=(ast.Name,))(lambda _node, _context: iter(()))
    with pytest.raises(ValueError, match="a name of its own and a prior"):
        base.registered()
