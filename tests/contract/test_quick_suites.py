"""Quick verdicts by many tests: of many files, that take long together, and that end otherwise in a fork."""

import pytest
from sections import sections

from bot.agent.trial.evaluation import FORKED

SHOP, SLOW, OWN, THREADS = sections("contract/quick_suites.txt")[0].parts.values()
WRONG = {"shop.py": SHOP.replace("2 * n", "2 + n").encode()}
HARMLESS = {"shop.py": SHOP.replace("2 * n", "n * 2").encode()}
FILES = {
    f"test_{n:02d}.py": f"import shop\n\n\ndef test_one():\n    assert shop.price({n}) == {2 * n}\n"
    for n in range(3, 15)
}
IN_FILES = [f"{name}::test_one" for name in FILES]


@pytest.fixture
def notes():
    return []


def opened(make, notes, **files):
    return make(files={"shop.py": SHOP, **files}, notify=notes.append).open()


def test_tests_of_many_files_are_judged_in_a_fork(make, notes):
    with opened(make, notes, **FILES) as bed:
        assert bed.run().proves(set(IN_FILES))
        wrong = bed.run(tests=IN_FILES, changes=WRONG, quick=True, stop_at_first_failure=True)
        assert [result.test for result in wrong.failing] == IN_FILES[:1]
        harmless = bed.run(tests=IN_FILES, changes=HARMLESS, quick=True, stop_at_first_failure=True)
        assert harmless.proves(set(IN_FILES))
        few = bed.run(tests=IN_FILES[:2], changes=HARMLESS, quick=True)
        assert {wrong.means, harmless.means, few.means} <= FORKED
    assert notes == []


def test_a_file_is_imported_anew_for_its_first_test_only(make, notes):
    first = "import shop\n\n\ndef test_one():\n    assert shop.price(3) == 6\n"
    second = first.replace("import shop", "import shop\nfrom shop import EXTRA")
    tests = ["test_a.py::test_one", "test_b.py::test_one"]
    source = SHOP + "\n\nEXTRA = 1\n"
    # Without the name, the second file cannot be collected; the first one fails before that.
    wrong = {"shop.py": WRONG["shop.py"]}
    harmless = {"shop.py": HARMLESS["shop.py"] + b"\n\nEXTRA = 2\n"}
    with opened(make, notes, **{"shop.py": source, "test_a.py": first, "test_b.py": second}) as bed:
        assert bed.run().proves(set(tests))
        failing = bed.run(tests=tests, changes=wrong, quick=True, stop_at_first_failure=True)
        passing = bed.run(tests=tests, changes=harmless, quick=True, stop_at_first_failure=True)
    assert [result.test for result in failing.results] == tests[:1]
    assert passing.proves(set(tests))
    assert (failing.means, passing.means) == ("import", "import")


def test_fixtures_that_pytest_s_hooks_serve_are_served_without_them(make, notes):
    fixtures = sections("contract/quick_suites.txt")[1].parts["FIXTURES"]
    names = ["test_path", "test_output", "test_descriptor", "test_log"]
    tests = [f"test_fixtures.py::{name}" for name in names]
    settings = "[pytest]\ntmp_path_retention_policy = failed\nlog_level = INFO\n"
    with opened(make, notes, **{"test_fixtures.py": fixtures, "pytest.ini": settings}) as bed:
        assert bed.run().proves(set(tests))
        for test in tests:
            failing = bed.run(tests=[test], changes=WRONG, quick=True)
            assert [result.test for result in failing.failing] == [test]
            assert failing.means in FORKED, failing.reason
        harmless = bed.run(tests=tests, changes=HARMLESS, quick=True)
        assert harmless.proves(set(tests))
        assert harmless.means in FORKED, harmless.reason
    assert notes == []


def test_what_ran_at_the_import_is_imported_anew_or_assumed_to_leave_no_traces(make, notes):
    source = SHOP + "\n\nFIRST = price(1)\n"
    test = "import shop\n\n\ndef test_one():\n    assert shop.price(3) == 6\n"
    other = "\n\ndef test_first():\n    assert shop.FIRST == 2\n"
    tests = ["test_a.py::test_one", "test_a.py::test_first"]
    wrong = {"shop.py": source.replace("2 * n", "2 + n").encode()}
    with opened(make, notes, **{"shop.py": source, "test_a.py": test + other}) as bed:
        calls = bed.run().calls
        exact = bed.run(tests=tests, changes=wrong, quick=True)
        assumed = bed.run(tests=tests, changes=wrong, quick=True, assume=True)
    assert (exact.means, [result.test for result in exact.failing]) == ("import", tests)
    if calls is not None:  # otherwise nobody asks
        assert calls.callers("shop.py", 1) == {tests[0]}
        assert (assumed.means, [result.test for result in assumed.failing]) == ("assumed", tests[:1])


def test_a_module_that_pytest_imports_for_its_doctests_is_swapped_but_for_its_assertions(
    make, notes, variant
):
    """pytest rewrites the assertions of a file that it is given."""
    source = '''def price(n):
    """
    >>> price(3)
    6
    """
    return 2 + n


def checked(n):
    assert n, "no number"
    return 2 + n
'''
    test = "import shop\n\n\ndef test_one():\n    assert shop.checked(3) == 6\n"
    settings = "[pytest]\naddopts = --doctest-modules\n"
    tests = ["shop.py::shop.price", "test_a.py::test_one"]
    both = source.replace("2 + n", "2 * n")
    one = source.replace("2 + n", "2 * n", 1)
    with opened(make, notes, **{"shop.py": source, "test_a.py": test, "pytest.ini": settings}) as bed:
        assert [result.test for result in bed.run().failing] == tests
        for text, means, passing in ((one, "swap", tests[:1]), (both, "import", tests)):
            report = bed.run(tests=tests, changes={"shop.py": text.encode()}, quick=True)
            assert [result.test for result in report.passing] == passing
            assert report.means == (
                "import" if variant[2] == "3.7" else means
            )  # 3.7 has no ends of functions


HELD = """
def held(seen):
    def add(own, code):
        seen[code, 1] = 1

    return type("Held", (), {"add": add, "__contains__": lambda own, code: (code, 1) in seen})()
"""


@pytest.mark.parametrize(
    ("registry", "keep"),
    [
        ("set()", "KNOWN.add(function.__code__)"),
        ("{}", "KNOWN[function.__code__] = 1"),
        ("weakref.WeakKeyDictionary()", "KNOWN[function.__code__] = 1"),
        ("collections.defaultdict(int)", "KNOWN[function.__code__] += 1"),
        (
            "type('Held', (), {'codes': {}, '__contains__': lambda own, code: code in own.codes})()",
            "KNOWN.codes[function.__code__] = 1",
        ),
        ("held({})", "KNOWN.add(function.__code__)"),
        ("copyreg.dispatch_table", "KNOWN[function.__code__] = 1"),
    ],
)
def test_a_function_whose_code_object_is_registered_is_imported_anew(make, notes, registry, keep):
    """As a library does that leaves its own frames out of tracebacks; new code would not be registered."""
    source = (
        f"import collections\nimport copyreg\nimport weakref\n\n{HELD}\n\nKNOWN = {registry}\n\n"
        "\ndef mine(function):\n"
        f"    {keep}\n    return function\n"
        "\n\n@mine\ndef price(n):\n    return 2 + n\n"
    )
    test = "import shop\n\n\ndef test_one():\n    assert shop.price(3) == 6\n"
    other = "\n\ndef test_known():\n    assert shop.price(3) == 6 and shop.price.__code__ in shop.KNOWN\n"
    tests = ["test_a.py::test_one", "test_a.py::test_known"]
    right = {"shop.py": source.replace("2 + n", "2 * n").encode()}
    with opened(make, notes, **{"shop.py": source, "test_a.py": test + other}) as bed:
        assert len(bed.run().failing) == 2
        for assume in (False, True):
            report = bed.run(tests=tests, changes=right, quick=True, assume=assume)
            assert (report.means, report.proves(set(tests))) == ("import", True)


def test_a_function_within_one_whose_code_object_is_registered_is_imported_anew(make, notes):
    source = (
        "KNOWN = set()\n\n\ndef mine(function):\n    KNOWN.add(function.__code__)\n    return function\n"
        "\n\n@mine\ndef price(n):\n    def twice():\n        return 2 + n\n\n    return twice()\n"
    )
    test = "import shop\n\n\ndef test_one():\n    assert shop.price(3) == 6\n"
    other = "    assert shop.price.__code__ in shop.KNOWN\n"
    right = {"shop.py": source.replace("2 + n", "2 * n").encode()}
    with opened(make, notes, **{"shop.py": source, "test_a.py": test + other}) as bed:
        assert len(bed.run().failing) == 1
        report = bed.run(tests=["test_a.py::test_one"], changes=right, quick=True)
    assert (report.means, report.proves({"test_a.py::test_one"})) == ("import", True)


def test_what_a_project_freezes_is_swapped_all_the_same(make, notes, variant):
    source = SHOP.replace("2 * n", "2 + n") + "\n\nimport gc\n\ngc.freeze()\n"
    test = "import shop\n\n\ndef test_one():\n    assert shop.price(3) == 6\n"
    right = {"shop.py": source.replace("2 + n", "2 * n").encode()}
    with opened(make, notes, **{"shop.py": source, "test_a.py": test}) as bed:
        assert len(bed.run().failing) == 1
        report = bed.run(tests=["test_a.py::test_one"], changes=right, quick=True)
    assert report.proves({"test_a.py::test_one"})
    assert report.means == ("import" if variant[2] == "3.7" else "swap"), report.reason


@pytest.mark.slow
def test_a_file_that_cannot_be_collected_is_not_held_with_the_others(make, notes):
    broken = {"test_98.py": "import nothing_of_that_name\n\n\ndef test_one():\n    pass\n"}
    with opened(make, notes, **FILES, **broken) as bed:
        assert len(bed.run().passing) == len(IN_FILES)
        report = bed.run(tests=IN_FILES, changes=HARMLESS, quick=True)
        assert report.proves(set(IN_FILES))
        assert report.means in FORKED, report.reason


@pytest.mark.slow
def test_one_file_that_cannot_be_held_with_the_others_leaves_few_files_quick(make, notes):
    odd = {"test_99.py": THREADS}
    tests = [*IN_FILES, "test_99.py::test_one"]
    with opened(make, notes, **FILES, **odd) as bed:
        assert bed.run().proves(set(tests))
        many = bed.run(tests=tests, changes=HARMLESS, quick=True)
        assert (many.means, many.reason) == ("whole", "importing the project starts threads")
        assert many.proves(set(tests))
        assert bed.run(tests=IN_FILES[:2], changes=HARMLESS, quick=True).means in FORKED


@pytest.mark.slow
def test_tests_that_take_long_together_are_judged_in_a_fork(make, notes):
    tests = [f"test_slow.py::test_slow[{n}]" for n in range(3, 63)]
    with opened(make, notes, **{"test_slow.py": SLOW}) as bed:
        assert bed.run().proves(set(tests))
        wrong = bed.run(tests=tests, changes=WRONG, quick=True, stop_at_first_failure=True)
        assert [result.test for result in wrong.results] == tests[:1]
        harmless = bed.run(tests=tests, changes=HARMLESS, quick=True, stop_at_first_failure=True)
        assert harmless.proves(set(tests))
        assert {wrong.means, harmless.means} <= FORKED


def test_a_failure_that_a_fork_alone_shows_is_not_believed(make, notes, variant):
    if variant[2] == "3.7":
        pytest.skip("the tests are imported anew in the fork there, and end as in a whole run")
    tests = ["test_own.py::test_process", "test_own.py::test_price"]
    with opened(make, notes, **{"test_own.py": OWN}) as bed:
        assert bed.run().proves(set(tests))
        report = bed.run(tests=tests, changes=HARMLESS, quick=True, stop_at_first_failure=True)
        assert report.proves(set(tests)), report
        again = bed.run(tests=tests, changes=HARMLESS, quick=True, stop_at_first_failure=True)
        assert again.proves(set(tests)), again
        assert again.means in FORKED
        assert again.reason == "1 of the tests in a whole run"
        wrong = bed.run(tests=tests, changes=WRONG, quick=True, stop_at_first_failure=True)
        assert [result.test for result in wrong.results] == tests[1:], "the others come first"
    assert any("test_process takes a whole run" in note for note in notes)


def test_a_project_that_pytest_imports_is_imported_anew_for_each_candidate(make, notes):
    own = sections("contract/quick_suites.txt")[2].parts["INICONFIG"]
    test = "import iniconfig\n\n\ndef test_one():\n    assert iniconfig.answer() == 42\n"
    tests, right = ["test_a.py::test_one"], {"src/iniconfig/__init__.py": own.replace("41", "42").encode()}
    files = {"src/iniconfig/__init__.py": own, "test_a.py": test}
    with make(files=files, environment={"PYTHONPATH": "src"}, notify=notes.append).open() as bed:
        assert [one.test for one in bed.run().failing] == tests
        assert bed.run(tests=tests, changes=right, quick=True).proves(set(tests))
        assert bed.run(tests=tests, changes=right).proves(set(tests))


def test_a_project_that_pytest_consists_of_is_imported_by_an_empty_process_for_each_candidate(make, notes):
    own = sections("contract/quick_suites.txt")[2].parts["INICONFIG"].replace("iniconfig", "pluggy")
    test = "import pluggy\n\n\ndef test_one():\n    assert pluggy.answer() == 42\n"
    files = {"src/pluggy/__init__.py": own, "test_a.py": test}
    with make(files=files, environment={"PYTHONPATH": "src"}, notify=notes.append).open() as bed:
        assert bed.run().means == "cold"
    assert "pytest consists of the project's own code: pluggy" in notes[0]
