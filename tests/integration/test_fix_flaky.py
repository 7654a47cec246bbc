"""``regreen fix`` on tests that depend on the hash seed: named as such, and never repaired."""

import json
import subprocess
import sys

import pytest

NAMES = ["alpha", "beta", "gamma", "delta"]
SHOP = "def first(names):\n    return list(set(names))[0]\n"


def first_with(seed):
    code = f"print(list(set({NAMES}))[0])"
    clean = {"PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, "-c", code], env=clean, capture_output=True, check=True, text=True
    ).stdout.strip()


@pytest.fixture
def fix_expecting(project, fix):
    def run(expected, *options):
        test = f"from shop import first\n\n\ndef test_first():\n    assert first({NAMES}) == {expected!r}\n"
        return json.loads(fix(project({"shop.py": SHOP, "test_shop.py": test}), "--json", *options).stdout)

    return run


def test_what_fails_in_the_log_and_passes_here_is_tried_with_other_seeds(fix_expecting, tmp_path):
    log = tmp_path / "ci.log"
    log.write_text(
        "=========== FAILURES ===========\n"
        "__________ test_first __________\n"
        "E   AssertionError: assert 'x' == 'y'\n"
        "test_shop.py:5: AssertionError\n"
        "=== short test summary info ====\n"
        "FAILED test_shop.py::test_first - AssertionError: assert 'x' == 'y'\n"
        "====== 1 failed in 0.01s =======\n"
    )
    seeds = {seed: first_with(seed) for seed in "0123"}
    result = fix_expecting(seeds["0"], "--log", log)

    failing = [seed for seed in "123" if seeds[seed] != seeds["0"]]
    assert failing, "the names have to come in another order with another seed"
    assert (result["outcome"], result["exit_status"]) == ("flaky", 1)
    assert result["flaky"] == {"test_shop.py::test_first": 6 - len(failing)}
    assert all(f"PYTHONHASHSEED={seed}" in result["reason"] for seed in failing)


@pytest.mark.slow
def test_a_patch_that_holds_for_one_seed_is_not_delivered(fix_expecting):
    assert first_with("0") != first_with("1")
    result = fix_expecting(first_with("1"))

    assert (result["outcome"], result["diff"]) == ("flaky", "")
    assert "depends on the hash seed" in result["flaky_because"]["test_shop.py::test_first"]
