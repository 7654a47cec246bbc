"""Where a job ran its tests: several jobs of a workflow may show the same script in their logs."""

import pytest

from bot.triage.log import ask, judge, scan

JOB = """\
  {key}:
    runs-on: ubuntu-latest
    defaults:
      run:
        working-directory: packages/{key}
    steps:
      - run: python -m pytest
"""
MATRIX = """\
  {key}:
    name: {name}
    runs-on: ubuntu-latest
    strategy:
      matrix:
        package: [one, two]
    steps:
      - run: python -m pytest
        working-directory: packages/${{{{ matrix.package }}}}
"""
FILES = {
    f"packages/{name}/{path}": b""
    for name in ("one", "two")
    for path in ("pyproject.toml", f"{name}.py", "tests/test_core.py")
}
ROOT = "rootdir: /home/runner/work/app/app/packages/two\n"


def log(directory, *, root=ROOT, path="tests/test_core.py", shown="python -m pytest"):
    text = f"""\
##[group]Run {shown}
{shown}
shell: /usr/bin/bash -e {{0}}
##[endgroup]
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-8.4.0, pluggy-1.6.0
{root}collected 1 item

{path} F                                                        [100%]

=================================== FAILURES ===================================
___________________________________ test_one ___________________________________

    def test_one():
>       assert 1 == 2
E       assert 1 == 2

{path}:2: AssertionError
=========================== short test summary info ============================
FAILED {path}::test_one - assert 1 == 2
============================== 1 failed in 0.02s ===============================
##[error]Process completed with exit code 1.
"""
    file = directory / "job.log"
    file.write_text("".join(f"2026-01-01T00:00:00.0000000Z {line}\n" for line in text.splitlines()))
    return file


def workflow(*jobs):
    return {".github/workflows/ci.yml": ("on: push\njobs:\n" + "".join(jobs)).encode()}


ALIKE = workflow(JOB.format(key="one"), JOB.format(key="two"))


@pytest.mark.parametrize(
    ("jobs", "name", "directory"),
    [
        (ALIKE, "one", "packages/one"),
        (ALIKE, "two", "packages/two"),
        (workflow(MATRIX.format(key="test", name="test")), "test (one)", "packages/one"),
        (workflow(MATRIX.format(key="test", name="Test ${{ matrix.package }}")), "Test two", "packages/two"),
        (workflow(JOB.format(key="one"), MATRIX.format(key="m", name="m")), "call / m (two)", "packages/two"),
    ],
)
def test_the_jobs_name_says_which_of_several_alike_it_was(tmp_path, jobs, name, directory):
    answer = judge(scan(log(tmp_path, root="")), {**FILES, **jobs}, job=name)
    assert answer.tests == (f"{directory}/tests/test_core.py::test_one",)
    assert answer.command.directory == directory
    assert answer.command.text.endswith(f"--rootdir=. {directory}")


@pytest.mark.parametrize("name", ["", "no such job", "one\x00\n::error::x", "x" * 100_000])
def test_without_a_known_name_the_root_that_pytest_shows_does(tmp_path, name):
    answer = judge(scan(log(tmp_path)), {**FILES, **ALIKE}, job=name)
    assert answer.tests == ("packages/two/tests/test_core.py::test_one",)
    assert answer.command.directory == "packages/two"


@pytest.mark.parametrize("top", ["D:\\a\\app\\app\\", "/Users/runner/work/app/app/", "/__w/app/app/"])
def test_the_root_is_read_on_every_runner(tmp_path, top):
    root = f"rootdir: {top}packages{top[-1]}two\n"
    answer = ask(log(tmp_path, root=root), {**FILES, **ALIKE})
    assert answer.tests == ("packages/two/tests/test_core.py::test_one",)


def test_a_root_below_is_found_where_the_top_has_files_of_that_name(tmp_path):
    files = {**FILES, **ALIKE, "tests/test_core.py": b""}
    assert ask(log(tmp_path), files).tests == ("packages/two/tests/test_core.py::test_one",)


def test_tests_that_ran_from_above_their_root_have_its_path_already(tmp_path):
    path = "packages/two/tests/test_core.py"
    shown = "pytest packages/two"
    answer = ask(log(tmp_path, path=path, shown=shown), {**FILES, **ALIKE})
    assert answer.tests == (f"{path}::test_one",)
    assert answer.command.directory == "."
    assert answer.command.text == shown


@pytest.mark.parametrize(
    "root",
    [
        *("rootdir: /elsewhere/packages/two\n", "rootdir: /home/runner/work/app/app/packages/three\n"),
        *("rootdir: /home/runner/work/app/app/../../../../etc\n", "rootdir: C:\\x\n", "rootdir: two\n", ""),
    ],
)
def test_a_root_that_is_none_of_the_checkout_says_nothing(tmp_path, root):
    answer = ask(log(tmp_path, root=root), {**FILES, **ALIKE})
    assert answer.tests == ("tests/test_core.py::test_one",)
