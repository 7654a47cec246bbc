"""The test command out of a log: echoes, scripts, files, workflows, places."""

import dataclasses

from every_case import every_case

from bot.cilog.command.echo import Echoes
from bot.cilog.command.paths import directory_in, locate_tests
from bot.cilog.command.recovered import recover_command
from bot.cilog.command.variables import passed_on
from bot.cilog.model import LogFailure, LogReading, LogSession, LogStatus, LogStep
from bot.triage.log import ask
from sandbox.command import parse


def echoes(lines, steps=()):
    collected = Echoes()
    collected.read(lines, steps=steps)
    return tuple(collected.found)


def test_what_tools_show_before_they_run_it():
    log = """\
+ cd /home/runner/work/shop/shop/backend
+ python -m pytest tests
$ pytest one
py311: commands[0]> pytest two
py38 run-test: commands[1] | pytest three
nox > pytest four
nox > Running session tests-3.11
cmd [1] | pytest five
Poe => pytest six
Running pytest seven...
python -m pytest eight
tests/test_a.py::test_pytest PASSED
plugins: pytest-cov-3
"""
    found = echoes(log.splitlines())

    assert [one.text for one in found] == [
        "python -m pytest tests",
        *(f"pytest {word}" for word in ("one", "two", "three", "four", "five", "six", "seven")),
        "python -m pytest eight",
    ]
    assert found[0].directory == "/home/runner/work/shop/shop/backend"
    assert found[2].log_line == 4


def test_a_directory_holds_until_its_step_ends(tmp_path):
    log = """\
##[group]Run set -x; cd docs && pytest
shell: /usr/bin/bash -e {0}
##[endgroup]
+ cd docs
+ pytest one
##[group]Run set -x; pytest
shell: /usr/bin/bash -e {0}
##[endgroup]
+ pytest tests/two
=== test session starts ===
=== FAILURES ===
____ test_it ____
tests/two/test_a.py:3: AssertionError
=== short test summary info ===
FAILED tests/two/test_a.py::test_it - assert 1 == 2
=== 1 failed in 0.10s ===
##[error]Process completed with exit code 1.
"""
    assert [one.directory for one in echoes(log.splitlines(), steps=[1, 6])] == ["docs", ""]
    (tmp_path / "job.log").write_text(log)
    files = {"tests/two/test_a.py": b"", "docs/conf.py": b""}
    found = ask(tmp_path / "job.log", files).command
    assert found is not None
    assert (found.text, found.directory) == ("pytest tests/two", ".")


@every_case(
    ("text", "directory"),
    [
        ("/home/runner/work/shop/shop", "."),
        ("/home/runner/work/shop/shop/", "."),
        ("/home/runner/work/shop/shop/backend", "backend"),
        (r"D:\a\shop\shop\backend", "backend"),
        ("/github/workspace/backend", "backend"),
        ("$GITHUB_WORKSPACE/backend", "backend"),
        ("${{ github.workspace }}/backend", "backend"),
        ("${{ github.workspace }}", "."),
        ("backend/src", "backend/src"),
        ("./backend", "backend"),
        ("/srv/build", "."),
        ("/srv/build/sub", "sub"),
        ("/usr/lib", None),
        ("../elsewhere", None),
    ],
)
def test_a_place_of_the_runner_in_the_checkout(text, directory):
    assert directory_in(text, roots=["/srv/build"]) == directory


def test_tests_are_found_where_the_checkout_has_them():
    files = {"tests/unit/test_a.py", "tests/test_b.py", "other/test_b.py", "shop/tests/test_c.py"}
    located = locate_tests(
        [
            "unit/test_a.py::TestA::test_x[1/2]",
            "/home/runner/work/shop/shop/tests/test_b.py::test_y",
            "tests.test_b.TestB.test_z",
            "test_c.TestC.test_w",
            "test_b.TestB.test_ambiguous",
            "tests/unit/test_a.py",
            "gone/test_d.py::test_q",
        ],
        files=files,
    )
    assert located == (
        "tests/unit/test_a.py::TestA::test_x[1/2]",
        "tests/test_b.py::test_y",
        "tests/test_b.py::TestB::test_z",
        "shop/tests/test_c.py::TestC::test_w",
        "test_b.TestB.test_ambiguous",
        "tests/unit/test_a.py",
        "gone/test_d.py::test_q",
    )
    assert locate_tests(["test_b.T.test_x"], files=files, directory="other") == (
        "other/test_b.py::T::test_x",
    )


def test_variables_of_the_runner_secrets_and_odd_values_stay_behind():
    given = {
        "DJANGO_SETTINGS_MODULE": "shop.settings",
        "PYTHONPATH": "/home/runner/work/shop/shop/src:/usr/lib/x",
        "PYTEST_ADDOPTS": "--color=yes -n auto -p no:randomly",
        "FIXTURES": "/home/runner/work/shop/shop/tests/files",
        "GITHUB_TOKEN": "***",
        "API_KEY": "abc",
        "pythonLocation": "/opt/x",
        "LD_LIBRARY_PATH": "/opt/x/lib",
        "SCRIPT": "a; rm -rf /",
        "EMPTY": "",
        "bad name": "x",
    }
    assert passed_on(given.items(), []) == {
        "DJANGO_SETTINGS_MODULE": "shop.settings",
        "PYTHONPATH": "src",
        "PYTEST_ADDOPTS": "-p no:randomly",
        "FIXTURES": "tests/files",
    }


def reading(*script, tests=("tests/test_a.py::test_it",), root="", environment=()):
    return LogReading(
        failures=tuple(LogFailure(test=test, status=LogStatus.FAILED) for test in tests),
        failed=len(tests),
        sessions=(LogSession(log_line=20, end_log_line=30, finished=True, failed=1, root=root),),
        steps=(
            LogStep(
                title="pip install x", log_line=1, end_log_line=9, script=("pytest wrong",), exit_status=0
            ),
            LogStep(
                title=script[0] if script else "",
                log_line=10,
                end_log_line=31,
                script=script,
                environment=environment,
                exit_status=1,
            ),
        ),
        log_lines=40,
    )


FILES = {
    "tests/test_a.py": b"",
    "backend/tests/test_b.py": b"",
    "backend/shop.py": b"",
    "pyproject.toml": b"",
}


@every_case(
    ("made", "text", "directory"),
    [
        (reading("pip install -e .", "pytest -v tests"), "pytest tests", "."),
        (reading("cd backend", "python -m pytest tests"),
         "PYTHONPATH=backend python -m pytest backend/tests --rootdir=.", "backend"),
        (reading("cd backend && pytest -k 'a or b'"), "pytest -k 'a or b' --rootdir=. backend", "backend"),
        (reading("cd backend", "pytest --ignore tests/x -c p.ini tests/test_b.py::test_y"),
         "pytest --ignore backend/tests/x -c backend/p.ini backend/tests/test_b.py::test_y --rootdir=.",
         "backend"),
        (reading("cd backend", "python -m unittest"),
         "PYTHONPATH=backend python -m unittest discover -s backend", "backend"),
        (reading("cd backend", "python -m unittest discover -s tests -t ."),
         "PYTHONPATH=backend python -m unittest discover -s backend/tests -t backend", "backend"),
        (reading("cd backend", "./runtests.py"), "cd backend && ./runtests.py", "backend"),
        (reading("pytest tests", tests=("tests/test_b.py::test_y",)),
         "pytest backend/tests --rootdir=.", "backend"),
        (reading("pytest tests/*.py"), "pytest tests/test_a.py", "."),
        (reading("pytest docs", "pytest tests", "pytest examples"), "pytest tests", "."),
        (reading("pytest tests", environment=(("MODE", "fast"), ("GITHUB_TOKEN", "***"))),
         "MODE=fast pytest tests", "."),
        (reading("MODE=slow pytest tests", environment=(("MODE", "fast"),)), "MODE=slow pytest tests", "."),
        (reading("pytest --token=$TOKEN tests"), "pytest tests", "."),
        (reading("make test"), "make test", "."),
        (reading("pytest /srv/w/shop/tests", root="/srv/w/shop"), "pytest tests", "."),
    ],
)  # fmt: skip
def test_a_steps_script_as_a_command_for_the_checkout(made, text, directory):
    found = recover_command(made, files=FILES)

    assert found is not None
    assert (found.text, found.directory) == (text, directory)
    assert "line 10" in found.source
    parse(found.text)


WORKFLOW = ".github/workflows/ci.yml"
STEPS = reading("pytest tests").steps
NOT_THE_JOBS = LogStep(title="x", log_line=32, end_log_line=40, script=("pytest docs",), exit_status=1)
WINDOWS = dataclasses.replace(
    reading("cd backend", "pytest `", r"  tests\test_b.py").steps[1],
    shell=r"C:\Program Files\PowerShell\7\pwsh.EXE -command \". '{0}'\"",
)
SHOWN = echoes([*[""] * 14, "python -m pytest tests -v", *[""] * 20, "+ pytest late"])


def of_steps(*steps):
    return dataclasses.replace(reading(), steps=steps)


@every_case(
    ("made", "shown", "files", "text", "source"),
    [
        (reading("cd backend", "pytest --ds=shop/settings.py tests/test_b.py"), (), {},
         "pytest --ds=shop/settings.py backend/tests/test_b.py --rootdir=.", "line 10"),
        (of_steps(dataclasses.replace(STEPS[1], exit_status=None), NOT_THE_JOBS), (), FILES,
         "pytest tests", "line 10"),
        (of_steps(WINDOWS), (), FILES, "pytest backend/tests/test_b.py --rootdir=.", "line 10"),
        (reading("make test"), SHOWN, FILES, "python -m pytest tests", "shown in line 15 of the log"),
        (reading("make test"), (), {**FILES, "Makefile": b"test:\n\tpytest tests\n"},
         "pytest tests", "make test"),
        (reading("pytest tests"), (),
         {**FILES, WORKFLOW: b"jobs: {t: {steps: [{run: pytest tests, working-directory: backend}]}}"},
         "pytest backend/tests --rootdir=.", "line 10"),
        (LogReading(log_lines=3), (),
         {**FILES, WORKFLOW: b"jobs: {t: {steps: [{run: pytest -q tests}]}}"},
         "pytest tests", f"{WORKFLOW}, job t"),
    ],
    ids=[
        *("an option is no path without the files", "the step with the failing session"),
        *("a Windows shell", "shown before the script", "what a tool runs"),
        *("a workflow's directory", "a workflow without steps"),
    ],
)  # fmt: skip
def test_who_says_what_the_command_is(made, shown, files, text, source):
    found = recover_command(dataclasses.replace(made, shown=shown), files=files)

    assert found is not None
    assert found.text == text
    assert source in found.source


def test_where_nothing_tells_there_is_no_command():
    assert recover_command(LogReading()) is None
    assert recover_command(reading("pytest $CHOSEN")) is None
