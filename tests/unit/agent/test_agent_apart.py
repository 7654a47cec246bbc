"""Which failing tests are set apart: no change of the code, or no source line, can be tied to them."""

from dataclasses import replace

from agent_support import FILES, TOTAL, ZERO, failed_result, report, result, runtime
from case_rows import rows
from every_case import every_case
from fakes.testbed import ScriptedTestbed

from bot.agent.baseline.apart import absent_from, sort_failing, why_apart
from bot.agent.baseline.untied import UNTIED, doubts_of, untied, without
from bot.agent.nodes.reproduce import reproduce
from bot.agent.state import RepairState
from bot.domain import Baseline
from bot.request import Absent
from bot.result import Outcome
from sandbox.reports import Comparison, Frame, TestStatus

SOURCES = {
    "src/shop/__init__.py": "import requests\nfrom numpy import array\n",
    "src/shop/cart.py": "import requests\n",
    "packages/core/shop_core/__init__.py": "",
    "cart.py": "",
    "tests/test_cart.py": "import shop\nimport trio\n",  # which nothing else does: it may be misspelt
}


def fails(test=TOTAL, exception="ModuleNotFoundError", message="", status=TestStatus.FAILED):
    return failed_result(test, status, exception=exception, message=message)


@every_case(("raised", "why"), rows("environment/apart.txt"))
def test_what_the_environment_does_is_set_apart_and_what_the_code_may_have_done_stays(raised, why):
    exception, _, message = raised.partition(": ")
    seen = [fails(exception=exception, message=message), fails(ZERO, "ValueError")]
    found = sort_failing(seen, SOURCES)
    assert [one.test for one in found.failing] == ([ZERO] if why else [TOTAL, ZERO])
    assert [test for test, _ in found.reasons] == [TOTAL] * bool(why)
    assert all(why in said for _, said in found.reasons)


MODULES = b'[submodule "data"]\n\tpath = tests/data\n[submodule "lib"]\n\tpath = ext/lib\n'


def test_submodules_without_files_are_not_checked_out():
    files = {".gitmodules": MODULES, "ext/lib/a.py": b"", "tests/data.py": b""}
    assert absent_from(files).submodules == ("tests/data",)
    assert absent_from({}) == Absent()
    assert absent_from({".gitmodules": b"\xff\x00path ="}) == Absent()


@every_case(
    ("exception", "message", "is_apart"),
    [
        ("FileNotFoundError", "[Errno 2] No such file or directory: '/w/tests/data/one.toml'", True),
        ("FileNotFoundError", "[Errno 2] No such file or directory: '/w/tests/data'", True),
        ("ModuleNotFoundError", "No module named 'lib.sub'", True),
        ("FileNotFoundError", "[Errno 2] No such file or directory: '/w/tests/data_of_ours'", False),
        ("AssertionError", "assert '/w/tests/data' == ''", False),
    ],
)
def test_what_lies_in_a_submodule_that_is_not_checked_out_is_no_fault_of_the_code(
    exception, message, is_apart
):
    found = sort_failing(
        [fails(exception=exception, message=message)],
        SOURCES | {"lib.py": ""},
        absent=Absent(submodules=("tests/data", "ext/lib")),
    )
    assert bool(found.apart) is is_apart
    if is_apart:
        assert "git submodule update --init" in why_apart(found)


COMPILED = {
    "src/shop/_fast.pyx": b"",
    "src/shop/_built.c": b"",
    "src/shop/_built.cpython-313-x86_64-linux-gnu.so": b"",
    "src/shop/both.pyx": b"",
    "src/shop/both.py": b"",
}


@every_case(
    ("module", "is_apart"),
    [("shop._fast", True), ("shop._built", False), ("shop.both", False), ("fast", False), ("shop", False)],
)
def test_what_needs_a_module_that_is_not_compiled_is_no_fault_of_the_code(module, is_apart):
    missing = fails(exception="ModuleNotFoundError", message=f"No module named '{module}'")
    found = sort_failing([missing, fails(ZERO, "ValueError")], SOURCES, absent=absent_from(COMPILED))
    assert any(why.subkind == "extension" for _, why in found.apart) is is_apart


def test_where_most_cannot_be_imported_the_module_and_what_helps_are_named():
    missing = [fails(f"tests/test_{n}.py", message="No module named 'trio'") for n in range(3)]
    offline = [fails(exception="gaierror", message="[Errno -2] Name or service not known")]
    said = why_apart(sort_failing([*offline, *missing], SOURCES))
    assert said.startswith("3 tests cannot run here: the module trio is not installed (tests/test_0.py)")
    assert "--setup-command" in said
    assert "--python" in said


def test_other_causes_are_counted_the_most_frequent_first():
    offline = [fails(f"t.py::test_{n}", "gaierror", "[Errno -2] Name or service not known") for n in range(3)]
    full = [fails("t.py::test_full", "OSError", "[Errno 28] No space left on device")]
    said = why_apart(sort_failing([*full, *offline], SOURCES))
    assert said.startswith("no change of the code can make the 4 failing tests pass: 3 because ")
    assert said.endswith("; 1 because the disk was full in a test (t.py::test_full)")


def test_where_all_are_set_apart_there_is_nothing_to_repair():
    bed = ScriptedTestbed(report(fails(message="No module named 'trio'"), result(ZERO)))
    update = reproduce(RepairState(), runtime(testbed=bed))
    assert update["outcome"] is Outcome.NOT_CODE
    assert "the module trio is not installed" in update["reason"]
    assert update["baseline"].apart == ((TOTAL, "the module trio is not installed"),)
    assert len(bed.runs) == 1


def test_a_repair_goes_on_with_what_is_left():
    offline = fails(ZERO, "gaierror", "[Errno -2] Name or service not known")
    bed = ScriptedTestbed(report(failed_result(TOTAL, exception="AssertionError"), offline))
    update = reproduce(RepairState(), runtime(files=FILES, testbed=bed))
    assert "outcome" not in update
    assert update["baseline"].fail_to_pass == {TOTAL}
    assert [test for test, _ in update["baseline"].apart] == [ZERO]
    assert all(asked.tests == (TOTAL,) for asked in bed.runs[1:])


TEST, OTHER = "tests/test_cart.py::test_total", "tests/test_free.py"
UNTIED_SOURCES = {
    "cart.py": "FULL = 9\n",
    "tests/test_cart.py": "import cart\n",
    "tests/test_free.py": "import cart\nassert 0\n",
    "tests/test_full.py": "from cart import FULL\n\n\ndef test_full():\n    assert FULL > 10\n",
    "tests/test_command.py": "import subprocess\n",
}
TIED = replace(failed_result(TEST, exception="AssertionError", message=""), lines={"cart.py": (1,)})


def free(test=OTHER, exception="AssertionError", status=TestStatus.FAILED, **fields):
    return replace(failed_result(test, status, exception=exception, message="assert 0"), **fields)


def found(*failing, traced=None):
    names = frozenset(one.test for one in failing) if traced is None else traced
    return untied(failing, names, UNTIED_SOURCES, lambda path: path == "cart.py")


def in_frame(path):
    return (Frame(path=path, line=1, function="f"),)


@every_case(
    ("other", "is_apart"),
    [
        *(
            (free(exception=one, frames=in_frame("tests/test_free.py")), True)
            for one in ("AssertionError", "SystemExit", "pytest.PytestRemovedIn10Warning")
        ),
        (free(lines={"tests/test_free.py": (2,)}), True),
        (free(lines={"cart.py": (1,)}), False),
        (free(frames=in_frame("cart.py")), False),
        (free(comparison=Comparison(operator="==", left="1", right="2")), False),  # of a constant, maybe
        (free(exception="ImportError"), False),
        (free(status=TestStatus.TIMEOUT), False),
        (free("tests/test_command.py::test_it"), False),
        (free("tests/gone.py::test_it"), False),
        (free("tests/test_full.py::test_full"), False),  # it reads what ran at import
    ],
)
def test_a_test_is_set_apart_beside_one_that_has_lines_unless_it_may_be_about_the_code(other, is_apart):
    assert found(TIED, other) == ((OTHER,) if is_apart else ())


def test_where_nothing_is_known_all_stay():
    assert found(free(), free("tests/test_cart.py::test_x")) == ()
    assert found(TIED, free(), traced=frozenset({TEST})) == ()


def test_what_is_set_apart_is_named_and_doubted():
    baseline = Baseline(failing=(TIED, free()))
    kept = without(baseline, (OTHER,))
    assert (kept.failing, kept.apart) == ((TIED,), ((OTHER, UNTIED),))
    assert "a failing test was set apart" in doubts_of(kept)[0]
    assert doubts_of(baseline) == ()
    assert without(kept, (OTHER,)) == kept
    assert without(baseline, (OTHER, TEST)) == baseline
