"""``regreen fix`` on projects whose tests are no pytest tests: unittest's, and programs."""

import json

import pytest
from providers import PROVIDERS
from sections import sections

FIXED = "+    if subtotal >= free_from:\n"
CART, UNITTEST, CHECKS = sections("sources/fix_without_pytest.txt")[0].parts.values()
LIMIT = "::Total::test_the_limit_itself"
CASES = [
    pytest.param("python -m unittest", {"test_cart.py": UNITTEST}, f"test_cart.py{LIMIT}", id="unittest"),
    pytest.param(
        "python -m unittest discover -s specs -p 'spec_*.py'",
        {"specs/spec_cart.py": UNITTEST},
        f"specs/spec_cart.py{LIMIT}",
        id="unittest-elsewhere",
    ),
    pytest.param("python check_cart.py", {"check_cart.py": CHECKS}, "python check_cart.py", id="script"),
    pytest.param(
        "python -m checks.prices -v",
        {"checks/prices.py": UNITTEST},
        f"checks/prices.py{LIMIT}",
        id="unittest-program",
    ),
]

# One sandbox each: test_unittest_contract.py and test_script_contract.py have their tests in all.
IN_SANDBOXES = [
    pytest.param(*case.values, *sandbox.values, id=f"{case.id}-{sandbox.id}", marks=sandbox.marks)
    for number, case in enumerate(CASES)
    for sandbox in [PROVIDERS[number % len(PROVIDERS)]]
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "files", "failing", "sandbox"), IN_SANDBOXES)
def test_the_code_is_repaired_and_the_tests_are_not(
    command, files, failing, sandbox, make_provider, project, fix
):
    make_provider(sandbox)
    root = project({"cart.py": CART, **files})
    done = fix(root, "--test-command", command, "--json", sandbox=sandbox)
    result = json.loads(done.stdout)
    assert result["outcome"] == "patched", (result["reason"], done.stderr.decode())
    assert result["failing_before"] == [failing]
    assert FIXED in result["diff"]
    assert result["diff"].count("diff --git") == 1
    assert result["evidence"]["pass_to_pass"] == (0 if failing.startswith("python") else 3)


@pytest.mark.slow
def test_a_program_that_is_not_there_is_said_so(project, fix):
    root = project({"cart.py": CART})
    done = fix(root, "--test-command", "python check.py")
    assert done.returncode == 1
    (line,) = done.stderr.decode().splitlines()
    assert "can't open file 'check.py'" in line
    assert "--test-command" in line
