"""A formatter or linter that failed: fixed by itself, in the sandbox, and suggested as any other repair."""

import sys

import pytest
from fakes.action import RIGHT, TESTS, WRONG, job_log, shop

CONFIG = ".github/regreen.yml"
TIDY = RIGHT.rstrip() + b"\n"
FORMATTED = {"shop/prices.py": TIDY, "tests/test_prices.py": TESTS.rstrip() + b"\n"}
UNTIDY = TIDY.replace(b"net + tax", b"net+tax")
FORMAT = "ruff format --check ."


def lint_log(command=FORMAT):
    return job_log(
        f"##[group]Run {command}\n\x1b[36;1m{command}\x1b[0m\nshell: /usr/bin/bash -e {{0}}\n##[endgroup]\n"
        "Would reformat: shop/prices.py\n1 file would be reformatted\n"
        "##[error]Process completed with exit code 1.\n"
    )


@pytest.fixture
def make(github):
    """A pull request with ``change``, in which a lint job failed and, with ``tests``, the tests as well."""

    def place(change, *, command=FORMAT, tests=False, **more):
        made = shop(github, change=change, **more)
        for job in made.run.jobs:
            fails = job.name == "lint" or tests
            job.conclusion = "failure" if fails else "success"
            job.log = lint_log(command) if job.name == "lint" else job.log
        return made

    return place


@pytest.fixture
def lint(repair, monkeypatch):
    """Runs the Action with an interpreter that has ruff."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return lambda place, **more: repair(place, sandbox_python=sys.executable, **more)


@pytest.mark.slow
def test_a_format_check_that_failed_is_fixed_and_suggested(make, lint):
    place = make({"shop/prices.py": UNTIDY}, begin=FORMATTED)
    ran = lint(place)
    assert (ran.status, ran.outputs["outcome"], ran.outputs["delivery"]) == (0, "patched", "suggestion"), (
        ran.log
    )
    (suggestion,) = place.suggestions
    assert "net + tax" in suggestion
    (comment,) = place.comments
    assert FORMAT in comment


@pytest.mark.slow
def test_a_test_file_may_be_formatted_and_nothing_else_be_done_to_it(make, lint):
    untidy = TESTS.replace(b"assert with_tax", b"assert  with_tax")
    assert untidy != TESTS
    place = make({"tests/test_prices.py": untidy})
    ran = lint(place, delivery="comment")
    assert ran.outputs["outcome"] == "patched", ran.log
    assert "-    assert  with_tax" in place.comments[0]
    unused = make({"tests/test_prices.py": b"import os\n" + TESTS}, command="ruff check --select F401 .")
    ran = lint(unused)
    assert (ran.outputs["outcome"], unused.suggestions) == ("not_code", []), ran.log
    assert "lint-fix: `tests/test_prices.py` is protected" in ran.summary


@pytest.mark.slow
def test_failing_tests_are_repaired_first(make, lint):
    ran = lint(make({"shop/prices.py": WRONG.replace(b"return net", b"return  net")}, tests=True))
    assert ran.outputs["outcome"] == "patched", ran.log
    assert FORMAT not in ran.summary


def test_the_base_branch_can_turn_it_off(make, lint):
    ran = lint(make({"shop/prices.py": UNTIDY}, begin={CONFIG: b"lint-fix: false\n"}))
    assert ran.outputs["outcome"] == "not_code", ran.log
