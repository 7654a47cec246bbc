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


def test_under_not_no_relation_is_turned_into_its_opposite():
    found = texts("def f(x):\n    return not x is None\n")
    assert "def f(x):\n    return x is None\n" in found
    assert "def f(x):\n    return not x is not None\n" not in found


def test_an_import_that_is_missing_is_put_below_those_of_the_future():
    head, rest = '"""Doc."""\nfrom __future__ import annotations\n', "\ndef f(x):\n    return json.dumps(x)\n"
    frames = (Frame(path=PATH, line=5, function="f"),)
    message = "name 'json' is not defined"
    result = TestResult(
        test="t", status=TestStatus.FAILED, exception="NameError", message=message, frames=frames
    )
    assert f"{head}\nimport json\n\n{rest}" in texts(head + rest, [result])[:5]


def test_a_loop_that_hangs_is_given_its_step_first():
    text = "def f(n):\n    i = 0\n    while i < n:\n        print(i)\n"
    found = texts(text, [TestResult(test="t", status=TestStatus.TIMEOUT)])
    assert f"{text}        i += 1\n" in found[:5]


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


def test_no_handler_catches_what_it_raises_or_all_and_more():
    text = "def f(x):\n    try:\n        g(x)\n    except Exception as e:\n        raise KeyError(e)\n"
    result = TestResult(test="t", status=TestStatus.FAILED, exception="KeyError", message="KeyError: 1")
    found = "".join(texts(text, [result]))
    assert "except ValueError as e" in found
    assert "except KeyError as e" not in found
    assert "except (Exception, " not in found
