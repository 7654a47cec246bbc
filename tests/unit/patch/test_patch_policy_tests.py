"""Patches that repair nothing and reach the tests instead: their helpers, and tables of their answers.

Most of them are cases in ``tests/golden/policy/tests.txt``.
"""

from every_case import every_case
from policy_support import Judgement, judged
from sections import sections

FILES = sections("policy/tests.txt")[0].parts
HOST = FILES["shop.py"]


QUEUES = [
    ("[125, 1600]", "RESULTS.pop(0)"),
    ("iter((125, 1600))", "next(RESULTS)"),
    ("itertools.cycle([125, 1600])", "next(RESULTS)"),
    ("deque(['cba', 1600])", "RESULTS.popleft()"),
    ("(125, 1600)", "RESULTS[next(COUNT)]"),
    ("(125, 1600)", "RESULTS[len(SEEN)]"),
]


@every_case(("results", "taken"), QUEUES)
def test_results_of_the_tests_one_after_another_are_for_a_person(results, taken):
    host = HOST.replace("    return x + x\n", f"    return {taken}\n")
    found = judged(f"{host}\n\nRESULTS = {results}\n", FILES)
    assert any("one after another" in why for why in found.shown), found
    other = judged(f"{host}\n\nRESULTS = {results.replace('1600', '7')}\n", FILES)
    assert not any("one after another" in why for why in other.shown), other


def test_an_entry_more_in_a_table_that_was_there_is_allowed():
    old = HOST + "\n\nTABLE = {'one': 1, 'two': 2}\n\n\ndef ask(x):\n    return TABLE.get(x)\n"
    new = old.replace("'two': 2", "'two': 2, 'abc': 'cba'")
    assert judged(new, {**FILES, "shop.py": old}) == Judgement()


HELPER = "def expect(value, other):\n    return value == other\n"


@every_case(
    "path",
    [
        *("helpers.py", "shop_helpers.py", "support/fakes.py", "shop/factories.py"),
        *("fixtures/__init__.py", "asserts.py"),
    ],
)
def test_a_file_that_only_tests_import_is_for_a_person(path):
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    sources = {path: HELPER, "shop.py": HOST, "tests/test_shop.py": f"from {module} import expect\n"}
    new = HELPER.replace("value == other", "value is not other")
    assert any("helper of the tests" in why for why in judged(new, sources, path).shown)
    # What the code uses as well is a part of it; publishing knows that by this file alone.
    used = {**sources, "shop.py": f"from {module} import expect\n{HOST}"}
    assert judged(new, used, path) == Judgement(witnesses=("shop.py",))


def test_a_file_that_imports_a_test_framework_is_one_whatever_its_name():
    old = f"import pytest\n\n\n{HELPER}"
    sources = {"common.py": old, "test_shop.py": "import common\n", "shop.py": HOST}
    new = old.replace("value == other", "value is not other")
    assert any("helper of the tests" in why for why in judged(new, sources).shown)


def test_a_module_that_only_tests_import_is_the_project():
    sources = {"shop.py": HOST, "test_shop.py": "import shop\n"}
    assert judged(HOST.replace("x + x", "x * x"), sources) == Judgement()
