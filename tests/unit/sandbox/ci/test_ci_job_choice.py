"""Which of a project's jobs is followed."""

from every_case import every_case
from sections import sections
from snapshots import snapshot

from sandbox.ci.job_choice import OTHER, choose_job
from sandbox.environment.plans.candidate_plans import candidate_plans, member_with_tests

SOURCES = sections("sources/ci_job_choice.txt")[0].parts
MATRIX, SERVICES = SOURCES["MATRIX"], SOURCES["SERVICES"]


def of_files(available, **files):
    """The job that is chosen of workflow files with these names."""
    held = {f".github/workflows/{name}.yml": text.encode() for name, text in files.items()}
    return choose_job(held, available=available)


def written(*jobs, **files):
    """The files of a project whose CI has jobs with these keys and steps."""
    lines = ["on: push", "jobs:"]
    for key, *steps in jobs:
        lines += [f"  {key}:", "    runs-on: ubuntu-latest", "    steps:"]
        lines += [f"      - run: {step}" for step in steps]
    texts = {".github/workflows/ci.yml": "\n".join(lines), **files}
    return {path: text.encode() for path, text in texts.items()}


def chosen(*jobs, **files):
    """The job that is chosen of those with these keys and steps."""
    return choose_job(written(*jobs, **files), available=["3.13"])


def test_tests_of_another_language_are_not_those_of_python():
    found = chosen(("js_tests", "pip install six", "pytest js"), ("tests", "pip install attrs", "pytest"))
    assert found.job.key == "tests"


def test_what_measures_speed_is_not_the_suite():
    assert chosen(("codspeed", "pip install six", "pytest bench/")) is None
    files = written(("codspeed", "pip install six", "pytest bench/"))
    found = choose_job(files, available=["3.13"], name="codspeed")
    assert found.job.key == "codspeed", "unless it is the job that failed"


def test_a_programs_task_that_is_called_test_marks_the_environment_to_use():
    """How it runs them is unknown, so what it says is no command to follow."""
    steps = ("pip install -r tests.txt", "python tools/do.py build", "python tools/do.py test_fast all")
    found = chosen(("js_tests", "pip install six", "pytest js"), ("tests", *steps))
    assert (found.job.key, found.test.runner) == ("tests", OTHER)
    assert [command.words[0] for command in found.commands] == ["pip", "python"]


def test_such_a_task_below_tox_is_found_in_its_commands():
    tox = "[tox]\nenvlist = py3\n[testenv]\ndeps = six\ncommands = python tools/do.py test {posargs}\n"
    found = chosen(("tests", "pip install tox", "tox"), **{"tox.ini": tox})
    assert (found.test.runner, found.test_command.words[-1]) == (OTHER, "test")


def test_a_known_command_is_preferred_to_a_task_of_that_name():
    found = chosen(("tests", "pip install six", "pytest", "python tools/do.py test_docs"))
    assert found.test.runner == "pytest"


def test_what_the_package_needs_is_installed_though_no_line_that_installs_it_can_be_read():
    project = '[project]\nname = "demo"\ndependencies = ["referencing>=0.30"]\n'
    session = "    session.install('virtue', ROOT)\n    session.run('pytest')\n"
    nox = f"import nox\n@nox.session\ndef tests(session):\n{session}"
    files = written(
        ("tests", "pip install nox", "nox -s tests"), **{"pyproject.toml": project, "noxfile.py": nox}
    )
    first = candidate_plans(snapshot(files), available=["3.13"]).plans[0]
    assert first.name == "as in .github/workflows/ci.yml, job tests"
    assert {"virtue", "referencing>=0.30"} <= set(first.requirements)


def test_of_a_matrix_the_newest_combination_is_followed():
    found = of_files(["3.12", "3.13"], ci=MATRIX)
    assert found.job.combination == {"python-version": "3.13", "model": "v2", "extra": "plain"}
    assert found.python == "3.13", "the last Python that a job sets up is the one that it uses"


@every_case(
    ("matrix", "available", "python"),
    [
        # One before its release, or with which the job may fail, only where there is no other.
        ("python: ['3.12', '3.13.0-beta.2']", ["3.13", "3.12"], "3.12"),
        ("python: ['3.12', '3.13-dev']", ["3.13", "3.12"], "3.12"),
        ("python: ['3.12', '3.13']", ["3.13", "3.12"], "3.13"),
        ("python: ['3.13.0-beta.2']", ["3.13", "3.12"], "3.13"),
        ("python: ['3.12'], include: [{python: '3.13', experimental: true}]", ["3.13", "3.12"], "3.12"),
        ("python: ['3.12'], include: [{python: '3.13', experimental: true}]", ["3.13"], "3.13"),
    ],
)
def test_which_python_of_a_matrix_is_followed(matrix, available, python):
    text = SOURCES["PYTHONS"].replace("matrix: {}", f"matrix: {{{matrix}}}")
    assert of_files(available, ci=text).python == python


def test_of_several_pythons_in_one_step_the_last_is_in_use():
    several = MATRIX.replace("${{ matrix.python-version }}", "|\n            3.8\n            3.9")
    assert of_files(["3.8", "3.9"], ci=several).python == "3.9"


def test_jobs_for_another_system_are_left_out_though_they_begin_on_linux():
    steps = "    runs-on: ubuntu-latest\n    steps:\n      - run: pip install six\n      - run: pytest\n"
    assert of_files(["3.13"], freebsd=f"on: push\njobs:\n  test:\n{steps}") is None


PACKAGE = b"[project]\nname = 'demo'\n"


def test_where_the_top_is_no_package_the_one_with_most_tests_is_taken():
    files = {
        "pyproject.toml": b"[tool.ruff]\nline-length = 100\n",
        "tooling/setup.py": b"",
        "tooling/test_a.py": b"",
        "python/pyproject.toml": PACKAGE,
        "python/tests/test_a.py": b"",
        "python/tests/b_test.py": b"",
    }
    project = snapshot(files)
    assert member_with_tests(project) == "python"
    plans = candidate_plans(project, available=["3.13"]).plans
    assert {plan.member for plan in plans} == {"python"}


@every_case(
    "files",
    [
        {"pyproject.toml": PACKAGE, "lib/setup.py": b"", "lib/test_a.py": b""},
        {"setup.py": b"", "lib/setup.py": b"", "lib/test_a.py": b""},
        {"lib/setup.py": b"", "test_a.py": b""},  # none has tests
        {"a/b/c/setup.py": b"", "a/b/c/test_a.py": b""},  # it lies too deep
    ],
)
def test_a_top_that_is_a_package_has_no_member(files):
    assert member_with_tests(snapshot(files)) == ""


def test_where_a_job_starts_services_another_systems_command_leaves_their_tests_out():
    found = of_files(["3.13"], ci=SERVICES)
    assert found.job.key == "linux"
    assert "not service" in found.test.words
    found = of_files(["3.13"], ci=SERVICES.replace("      - run: docker compose up -d\n", ""))
    assert "not service" not in found.test.words, "without services all tests can run"
    found = of_files(["3.13"], ci=SERVICES.replace('-m "not service"', "tests/test_one.py"))
    assert "tests/test_one.py" not in found.test.words, "a command for fewer tests says nothing"
