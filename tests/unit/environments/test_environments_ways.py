"""Which commands are tried for a project's tests, in which order."""

import dataclasses

import pytest
from snapshots import snapshot

from bot.config.sources import load
from bot.environments.ways import ways
from sandbox.ci.job_choice import choose_job
from sandbox.command import PytestCommand

MANAGE = b"import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n"
BY_TEST = (
    "DJANGO_SETTINGS_MODULE=shop.settings REGREEN_ARGUMENTS='manage.py test' "
    "python -m pytest -o 'python_files=test*.py'"
)


@pytest.fixture
def found(tmp_path):
    """The ways for a project of these files, with these options."""

    def find(files, **options):
        settings = dataclasses.replace(load({"project": tmp_path}), **{"sandbox": "bubblewrap", **options})
        project = snapshot(files)
        job = choose_job(project.files, available=["3.13"])
        return ways(settings, project, None, job)

    return find


def job(command):
    script = f"on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: {command}\n"
    return {".github/workflows/ci.yml": script.encode(), "test_a.py": b""}


def texts(found):
    return [way.text for way in found]


def test_without_a_word_pytest_is_run(found):
    (only,) = found({"test_a.py": b""})
    assert (only.text, only.source, only.needs) == ("", "pytest itself", ())


def test_the_jobs_command_comes_first(found):
    first, last = found(job("python -m pytest -W error"))
    assert first.text == "python -m pytest -W error"
    assert first.source == "as in .github/workflows/ci.yml, job test"
    assert last.text == ""


def test_a_job_that_runs_one_file_is_not_followed(found):
    assert texts(found(job("python -m unittest pkg.test_main"))) == [""]
    assert texts(found(job("pytest tests/test_one.py"))) == [""]


def test_djangos_tests_are_run_one_by_one(found):
    first, last = found({**job("python manage.py test"), "manage.py": MANAGE})
    assert first.text == BY_TEST
    assert first.needs == ("pytest-django",)
    assert isinstance(first.command.command, PytestCommand)
    assert last.text == ""


def test_a_manage_py_alone_is_a_way(found):
    assert texts(found({"manage.py": MANAGE})) == [BY_TEST, ""]


def test_what_was_asked_for_comes_after_its_form_for_pytest_and_nothing_else(found):
    asked = found({"manage.py": MANAGE}, test_command="python manage.py test")
    assert texts(asked) == [BY_TEST, "python manage.py test"]
    assert texts(found({"manage.py": MANAGE}, test_command="pytest -x")) == ["pytest -x"]


def test_a_jobs_command_that_is_one_test_comes_after_pytest(found):
    loads = b"def load_tests(loader, tests, pattern):\n    return tests\n"
    files = {**job("python -m unittest"), "tests/__init__.py": b"", "tests/test_docs.py": loads}
    assert texts(found(files)) == ["", "python -m unittest"]
    assert texts(found(files, test_command="python -m unittest")) == ["python -m unittest"]


@pytest.mark.parametrize("path", ["a/tests/tests.py", "testing_a.py", "a_tests.py"])
def test_files_that_only_nose_would_find_are_named_to_pytest(found, path):
    first, last = found({path: b"", "a/__init__.py": b""})
    assert first.text == "python -m pytest -o 'python_files=test*.py *_tests.py'"
    assert last.text == ""


@pytest.mark.parametrize(
    "files",
    [
        {"tests.py": b"", "test_a.py": b""},
        {"tests.py": b"", "a_test.py": b""},
        {"tests.py": b"", "setup.cfg": b"[tool:pytest]\npython_files = tests.py\n"},
        {"latest.py": b""},
    ],
)
def test_pytests_own_names_are_enough_where_they_find_files(found, files):
    assert texts(found(files)) == [""]
