"""``regreen prove``: the verdict on a patch that somebody else wrote."""

import difflib
import json
import subprocess
import sys

import pytest

CODE = """LIMIT = 100
MAXIMUM = 9


def rate(total):
    if total > LIMIT:
        return 10
    return 0
"""
TESTS = """from shop import rate


def test_the_limit_counts():
    assert rate(100) == 10


def test_less_does_not():
    assert rate(99) == 0
"""


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "shop.py").write_text(CODE)
    (tmp_path / "test_shop.py").write_text(TESTS)
    return tmp_path


@pytest.fixture
def prove(shop, monkeypatch, project_environment, regreen):
    """Runs ``regreen prove`` on a file with a patch; with None on a file that is missing."""
    monkeypatch.setenv("VIRTUAL_ENV", str(project_environment))
    monkeypatch.setenv("XDG_STATE_HOME", str(shop / ".state"))

    def run(patch, *options):
        file = shop / "my.patch"
        if patch is not None:
            file.write_bytes(patch)
        return regreen("prove", file, shop, "--sandbox", "process", *options)

    return run


def diff(old, new, path="shop.py", line=6):
    return f"--- a/{path}\n+++ b/{path}\n@@ -{line} +{line} @@\n-{old}\n+{new}\n".encode()


GOOD = diff("    if total > LIMIT:", "    if total >= LIMIT:")


def test_a_right_patch_is_verified(prove):
    done = prove(GOOD, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"], result["attempts"]) == (0, "patched", 1), result["reason"]
    assert "+    if total >= LIMIT:" in result["diff"]


@pytest.mark.slow
def test_it_comes_from_standard_input_too(prove, shop):
    argv = [sys.executable, "-m", "bot", "prove", "-", str(shop), "--sandbox", "process"]
    done = subprocess.run(argv, input=GOOD, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"+    if total >= LIMIT:" in done.stdout


@pytest.mark.slow
def test_what_the_patch_does_not_need_is_taken_out(prove, shop):
    more = diff("MAXIMUM = 9", "MAXIMUM = 8", line=2)
    done = prove(more + GOOD.split(b"\n", 2)[2], "--apply")
    assert done.returncode == 0, done.stderr
    assert (shop / "shop.py").read_text() == CODE.replace("> LIMIT", ">= LIMIT")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("patch", "reason"),
    [
        (diff("    if total > LIMIT:", "    if total > LIMIT + 1:"), "1 of 1 failing tests still fail with"),
        (diff("    if total > LIMIT:", "    if total:"), "breaks tests that passed before (1): test_shop.py"),
        (diff("    if total > LIMIT:", "    if total == 100 or eval('0'):"), "the patch is refused: "),
        (
            diff("from shop import rate", "rate = 10", "test_shop.py", 1),
            "the patch is refused: test_shop.py is",
        ),
    ],
    ids=["still fails", "breaks", "dangerous", "tests"],
)
def test_a_wrong_patch_is_refused_with_the_reason(prove, shop, patch, reason):
    done = prove(patch, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"], result["diff"]) == (1, "no_patch", "")
    assert reason in result["reason"]
    assert (shop / "shop.py").read_text() == CODE


# It looks for the expected value in the tests' file, whose name and text it gets by means that are allowed.
READS = """--- a/shop.py
+++ b/shop.py
@@ -1,3 +1,5 @@
+from texts import load
+
 LIMIT = 100
 MAXIMUM = 9

@@ -5,4 +7,7 @@
 def rate(total):
     if total > LIMIT:
         return 10
-    return 0
+    for line in LINES:
+        if f"rate({total})" in line.replace(" ", ""):
+            total = int(line.replace(")", " ").split()[-1])
+    return total
"""
NAME = '"_".join(["te" + "st", "shop.py"])'
WHEN_CALLED = READS.replace("LINES", f"load({NAME}).splitlines()").encode()
WHEN_IMPORTED = READS.replace("+\n LIMIT", f"+LINES = load({NAME}).splitlines()\n+\n LIMIT")
WHEN_IMPORTED = WHEN_IMPORTED.replace("-1,3 +1,5", "-1,3 +1,6").replace("-5,4 +7,7", "-5,4 +8,7").encode()


@pytest.mark.parametrize("patch", [WHEN_CALLED, WHEN_IMPORTED], ids=["when called", "when imported"])
def test_a_patch_that_reads_the_expected_values_in_the_tests_is_refused(prove, shop, patch):
    (shop / "texts.py").write_text(
        "def load(name):\n    with open(name) as file:\n        return file.read()\n"
    )
    (shop / "conftest.py").write_text("import shop\n")
    result = json.loads(prove(patch, "--json").stdout)
    assert (result["outcome"], result["diff"]) == ("no_patch", "")
    assert (
        "the tests' files were read while they ran: test_shop.py::test_the_limit_counts" in result["reason"]
    )


CASES = """import pytest

from shop import rate
from tests.cases import MANY


@pytest.mark.parametrize(("total", "expected"), MANY)
def test_it(total, expected):
    assert rate(total) == expected
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        'for text in texts.load("te" + "sts/cases.py").split(", ("):',
        "for text in os.environ.values():",
    ],
    ids=["in a helper of the tests", "in the name of the running test"],
)
def test_a_patch_that_reads_them_elsewhere_is_refused(prove, shop, line):
    code = f"""import os
import re
import texts

LIMIT = 100
MAXIMUM = 9


def rate(total):
    if total > LIMIT:
        return 10
    {line}
        if re.search(r"\\b%s\\b" % total, text):
            return int(re.findall(r"\\d+", text.partition("]")[0])[-1])
    return 0
"""
    (shop / "texts.py").write_text(
        "def load(name):\n    with open(name) as file:\n        return file.read()\n"
    )
    (shop / "tests").mkdir()
    (shop / "tests" / "cases.py").write_text("MANY = [(99, 0), (100, 10)]\n")
    (shop / "test_shop.py").write_text(CASES)
    changed = difflib.unified_diff(CODE.splitlines(True), code.splitlines(True), "a/shop.py", "b/shop.py")
    result = json.loads(prove("".join(changed).encode(), "--json").stdout)
    assert (result["outcome"], result["diff"]) == ("no_patch", "")
    assert "the tests' files were read while they ran: test_shop.py::test_it[100-10]" in result["reason"]


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (b"please fix it\n", b"does not fit the project: it holds no patch; give a unified diff"),
        (diff("    if sum > LIMIT:", "    if sum:"), b"does not fit the project: "),
        (b"\xff\xfe", b"is not UTF-8"),
        (b"x" * 1_000_001, b"is longer than 1000000 bytes"),
        (None, b"my.patch cannot be read: No such file or directory"),
    ],
    ids=["prose", "another file", "bytes", "long", "missing"],
)
def test_what_is_no_patch_is_one_sentence(prove, patch, said):
    done = prove(patch)
    assert done.returncode == 2
    assert said in done.stderr
    assert b"Traceback" not in done.stderr
