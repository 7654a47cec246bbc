"""A command in a directory as a command at the top of the project."""

from every_case import every_case

from bot.cilog.command.checkout import command_in

PACKAGE = {"packages/a/tests/test_core.py": b"", "packages/a/check.py": b"", "pyproject.toml": b""}


@every_case(
    ("text", "said"),
    [
        ("python -m pytest", "PYTHONPATH=packages/a python -m pytest --rootdir=. packages/a"),
        ("pytest tests -k one", "pytest packages/a/tests -k one --rootdir=."),
        ("LEVEL=3 pytest", "LEVEL=3 pytest --rootdir=. packages/a"),
        ("cd tests && pytest", "pytest --rootdir=. packages/a/tests"),
        ("make test", "cd packages/a && make test"),
        ("pytest && ./more", "cd packages/a && pytest && ./more"),
    ],
)
def test_a_command_in_a_directory_is_one_at_the_top(text, said):
    assert command_in("packages/a", text, PACKAGE) == said


def test_a_command_at_the_top_stays_as_it_is():
    assert command_in(".", "pytest -q 'a b'", PACKAGE) == "pytest -q 'a b'"
