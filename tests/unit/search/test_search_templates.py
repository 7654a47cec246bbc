"""The fix templates on invented projects: what a failure's own words call for comes first."""

import sys

import pytest
from cost import cost
from every_case import every_case
from templates_support import TEST, Case, cases, failure_of, groups, patches_of, rank_of

from bot.patch.apply import apply
from bot.search import candidates
from bot.search.templates import from_templates, project, syntax
from bot.search.templates.stream import MAX_CANDIDATES
from sandbox.reports import Frame, TestResult, TestStatus

FIRST = 5  # candidates among which the right fix has to be
CASES = [case for group in groups("templates") for case in cases("templates", group)]


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    """The failure and the patches of each case, made once."""
    root = tmp_path_factory.mktemp("projects").resolve()
    found = {}
    for number, case in enumerate(CASES):
        failure = failure_of(case.files, root / str(number))
        found[case.name] = failure, patches_of(case.files, failure) if failure else []
    return found


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::RuntimeWarning")
@every_case("case", CASES)
def test_the_fix_is_among_the_first(case, streams):
    failure, patches = streams[case.name]
    assert failure is not None, "the project has no fault"
    rank = rank_of(case, patches)
    assert rank is not None
    assert rank <= FIRST


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::RuntimeWarning")
def test_the_fixes_of_the_cases_are_fixes(tmp_path):
    for number, case in enumerate(CASES):
        fixed = {**case.files, case.path: case.fix}
        assert failure_of(fixed, tmp_path / str(number)) is None, case.name


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::RuntimeWarning")
def test_candidates_compile_differ_and_leave_the_tests_alone(streams):
    for case in CASES:
        _, patches = streams[case.name]
        assert len(patches) <= MAX_CANDIDATES
        texts = [tuple(sorted(apply(patch, case.files).items())) for patch in patches]
        assert len(set(texts)) == len(texts), case.name
        for changed in texts:
            assert changed
            for path, text in changed:
                assert path != TEST
                compile(text, path, "exec", dont_inherit=True)


def failed(exception="", message="", frames=(), **more):
    frames = tuple(Frame(path=path, line=line, function="f") for path, line in frames)
    return TestResult(
        test="t", status=TestStatus.FAILED, exception=exception, message=message, frames=frames, **more
    )


def texts_of(files, failure):
    return [apply(patch, files) for patch in patches_of(files, failure)]


def test_a_wrong_value_has_no_direct_route():
    files = {"m.py": "def f(x):\n    return x + 1\n", TEST: "from m import f\nassert f(1) == 3\n"}
    assert texts_of(files, failed("AssertionError", "assert 2 == 3", [(TEST, 2)])) == []


def test_the_stream_begins_with_them_and_goes_on_without_repeating():
    text = "def f(count):\n    return cuont + 1\n"
    failure = failed("NameError", "name 'cuont' is not defined", [("m.py", 2)])
    first = next(from_templates({"m.py": text}, [failure]))
    stream = list(candidates({"m.py": text}, [], [failure]))
    assert stream[0] == first
    assert len({candidate.patch for candidate in stream}) == len(stream)
    scores = [candidate.score for candidate in stream]
    assert all(0 < score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)


def test_what_a_loader_wraps_is_unwrapped():
    files = {"shop/cart.py": "import jsn\n", "test_it.py": "import shop.cart\n"}
    message = (
        "Failed to import test module: test_it\nTraceback (most recent call last):\n"
        '  File "/somewhere/test_it.py", line 1, in <module>\n    import shop.cart\n'
        '  File "/somewhere/shop/cart.py", line 1, in <module>\n    import jsn\n'
        "ModuleNotFoundError: No module named 'jsn'\n"
    )
    found = texts_of(files, failed("ImportError", message))
    assert {"shop/cart.py": "import json as jsn\n"} in found[:2]


@every_case("newline", ["\r\n", "\r"])
def test_the_line_breaks_of_a_file_that_does_not_parse_stay(newline):
    text = "x = 1\ndef f(a)\n    retrun a\n".replace("\n", newline)
    failure = failed("SyntaxError", "expected ':' (m.py, line 2)", [("m.py", 2)])
    fix = "x = 1\ndef f(a):\n    return a\n".replace("\n", newline)
    assert texts_of({"m.py": text}, failure)[0] == {"m.py": fix}


@every_case(
    "failure",
    [
        failed("NameError", "name '\\' is not defined", [("m.py", 1)]),
        failed("NameError", "name 'x' is not defined", [("m.py", 99), ("../m.py", 1), ("no.py", 1)]),
        failed("KeyError", "'" * 2000, [("m.py", 1)]),
        failed("TypeError", "f() takes 1 positional argument but 99999999999 were given", [("m.py", 2)]),
        failed("TypeError", "f() missing 1 required positional argument: 'x'); import os; ('", [("m.py", 2)]),
        failed("SyntaxError", "invalid syntax (m.py, line 999999)", [("m.py", 999_999)]),
        failed("", "", [("m.py", 0)]),
        failed("ImportError", "cannot import name 'x' from 'm'"),
        failed("ModuleNotFoundError", "No module named '.'"),
        failed("AttributeError", "'x' object has no attribute '__init__'", [("m.py", 2)]),
        failed("RecursionError", "maximum recursion depth exceeded", [("m.py", 2)]),
    ],
)
def test_hostile_words_do_no_harm(failure):
    files = {"m.py": "def f(x):\n    return f(x)[0].y\n", "empty.py": "", "broken.py": "def (\n"}
    for changed in texts_of(files, failure):
        for text in changed.values():
            compile(text, "m.py", "exec", dont_inherit=True)
            assert "import os" not in text


@every_case(
    ("text", "kind", "words", "line"),
    [
        ("def f(x=items.append): ...\n", "NameError", "name 'items' is not defined", 1),
        (
            "def f():\n    def g(a=x): ...\n    x = 1\n",
            "UnboundLocalError",
            "cannot access local variable 'x' where it is not associated with a value",
            2,
        ),
        ("() = 1, 2\n", "ValueError", "too many values to unpack (expected 0)", 1),
        ("float(text)\n", "ValueError", "could not convert string to float: '12 Main St '", 1),
        ("int(text)\n", "ValueError", "invalid literal for int() with base 10: '$5$3'", 1),
        ("int(text)\n", "ValueError", "invalid literal for int() with base 10: ''", 1),
        ("float(text)\n", "ValueError", "could not convert string to float: ' $ '", 1),
        # A ligature: the parser's name of the function is written otherwise than the text's.
        ("def \ufb01nd(a):\n    return self.a\n", "NameError", "name 'self' is not defined", 2),
    ],
    ids=["default", "inner default", "no names", "words", "sign within", "empty", "sign alone", "ligature"],
)
def test_odd_code_is_read(text, kind, words, line):
    for changed in texts_of({"m.py": text}, failed(kind, words, [("m.py", line)])):
        assert changed["m.py"] != text


def test_a_large_project_is_read_where_the_failure_leads():
    files = {
        f"pkg/mod_{number}.py": f"def other_{number}():\n    return {number}\n" * 40 for number in range(300)
    }
    files["m.py"] = "def f(count):\n    return cuont + 1\n"
    failure = failed("NameError", "name 'cuont' is not defined", [("m.py", 2)])
    assert texts_of(files, failure)
    # Measured at 2.
    assert cost(lambda: texts_of(files, failure)) < 100


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("def f():\n    return os.getcwd()\n", "NameError", "name 'os' is not defined"),
        ("def f(row):\n    return row['totl']\n", "KeyError", "'totl'"),
        ("def f(row):\n    return row['']\n", "KeyError", "''"),
    ],
    ids=["name", "key", "empty key"],
)
def test_what_every_file_mentions_leads_to_none_of_them(text, kind, words, monkeypatch):
    files = {f"pkg/mod_{number}.py": "import os\nx = os.environ['to']\n" for number in range(20)}
    files |= {"m.py": text, "pkg/rows.py": "row = {'total': 1}\n"}
    parsed = []
    parse = project.parse
    monkeypatch.setattr(project, "parse", lambda path, text: parsed.append(path) or parse(path, text))
    fixes = texts_of(files, failed(kind, words, [("m.py", 2)]))
    assert parsed == ["m.py"]
    if words == "'totl'":
        assert fixes[0] == {"m.py": text.replace("totl", "total")}


def test_a_large_file_that_does_not_parse_is_shown_to_the_compiler_in_part(monkeypatch):
    text = "def f(a):\n    return [a, {'k': a}]\n\n" * 600 + "def g(a)\n    return a\n"
    line = text.count("\n") - 1
    shown = []
    first_error = syntax.first_error
    monkeypatch.setattr(syntax, "first_error", lambda text: shown.append(len(text)) or first_error(text))
    monkeypatch.setattr(syntax, "_MAX_READ", 200_000)
    failure = failed("SyntaxError", f"expected ':' (m.py, line {line})", [("m.py", line)])
    assert texts_of({"m.py": text}, failure)[0] == {"m.py": text.replace("g(a)", "g(a):")}
    assert sum(shown) < 400_000


def test_a_line_that_a_program_wrote_is_not_looked_into():
    # Each of its tokens was worth nine variants of the whole text: gigabytes.
    text = "x = [" + "{'k': 1}, " * 5_000 + "\ny = 2\n"
    failure = failed("SyntaxError", "'[' was never closed (m.py, line 1)", [("m.py", 1)])
    assert texts_of({"m.py": text}, failure) == []
    below = "def f(a)\n    return a\n" + "x = [" + "{'k': 1}, " * 5_000 + "]\n"
    failure = failed("SyntaxError", "expected ':' (m.py, line 1)", [("m.py", 1)])
    assert texts_of({"m.py": below}, failure)[0] == {"m.py": below.replace("f(a)", "f(a):")}


@pytest.mark.parametrize(("kind", "handled"), [("RuntimeError", False), ("OSError", True)])
def test_what_a_test_s_stand_in_refuses_is_not_handled(kind, handled):
    text = "def f(read):\n    try:\n        return read()\n    except ValueError:\n        return None\n"
    files = {"m.py": text, "test_it.py": f"def read():\n    raise {kind}('too often')\n"}
    within = texts_of(files, failed(kind, "too often", [("m.py", 3), ("test_it.py", 2)]))
    assert any(f"(ValueError, {kind})" in each.get("m.py", "") for each in within) is handled
    own = texts_of(files, failed(kind, "too often", [("m.py", 3)]))
    assert any(f"(ValueError, {kind})" in each.get("m.py", "") for each in own)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters_are_read_as_such():
    text = "class A:\n    def f[T: (int, str)](x: T) -> T:\n        return x\n\ntype Pair[T] = tuple[T, T]\n"
    failure = failed("TypeError", "A.f() takes 1 positional argument but 2 were given")
    assert {"m.py": text.replace("(x: T)", "(self, x: T)")} in texts_of({"m.py": text}, failure)
    files = {"m.py": "def f():\n    return pair.Pare\n", "pair.py": text}
    failure = failed("AttributeError", "module 'pair' has no attribute 'Pare'", [("m.py", 2)])
    assert {"m.py": files["m.py"].replace("Pare", "Pair")} in texts_of(files, failure)


def test_every_case_is_named_once():
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert all(isinstance(case, Case) and case.files[case.path] != case.fix for case in CASES)
