"""Several failed jobs, end to end on the stand-in: which is repaired, and what is said of the others."""

import pytest
from fakes.action import FAILING_LOG, SHUTDOWN, job_log, shop
from fakes.github_markdown import read

pytestmark = pytest.mark.bubblewrap
LINT = """\
##[group]Run ruff check .
ruff check .
shell: /usr/bin/bash -e {0}
##[endgroup]
shop/prices.py:1:1: F401 [*] `os` imported but unused
Found 1 error.
##[error]Process completed with exit code 1.
"""
# A test that only CI's machine lets fail: here it passes.
PASSES_HERE = FAILING_LOG.replace("test_with_tax", "test_half").replace(
    "with_tax(100, 19) == 119", "half(8) == 4"
)
HOSTILE = "a\r\n::error::owned\x1b[31m @everyone #1 <img src=x> `<!-- x -->` \u202e|" + "x" * 500


@pytest.fixture
def repaired(github, repair):
    """Runs the Action for a pull request with the given failed jobs: name, log, labels."""

    def run(*jobs, **inputs):
        place = shop(github)
        place.run.jobs.clear()
        for name, log, *labels in jobs:
            content = None if log is None else job_log(log)
            github.world.job(place.run, name, log=content, labels=labels[0] if labels else ("ubuntu-latest",))
        return place, repair(place, **inputs)

    return run


@pytest.mark.slow
def test_the_job_that_shows_the_fault_is_found_whatever_failed_before_it(repaired):
    place, ran = repaired(
        ("lint", LINT),
        ("windows", FAILING_LOG, ("windows-latest",)),
        ("downloads", SHUTDOWN),
        ("other", PASSES_HERE),
        ("expired", None),
        ("test (3.12)", FAILING_LOG),
        ("test (3.11)", FAILING_LOG),
    )
    assert ran.outputs["delivery"] == "suggestion", ran.log
    assert "+    return net + tax" in ran.outputs["patch"]
    reason = ran.outputs["reason"]
    assert reason.startswith("verified (the job `test (3.12)`); other failed jobs: ")
    for said in (
        "`other`: not reproduced",
        "`test (3.11)`: the same tests as `test (3.12)`",
        "`windows`: the same tests as `test (3.12)`",
        "`lint`: `lint/",
        "`downloads`: `infrastructure/",
    ):
        assert said in reason
    (comment,) = place.comments
    assert "Other failed jobs: " in comment
    assert "job `test (3.12)`" in comment
    assert not read(comment).acted_upon
    # One download, and one environment: the second job's files are the first's.
    assert len(place.github.seen("GET", "/tarball/")) == 1


@pytest.mark.slow
def test_names_of_jobs_are_nothing_but_names(repaired):
    place, ran = repaired((HOSTILE, FAILING_LOG), (HOSTILE.upper(), LINT), comment_on="always")
    assert ran.outputs["outcome"] == "patched", ran.log
    assert "owned" in ran.outputs["reason"]
    for page in (*place.comments, ran.summary, ran.outputs["reason"]):
        assert not read(page).acted_upon or page is ran.outputs["reason"]
        assert "\u202e" not in page
        assert "\x1b" not in page
        assert "x" * 100 not in page
    lines = ran.log.split("\n")
    assert not [line for line in lines if line.startswith(("::error", "##["))]
