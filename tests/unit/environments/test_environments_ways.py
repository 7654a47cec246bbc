"""Which commands are tried for a project's tests, in which order."""

import dataclasses

import pytest
from every_case import every_case
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


def test_without_a_word_pytest_is_run(found):
    (only,) = found({"test_a.py": b""})
    assert (only.text, only.source, only.needs) == ("", "pytest itself", ())


def test_the_jobs_command_comes_first(found):
    first, last = found(job("python -m pytest -W error"))
    assert first.text == "python -m pytest -W error"
    assert first.source == "as in .github/workflows/ci.yml, job test"
    assert last.text == ""


def test_djangos_tests_are_run_one_by_one(found):
    first, last = found({**job("python manage.py test"), "manage.py": MANAGE})
    assert first.text == BY_TEST
    assert first.needs == ("pytest-django",)
    assert isinstance(first.command.command, PytestCommand)
    assert last.text == ""


DJANGO = {"manage.py": MANAGE}
ONE_TEST = {
    **job("python -m unittest"),
    "tests/__init__.py": b"",
    "tests/test_docs.py": b"def load_tests(loader, tests, pattern):\n    return tests\n",
}
BY_NAMES = "python -m pytest -o 'python_files=test*.py *_tests.py'"


@every_case(
    ("files", "asked", "commands"),
    [
        (job("python -m unittest pkg.test_main"), "", [""]),  # one file says nothing of the others
        (job("pytest tests/test_one.py"), "", [""]),
        (DJANGO, "", [BY_TEST, ""]),
        (DJANGO, "python manage.py test", [BY_TEST, "python manage.py test"]),
        (DJANGO, "pytest -x", ["pytest -x"]),
        (ONE_TEST, "", ["", "python -m unittest"]),
        (ONE_TEST, "python -m unittest", ["python -m unittest"]),
        # what only nose would find, and what pytest finds by its own names
        ({"a/tests/tests.py": b"", "a/__init__.py": b""}, "", [BY_NAMES, ""]),
        ({"testing_a.py": b"", "a/__init__.py": b""}, "", [BY_NAMES, ""]),
        ({"a_tests.py": b"", "a/__init__.py": b""}, "", [BY_NAMES, ""]),
        ({"tests.py": b"", "test_a.py": b""}, "", [""]),
        ({"tests.py": b"", "a_test.py": b""}, "", [""]),
        ({"tests.py": b"", "setup.cfg": b"[tool:pytest]\npython_files = tests.py\n"}, "", [""]),
        ({"latest.py": b""}, "", [""]),
    ],
)
def test_the_commands_in_their_order(found, files, asked, commands):
    options = {"test_command": asked} if asked else {}
    assert [way.text for way in found(files, **options)] == commands
