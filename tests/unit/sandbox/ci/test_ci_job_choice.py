"""Which of a project's jobs is followed."""

from sections import sections
from snapshots import snapshot

from sandbox.ci.job_choice import OTHER, choose_job
from sandbox.environment.plans.candidate_plans import candidate_plans, member_with_tests


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


SOURCES = sections("sources/ci_job_choice.txt")[0].parts
MATRIX = SOURCES["MATRIX"]


def of_files(available, **files):
    """The job that is chosen of workflow files with these names."""
    return choose_job(
        {f".github/workflows/{name}.yml": text.encode() for name, text in files.items()}, available=available
    )


def test_of_a_matrix_the_newest_combination_is_followed():
    found = of_files(["3.12", "3.13"], ci=MATRIX)
    assert found.job.combination == {"python-version": "3.13", "model": "v2", "extra": "plain"}
    assert found.python == "3.13", "the last Python that a job sets up is the one that it uses"


def test_a_python_before_its_release_is_followed_only_where_there_is_no_other():
    def python(*versions):
        lines = [
            "on: push",
            "jobs:",
            "  tests:",
            "    runs-on: ubuntu-latest",
            f"    strategy: {{matrix: {{python: {list(versions)}}}}}",
            "    steps:",
            "      - {uses: actions/setup-python@v5, with: {python-version: '${{ matrix.python }}'}}",
            "      - run: pytest",
        ]
        files = {".github/workflows/ci.yml": "\n".join(lines).encode()}
        return choose_job(files, available=["3.13", "3.12"]).python

    assert python("3.12", "3.13.0-beta.2") == python("3.12", "3.13-dev") == "3.12"
    assert python("3.12", "3.13") == python("3.13.0-beta.2") == "3.13"


def test_a_combination_that_may_fail_is_followed_only_where_there_is_no_other():
    lines = [
        "on: push",
        "jobs:",
        "  tests:",
        "    runs-on: ubuntu-latest",
        "    continue-on-error: ${{ matrix.experimental }}",
        "    strategy:",
        "      matrix:",
        "        python: ['3.12']",
        "        experimental: [false]",
        "        include: [{python: '3.13', experimental: true}]",
        "    steps:",
        "      - {uses: actions/setup-python@v5, with: {python-version: '${{ matrix.python }}'}}",
        "      - run: pytest",
    ]
    assert of_files(["3.13", "3.12"], ci="\n".join(lines)).python == "3.12"
    assert of_files(["3.13"], ci="\n".join(lines)).python == "3.13"


def test_of_several_pythons_in_one_step_the_last_is_in_use():
    found = of_files(
        ["3.8", "3.9"],
        ci=MATRIX.replace("${{ matrix.python-version }}", "|\n            3.8\n            3.9"),
    )
    assert found.python == "3.9"


def test_jobs_for_another_system_are_left_out_though_they_begin_on_linux():
    steps = "    runs-on: ubuntu-latest\n    steps:\n      - run: pip install six\n      - run: pytest\n"
    assert of_files(["3.13"], freebsd=f"on: push\njobs:\n  test:\n{steps}") is None


SETTINGS_OF_TOOLS = b"[tool.ruff]\nline-length = 100\n"
PACKAGE = b"[project]\nname = 'demo'\n"


def member_of(**files):
    """The member that is chosen of a project with these files; a double underscore stands for a slash."""
    return member_with_tests(snapshot({name.replace("__", "/"): data for name, data in files.items()}))


def test_where_the_top_is_no_package_the_one_with_most_tests_is_taken():
    files = {
        "pyproject.toml": SETTINGS_OF_TOOLS,
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


def test_a_top_that_is_a_package_has_no_member():
    assert member_of(**{"pyproject.toml": PACKAGE, "lib__setup.py": b"", "lib__test_a.py": b""}) == ""
    assert member_of(**{"setup.py": b"", "lib__setup.py": b"", "lib__test_a.py": b""}) == ""
    assert member_of(**{"lib__setup.py": b"", "test_a.py": b""}) == "", "none has tests"
    assert member_of(**{"a__b__c__setup.py": b"", "a__b__c__test_a.py": b""}) == "", "it lies too deep"


SERVICES = SOURCES["SERVICES"]


def test_where_a_job_starts_services_another_systems_command_leaves_their_tests_out():
    found = of_files(["3.13"], ci=SERVICES)
    assert found.job.key == "linux"
    assert "not service" in found.test.words
    found = of_files(["3.13"], ci=SERVICES.replace("      - run: docker compose up -d\n", ""))
    assert "not service" not in found.test.words, "without services all tests can run"
    found = of_files(["3.13"], ci=SERVICES.replace('-m "not service"', "tests/test_one.py"))
    assert "tests/test_one.py" not in found.test.words, "a command for fewer tests says nothing"
