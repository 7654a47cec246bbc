"""Which words are a test command, and what of it only dresses it."""

import shlex

import pytest

from sandbox.ci.test_words import recognise


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
