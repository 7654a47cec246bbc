"""``regreen prove``: the verdict on a patch that somebody else wrote."""

import difflib
import json
import subprocess
import sys

import pytest
from git_history import commit, git
from laying import lay
from sections import sections

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
def shop(project):
    return project({"shop.py": CODE, "test_shop.py": TESTS})


@pytest.fixture
def prove(shop, run_regreen):
    """Runs ``regreen prove`` on a file with a patch; with None on a file that is missing."""

    def run(patch, *options):
        if patch is not None:
            (shop / "my.patch").write_bytes(patch)
        return run_regreen("prove", shop / "my.patch", shop, *options)

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
def test_a_branch_is_judged_with_its_documents(shop, run_regreen):
    commit(shop, {"README.md": "# Shop\n"})
    git(shop, "checkout", "--quiet", "-b", "fix")
    commit(shop, {"shop.py": CODE.replace("> LIMIT", ">= LIMIT"), "README.md": "# The shop\n"})
    git(shop, "checkout", "--quiet", "main")
    done = run_regreen("prove", "fix", shop, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"]) == (0, "patched"), result["reason"]
    assert "README" not in result["diff"]
    assert result["explanation"] == "part of: the given patch"


NEW_TEST = "\n\ndef test_a_penny_less_does_not():\n    assert rate(99.99) == 0 and rate(100.5) == 10\n"
BROUGHT = "\n\ndef test_hundred():\n    assert rate(100) == 10\n"


def of_both(new_code, new_tests, old_tests):
    """A change of the code and of its tests, as git writes it."""
    pairs = {"shop.py": (CODE, new_code), "test_shop.py": (old_tests, new_tests)}
    found = (
        difflib.unified_diff(*(side.splitlines(keepends=True) for side in sides), f"a/{path}", f"b/{path}")
        for path, sides in pairs.items()
    )
    return "".join(line for lines in found for line in lines).encode()


def test_a_change_that_brings_its_test_is_judged_by_it_and_a_person_must_read_it(prove, shop):
    before = TESTS.replace("100) == 10", "101) == 10")
    (shop / "test_shop.py").write_text(before)
    done = prove(of_both(CODE.replace("> LIMIT", ">= LIMIT"), before + BROUGHT, before), "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"]) == (7, "patched"), result["reason"]
    assert result["evidence"]["fail_to_pass"] == ["test_shop.py::test_hundred"]
    assert "came with it: read them as well" in " ".join(result["evidence"]["doubts"])
    assert "came with it" in " ".join(result["warnings"])
    assert "test_shop.py" not in result["diff"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "tests", "reason"),
    [
        (CODE.replace("> LIMIT", "> 1"), TESTS + BROUGHT, "breaks tests that passed before"),
        (CODE.replace("9", "8"), TESTS + NEW_TEST, "1 of 1 failing tests still fail with the patch"),
    ],
    ids=["breaks", "no need"],
)
def test_a_test_of_its_own_makes_no_other_change_right(prove, shop, code, tests, reason):
    result = json.loads(prove(of_both(code, tests, TESTS), "--json").stdout)
    assert (result["diff"], result["outcome"] == "patched") == ("", False)
    assert reason in result["reason"]


def test_what_the_added_tests_do_to_others_hides_no_test_that_breaks(prove, shop):
    (shop / "test_shop.py").write_text(TESTS.replace("100) == 10", "101) == 10"))
    hidden = "import test_shop\n\n\ntest_shop.test_less_does_not = lambda: None\n" + BROUGHT
    added = difflib.unified_diff(
        [], f"from shop import rate\n{hidden}".splitlines(keepends=True), "/dev/null", "b/test_a.py"
    )
    patch = diff("    if total > LIMIT:", "    if total >= 99:") + "".join(added).encode()
    result = json.loads(prove(patch, "--json").stdout)
    assert (result["outcome"], result["diff"]) == ("no_patch", "")
    assert (
        result["reason"] == "the patch breaks tests that passed before (1): test_shop.py::test_less_does_not"
    )


def test_a_deletion_is_refused_with_the_reason(prove):
    gone = b"diff --git a/test_shop.py b/test_shop.py\ndeleted file mode 100644\n"
    done = prove(gone, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"]) == (1, "no_patch")
    assert result["reason"].startswith("the patch is refused: the diff deletes or renames a file")


def test_a_project_that_has_the_patch_already_is_no_ground_for_a_verdict(prove, shop):
    (shop / "shop.py").write_text(CODE.replace("> LIMIT", ">= LIMIT"))
    done = prove(diff("MAXIMUM = 9", "MAXIMUM = 8", line=2), "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"]) == (1, "not_reproduced")
    assert "nothing to judge the patch by, which needs the project as it was before it" in result["reason"]


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


READING = [
    pytest.param(case, id=case.name, marks=pytest.mark.slow if "slow" in case.facts else ())
    for case in sections("sources/prove_reads.txt")
]


@pytest.mark.parametrize("case", READING)
def test_a_patch_that_reads_the_expected_values_in_the_tests_is_refused(prove, shop, case):
    """It gets the names and the text of the tests' files by means that are allowed."""
    lay(shop, {path: source for path, source in case.parts.items() if path != "patched"})
    old, new = (source.splitlines(keepends=True) for source in (CODE, case.parts["patched"]))
    patch = "".join(difflib.unified_diff(old, new, "a/shop.py", "b/shop.py"))
    result = json.loads(prove(patch.encode(), "--json").stdout)
    assert (result["outcome"], result["diff"]) == ("no_patch", "")
    assert f"the tests' files were read while they ran: {case.facts['read by']}" in result["reason"]


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
