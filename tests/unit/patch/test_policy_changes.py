"""What the policy says of changes of what a file does already, beside the cases in ``test_policy_cases``."""

import ast
import time

from every_case import every_case
from policy_support import Judgement, judged
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, judge
from bot.patch.policy.objects.foreign import foreign_objects
from bot.patch.policy.objects.origins import Origins

FILES = sections("policy/file_changes.txt")[0].parts["cart.py"]
STORES = sections("policy/stores.txt")[0].parts["shop/code.py"]
TRAPS = sections("policy/traps.txt")[0].parts["shop.py"]
LASTING = sections("policy/lasting.txt")[0].parts


def changed(source: str, old: str, new: str) -> Judgement:
    assert old in source
    return judged(source.replace(old, new), {"shop.py": source})


@every_case(
    ("source", "old", "new"),
    [
        (FILES, "zipfile.ZipFile(name)", "zipfile.ZipFile(name, 'w')"),
        (FILES, "tarfile.open(name)", "tarfile.open(name, 'w:xz')"),
        (FILES, "sqlite3.connect(name)", "sqlite3.connect('/tmp/other')"),
        (FILES, "shutil.rmtree(name)", "shutil.rmtree('src')"),
        (FILES, "os.remove(name)", "os.remove(tree)"),
        (FILES, 'open(name, "w")', 'open("shop.py", "w")'),
        (FILES, "pathlib.Path(name).unlink()", "pathlib.Path(tree).unlink(name)"),
        (TRAPS, "open(name)", "open(name, 'r', -1, None, None, None, True, price)"),
        (TRAPS, "open(name)", "open(name).name.open(**name)"),
    ],
)
def test_other_arguments_to_what_may_change_files_are_for_a_person(source, old, new):
    assert changed(source, old, new).shown


def test_how_a_file_is_encoded_is_no_other_argument():
    assert changed(FILES, 'open(name, "w")', 'open(name, "w", encoding="utf-8")') == Judgement()


def test_a_file_without_xml_may_write_to_what_is_open():
    source = FILES.replace("import xml.etree.ElementTree as ET\n", "")
    assert changed(source, "    return", "    sys.stdout.write(name)\n    return") == Judgement()


def test_an_example_that_doctest_runs_is_a_test():
    why = ("shop.py: an example in a docstring, which may be a test, was changed",)
    assert changed(TRAPS, "    8\n", "    5\n").refused == why
    assert changed(TRAPS, "    >>> price(4)\n    8\n", "").refused == why
    new = changed(TRAPS, "    8\n", "    8\n\n    >>> price(1)\n    2\n")
    assert (new.refused, len(new.shown)) == ((), 1)
    assert changed(TRAPS, "Price.\n\n    >>>", "The price.\n\n    >>>") == Judgement()


def lasting(old: str, new: str) -> Judgement:
    path, head = next(iter(LASTING.items()))
    return judged(f"{head}\n\n{new}", {**LASTING, path: f"{head}\n\n{old}"})


def test_what_a_file_does_already_may_stay():
    old = "warnings.simplefilter('ignore')\n\n\ndef approx(n):\n    return n\n\n\nTAX = 3\n"
    assert lasting(old, old.replace("TAX = 3", "TAX = 4")) == Judgement()


def test_the_decimal_context_that_a_file_has_may_not_be_changed():
    old = "context = decimal.getcontext()\n"
    assert lasting(old, f"{old}context.prec = 1\n").shown
    assert lasting(old, f"{old}context.traps[decimal.Inexact] = False\n").shown


def test_names_that_are_bound_from_each_other_are_followed_in_little_time():
    names = [f"x{number}" for number in range(100)]
    code = "".join(f"{one}, {another} = {another}, {one}\n" for one in names for another in names[:20])
    new = f"{STORES}\n{code}\nx1 = json.JSONDecoder\nx99.decode = total\n"
    start = time.process_time()
    assert judged(new, {"shop.py": STORES}).refused  # for its size alone
    assert time.process_time() - start < 2.5
    tree = ast.parse(new)
    assert foreign_objects(tree, Origins(tree, lambda one: one.is_object)).found


def test_two_files_of_one_patch_are_read_together():
    sources = {"shop/code.py": STORES, "shop/models.py": "import json\n\n\nclass Order: pass\n"}
    new = {
        "shop/code.py": f"{STORES}\n\ndef put(x):\n    x.decode = total\n",
        "shop/models.py": f"{sources['shop/models.py']}\n\nput(json.JSONDecoder)\n",
    }
    assert judge(from_sources(sources, new), sources, Policy()).shown
    assert judged(new["shop/code.py"], sources) == Judgement()
