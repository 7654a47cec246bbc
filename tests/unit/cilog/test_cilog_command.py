"""The test command out of a log: words, scripts, echoes, files, workflows, places."""

from __future__ import annotations

import dataclasses
import shlex

import pytest

from bot.cilog.command import recover_command
from bot.cilog.command_echo import echoes
from bot.cilog.command_files import scripts_of
from bot.cilog.command_paths import folder_in, locate_tests
from bot.cilog.command_script import simple_commands
from bot.cilog.command_variables import passed_on
from bot.cilog.command_words import recognise
from bot.cilog.command_workflow import workflow_steps
from bot.cilog.model import Framework, LogFailure, LogReading, LogSession, LogStatus, LogStep
from bot.triage.log import ask
from sandbox.command import PytestCommand, UnittestCommand, parse


@pytest.mark.parametrize(
    ("line", "runner", "words"),
    [
        ("pytest", "pytest", "pytest"),
        ("pytest -vv -rA -n auto --cov=shop --cov-report xml tests -k 'not slow'", "pytest",
         "pytest tests -k 'not slow'"),
        ("py.test --junitxml=out.xml --durations 10 tests", "pytest", "pytest tests"),
        ("python3.11 -W error -m pytest --tb=short -x tests", "pytest", "python -W error -m pytest tests"),
        ("python -mpytest tests", "pytest", "python -m pytest tests"),
        ("coverage run --source shop -m pytest tests", "pytest", "python -m pytest tests"),
        ("python -m coverage run -p -m unittest discover -s tests -v", "unittest",
         "python -m unittest discover -s tests"),
        ("uv run --python 3.12 --extra test pytest tests", "pytest", "pytest tests"),
        ("uv run -w pytest-cov --with=hypothesis pytest tests", "pytest", "pytest tests"),
        ("uv run --locked -m pytest tests", "pytest", "python -m pytest tests"),
        ("uv run --no-sync tests/run_tests.py --fast", "program", "python tests/run_tests.py --fast"),
        ("uvx --with-editable . pytest tests", "pytest", "pytest tests"),
        ("uvx --from pytest==8.1 pytest@8.1 tests", "pytest", "pytest tests"),
        ("uv tool run --with pytest-xdist -- pytest -n 4 tests", "pytest", "pytest tests"),
        ("uvx --with tox-uv tox -e py311", "tox", "tox -e py311"),
        ("pipx run --spec pytest==8.1 pytest tests", "pytest", "pytest tests"),
        ("pipx run pytest>=8 tests", "pytest", "pytest tests"),
        ("hatch run +py=3.12 test:pytest tests", "pytest", "pytest tests"),
        ("poetry run coverage run -m pytest", "pytest", "python -m pytest"),
        ("hatch run pytest tests", "pytest", "pytest tests"),
        ("hatch test -- tests", "pytest", "pytest -- tests"),
        ("pdm run python -m unittest", "unittest", "python -m unittest"),
        ("conda run -n env pytest tests", "pytest", "pytest tests"),
        ("xvfb-run --auto-servernum python -m pytest tests", "pytest", "python -m pytest tests"),
        ("timeout -k 5 10m pytest tests", "pytest", "pytest tests"),
        ("sudo -u app env A=1 pytest tests", "pytest", "pytest tests"),
        (r"D:\venv\Scripts\pytest.exe tests", "pytest", "pytest tests"),
        ("py -3.11 -W error -m pytest tests", "pytest", "python -W error -m pytest tests"),
        ("py -3 -m coverage run -m unittest", "unittest", "python -m unittest"),
        ("pytest --cov shop --cov-branch tests", "pytest", "pytest tests"),
        ("pytest --cov -x tests", "pytest", "pytest tests"),
        ("pytest --html r.html --self-contained-html tests", "pytest", "pytest tests"),
        ("python -X dev -m unittest tests.test_a", "unittest", "python -X dev -m unittest tests.test_a"),
        ("python manage.py test shop", "django", "python manage.py test shop"),
        ("./manage.py test", "django", "./manage.py test"),
        ("python setup.py test", "setup", "python setup.py test"),
        ("python -m doctest README.md", "doctest", "python -m doctest README.md"),
        ("python runtests.py --fast", "program", "python runtests.py --fast"),
        ("./scripts/run-tests", "program", "./scripts/run-tests"),
        ("python tests/test_a.py", "program", "python tests/test_a.py"),
        ("tox -e py311", "tox", "tox -e py311"),
        ("python -m tox -e py311", "tox", "tox -e py311"),
        ("nox -s tests", "nox", "nox -s tests"),
        ("make test-unit", "make", "make test-unit"),
    ],
)  # fmt: skip
def test_a_test_command_without_its_dress(line, runner, words):
    found = recognise(shlex.split(line, posix=True) if "\\" not in line else line.split())

    assert found is not None
    assert (found.runner, shlex.join(found.words)) == (runner, words)


@pytest.mark.parametrize(
    "line",
    [
        "pip install pytest",
        "pytest --version",
        "python -m pip install -e .[test]",
        "python setup.py install",
        "python manage.py migrate",
        "python -c 'import pytest'",
        "tox -e lint",
        "nox -s docs",
        "make docs",
        "coverage xml",
        "coverage report --fail-under=90",
        "poetry install",
        "uv sync",
        "git clone https://git.example/pytest-dev/pytest",
        "",
        "sudo",
        "A=1",
        "uv run",
        "uvx",
        "uv tool run --with x",
        "uv tool install pytest",
        "uvx ruff check",
        "pipx install pytest",
        "timeout",
    ],
)
def test_what_runs_no_tests(line):
    assert recognise(shlex.split(line)) is None


def test_variables_before_a_command_belong_to_it():
    found = recognise(["A=1", "B=x y", "pytest"])
    assert found is not None
    assert found.environment == (("A", "1"), ("B", "x y"))


def test_a_script_is_taken_apart_with_folders_and_variables():
    script = """\
cd backend  # where the code is
export MODE=fast
pip install -e . && pytest \\
    tests/unit > out.txt 2>&1
(cd ../other; pytest "a b")
docker run -v $PWD:/w image sh -c "cd deep && $RUN tests"
if [ -n "$X" ]; then pytest last; fi
"""
    found = [
        (shlex.join(one.words), one.folder)
        for one in simple_commands(script, variables={"RUN": "coverage run -m pytest"})
        if any(word.endswith("pytest") for word in one.words) and one.words[0] != "docker"
    ]
    assert found == [
        ("pytest tests/unit", "backend"),
        ("pytest 'a b'", "other"),
        ("coverage run -m pytest tests", "other/deep"),
        ("pytest last", "other"),
    ]
    assert all(
        dict(one.environment)["MODE"] == "fast" for one in simple_commands(script) if "pytest" in one.words
    )


def test_a_keyword_on_a_line_of_its_own_is_no_command():
    found = simple_commands("if [ $A ]\nthen\n  pytest a\nelse\n  pytest b\nfi")

    assert [one.words for one in found][1:3] == [("pytest", "a"), ("pytest", "b")]


@pytest.mark.parametrize(
    "script", ["'", '"' * 30_000, "(" * 50_000, "\\\n" * 20_000, "sh -c 'sh -c \"sh -c pytest\"'"]
)
def test_any_script_can_be_read(script):
    assert isinstance(list(simple_commands(script)), list)


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
    assert found[0].folder == "/home/runner/work/shop/shop/backend"
    assert (found[2].environment, found[2].log_line) == ("py311", 4)


def test_a_folder_holds_until_its_step_ends(tmp_path):
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
    assert [one.folder for one in echoes(log.splitlines(), steps=[1, 6])] == ["docs", ""]
    (tmp_path / "job.log").write_text(log)
    files = {"tests/two/test_a.py": b"", "docs/conf.py": b""}
    found = ask(tmp_path / "job.log", files).command
    assert found is not None
    assert (found.text, found.folder) == ("pytest tests/two", ".")


@pytest.mark.parametrize(
    ("text", "folder"),
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
def test_a_place_of_the_runner_in_the_checkout(text, folder):
    assert folder_in(text, roots=["/srv/build"]) == folder


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
    assert locate_tests(["test_b.T.test_x"], files=files, folder="other") == ("other/test_b.py::T::test_x",)


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


def test_what_a_makefile_and_a_tox_file_run():
    files = {
        "Makefile": b"PYTEST ?= python -m pytest\ntest: build\n\t@$(PYTEST) tests\nlint:\n\truff check\n",
        "sub/tox.ini": b"[testenv]\ndeps = pytest\ncommands =\n    {envpython} -m pytest {posargs:tests}\n",
        "legacy/pyproject.toml": b'[tool.tox]\nlegacy_tox_ini = """\n[testenv]\ncommands = pytest a\n"""\n',
        "native/pyproject.toml": b'[tool.tox.env_run_base]\ncommands = [["pytest", "b"]]\n',
        "broken/tox.ini": b"no section\n",
        "broken/pyproject.toml": b"\xff\xfe[",
    }
    assert scripts_of("make", ["make", "-j2", "test"], files).strip() == "python -m pytest tests"
    assert scripts_of("tox", ["tox"], files, folder="sub").strip() == "python -m pytest tests"
    assert scripts_of("tox", ["tox"], files, folder="legacy").strip() == "pytest a"
    assert scripts_of("tox", ["tox"], files, folder="native").strip() == "pytest b"
    assert not scripts_of("tox", ["tox"], files, folder="broken")
    assert not scripts_of("nox", ["nox"], files)


def test_a_makefile_without_a_target_runs_the_first_that_is_one():
    files = {"Makefile": b".PHONY: test\ntest:\n# note: slow\n\tpytest a\nlint:\n\truff check\n"}

    assert scripts_of("make", ["make"], files) == "pytest a"


WORKFLOW = b"""\
env: {TOP: yes}
defaults: {run: {working-directory: backend}}
jobs:
  test:
    strategy: {matrix: {suite: [unit, integration], include: [{extra: 1}]}}
    env: {MODE: fast}
    steps:
      - uses: actions/checkout@v4
      - run: pip install -e .
      - run: pytest tests/${{ matrix.suite }} --mode=${{ env.MODE }}
        env: {SUITE: "${{ matrix.suite }}"}
      - run: pytest docs
        working-directory: ${{ github.workspace }}
"""


def test_the_steps_of_a_workflow():
    steps = workflow_steps({".github/workflows/ci.yml": WORKFLOW, "docs/workflow.yml": WORKFLOW})

    assert [(one.job, one.script, one.folder) for one in steps] == [
        ("test", "pip install -e .", "backend"),
        ("test", "pytest tests/unit --mode=fast", "backend"),
        ("test", "pytest docs", "${{ github.workspace }}"),
    ]
    assert dict(steps[1].environment) == {"TOP": "true", "MODE": "fast", "SUITE": "unit"}


def test_jobs_and_axes_without_content_hide_no_steps():
    matrix = b"strategy: {matrix: {empty: [], suite: [unit]}}"
    run = b"steps: [{run: 'pytest ${{ matrix.suite }}'}]"
    steps = workflow_steps({".github/workflows/ci.yml": b"jobs: {a: 3, b: {%b, %b}}" % (matrix, run)})

    assert [one.script for one in steps] == ["pytest unit"]


def test_the_steps_of_a_workflow_with_anchors_are_those_of_one_that_says_all_twice():
    data = b"""\
env: &settings {MODE: fast}
jobs:
  test:
    env: *settings
    steps: &steps
      - &install {run: pip install -e .}
      - run: pytest tests
        env:
          <<: *settings
          LEVEL: 3
  again:
    steps: *steps
  last:
    steps: [*install]
"""
    steps = workflow_steps({".github/workflows/ci.yml": data})

    assert [(one.job, one.script, dict(one.environment)) for one in steps] == [
        ("test", "pip install -e .", {"MODE": "fast"}),
        ("test", "pytest tests", {"MODE": "fast", "LEVEL": "3"}),
        ("again", "pip install -e .", {"MODE": "fast"}),
        ("again", "pytest tests", {"MODE": "fast", "LEVEL": "3"}),
        ("last", "pip install -e .", {"MODE": "fast"}),
    ]


RUNS_TESTS = b"jobs: {t: {steps: [{run: pytest}]}}"
# Each of the values is twice the one before it.
LAUGHS = (
    b"v0: &v0 [x]\nm0: &m0 {x: y}\n"
    + b"".join(
        b"v%d: &v%d [*v%d, *v%d]\nm%d: &m%d {<<: [*m%d, *m%d]}\n" % (n, n, n - 1, n - 1, n, n, n - 1, n - 1)
        for n in range(1, 31)
    )
    + b"%b\n"
)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[1, 2",
        b"jobs: 3",
        b"jobs: {a: 1, b: {steps: 2}, c: {steps: [3, {run: [x]}]}}",
        b"jobs: {a: {strategy: [1], defaults: x, env: 3, steps: [{run: 1}]}}",
        b"a: &a [x, x]\nb: [*a, *a]\n",
        LAUGHS % b"jobs: {t: {steps: [{run: pytest, with: *v30}]}}",
        LAUGHS % b"jobs: {t: {steps: [{run: pytest, env: {<<: *m30}}]}}",
        b"x: &x\n  y: *x\njobs: {t: {steps: [{run: pytest}]}}",
        b"x: [&a0 []" + b"".join(b", &a%d [*a%d]" % (n + 1, n) for n in range(60)) + b"]\n" + RUNS_TESTS,
        b"x: &x " + b"x" * 10_000 + b"\ny: [" + b"*x, " * 60 + b"]\n" + RUNS_TESTS,
        b"jobs: {t: {steps: [{run: *nowhere}]}}",
        b"[" * 5_000,
        b"!!python/object/apply:os.system ['true']",
        b"jobs: !!int ''",
        b"jobs: !!bool x",
        b"jobs: !!timestamp x",
        b"jobs: {a: {steps: [{run: pytest}]}}\n" + b"#" * 300_000,
    ],
)
def test_a_hostile_workflow_has_no_steps(data):
    assert workflow_steps({".github/workflows/x.yaml": data}) == ()


def reading(
    *script, framework=Framework.PYTEST, tests=("tests/test_a.py::test_it",), root="", environment=()
):
    return LogReading(
        failures=tuple(LogFailure(test=test, status=LogStatus.FAILED) for test in tests),
        failed=len(tests),
        sessions=(
            LogSession(framework=framework, log_line=20, end_log_line=30, finished=True, failed=1, root=root),
        ),
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


@pytest.mark.parametrize(
    ("made", "text", "folder"),
    [
        (reading("pip install -e .", "pytest -v tests"), "pytest tests", "."),
        (reading("cd backend", "python -m pytest tests"),
         "PYTHONPATH=backend python -m pytest backend/tests --rootdir=.", "backend"),
        (reading("cd backend && pytest -k 'a or b'"), "pytest -k 'a or b' --rootdir=. backend", "backend"),
        (reading("cd backend", "pytest --ignore tests/x -c p.ini tests/test_b.py::test_y"),
         "pytest --ignore backend/tests/x -c backend/p.ini backend/tests/test_b.py::test_y --rootdir=.",
         "backend"),
        (reading("cd backend", "python -m unittest", framework=Framework.UNITTEST),
         "PYTHONPATH=backend python -m unittest discover -s backend", "backend"),
        (reading("cd backend", "python -m unittest discover -s tests -t .", framework=Framework.UNITTEST),
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
def test_a_steps_script_as_a_command_for_the_checkout(made, text, folder):
    found = recover_command(made, files=FILES)

    assert found is not None
    assert (found.text, found.folder) == (text, folder)
    assert "line 10" in found.source
    parse(found.text)


def test_an_option_is_no_path_where_the_files_are_not_known():
    found = recover_command(reading("cd backend", "pytest --ds=shop/settings.py tests/test_b.py"))

    assert found is not None
    assert found.text == "pytest --ds=shop/settings.py backend/tests/test_b.py --rootdir=."


def test_the_step_with_the_red_session_is_asked_and_not_the_one_that_failed_the_job():
    made = reading("pytest tests")
    allowed = dataclasses.replace(made.steps[1], exit_status=None)
    failed = LogStep(title="x", log_line=32, end_log_line=40, script=("pytest docs",), exit_status=1)
    found = recover_command(dataclasses.replace(made, steps=(allowed, failed)), files=FILES)

    assert found is not None
    assert found.text == "pytest tests"


def test_a_script_of_a_windows_shell():
    made = reading("cd backend", "pytest `", r"  tests\test_b.py")
    step = dataclasses.replace(
        made.steps[1], shell=r"C:\Program Files\PowerShell\7\pwsh.EXE -command \". '{0}'\""
    )
    found = recover_command(dataclasses.replace(made, steps=(made.steps[0], step)), files=FILES)

    assert found is not None
    assert found.text == "pytest backend/tests/test_b.py --rootdir=."


def test_what_was_shown_is_preferred_to_the_script():
    shown = echoes(
        ["" for _ in range(14)] + ["python -m pytest tests -v"] + ["" for _ in range(20)] + ["+ pytest late"]
    )
    found = recover_command(reading("make test"), shown, files=FILES)

    assert found is not None
    assert (found.text, found.log_line) == ("python -m pytest tests", 15)


def test_what_a_tool_runs_is_read_in_the_checkout():
    files = {**FILES, "Makefile": b"test:\n\tpytest tests\n"}
    found = recover_command(reading("make test"), files=files)

    assert found is not None
    assert found.text == "pytest tests"
    assert "make test" in found.source


def test_the_workflow_tells_the_working_directory_of_a_step():
    files = {
        **FILES,
        ".github/workflows/ci.yml": b"jobs: {t: {steps: [{run: pytest tests, working-directory: backend}]}}",
    }
    found = recover_command(reading("pytest tests"), files=files)

    assert found is not None
    assert found.text == "pytest backend/tests --rootdir=."


def test_without_steps_the_workflow_is_asked():
    files = {**FILES, ".github/workflows/ci.yml": b"jobs: {t: {steps: [{run: pytest -q tests}]}}"}
    found = recover_command(LogReading(log_lines=3), files=files)

    assert found is not None
    assert found.text == "pytest tests"
    assert found.source == ".github/workflows/ci.yml, job t"


def test_where_nothing_tells_there_is_no_command():
    assert recover_command(LogReading()) is None
    assert recover_command(reading("pytest $CHOSEN")) is None


def test_the_recovered_kinds_are_those_that_the_sandbox_knows():
    pytest_command = recover_command(reading("pytest tests"))
    unittest_command = recover_command(reading("python -m unittest", framework=Framework.UNITTEST))

    assert pytest_command is not None
    assert isinstance(parse(pytest_command.text), PytestCommand)
    assert unittest_command is not None
    assert isinstance(parse(unittest_command.text), UnittestCommand)
