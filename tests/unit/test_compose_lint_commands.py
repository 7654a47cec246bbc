"""Which checks of a log can fix what they find, as steps call them and as hooks of pre-commit."""

from every_case import every_case

from bot.cilog.model import EnvironmentRun, LogReading, LogStep
from bot.compose.lint_fix.lint_commands import checks_of_log, read_check


@every_case(
    ("text", "check", "fix", "keeps_meaning"),
    [
        ("black --check --diff src tests", "black --check src tests", "black src tests", True),
        ("python -m black -q --check .", "black --check .", "black .", True),
        ("poetry run black --line-length 99 --check .", "black --check --line-length 99 .",
         "black --line-length 99 .", True),
        ("ruff format --diff", "ruff format --check", "ruff format", True),
        ("uv run ruff format --check src", "ruff format --check src", "ruff format src", True),
        ("ruff check --output-format=github --select F src", "ruff check --no-cache --no-fix --select F src",
         "ruff check --no-cache --fix --select F src --no-unsafe-fixes", False),
        ("ruff check --output-format github .", "ruff check --no-cache --no-fix .",
         "ruff check --no-cache --fix . --no-unsafe-fixes", False),
        ("ruff check --fix --unsafe-fixes .", "ruff check --no-cache --no-fix .",
         "ruff check --no-cache --fix . --no-unsafe-fixes", False),
        ("isort --check-only --profile black src", "isort --check-only --profile black src",
         "isort --profile black src", False),
    ],
)  # fmt: skip
def test_a_check_and_the_call_that_fixes(text, check, fix, keeps_meaning):
    found = read_check(text)

    assert found is not None
    assert (" ".join(found.check), " ".join(found.fix), found.keeps_meaning) == (check, fix, keeps_meaning)


@every_case(
    "text",
    [
        "",
        "'",
        "flake8 src",
        "mypy src",
        "ruff",
        "ruff rule F401",
        "pytest",
        "black $FILES",
        "black . ; rm -rf /",
    ],
)
def test_what_cannot_fix(text):
    assert read_check(text) is None


def test_the_checks_of_a_log_are_those_that_failed():
    reading = LogReading(
        steps=(
            LogStep(title="isort", log_line=1, end_log_line=2, script=("isort --check .",), exit_status=0),
            LogStep(
                title="lint",
                log_line=3,
                end_log_line=9,
                script=("pip install black", "black --check .", "ruff check .", "black --check ."),
                exit_status=1,
            ),
        ),
        environments=(
            EnvironmentRun(tool="tox", name="format", passed=False, command="ruff format --check"),
            EnvironmentRun(tool="tox", name="py", passed=True, command="isort -c ."),
        ),
    )
    assert [found.check[:2] for found in checks_of_log(reading, {})] == [
        ("black", "--check"),
        ("ruff", "check"),
        ("ruff", "format"),
    ]


def step(*script):
    return LogReading(
        steps=(LogStep(title="lint", log_line=1, end_log_line=9, script=script, exit_status=1),)
    )


@every_case(
    ("script", "requirement"),
    [
        (("pip install -q 'black==24.4.2'", "black --check ."), "black==24.4.2"),
        (("uv pip install black[jupyter]==24.4.2 ruff==0.6.9", "black --check ."), "black==24.4.2"),
        (("pip install black", "black --check ."), "black"),
        (("pip install black>=24", "black --check ."), "black"),
    ],
)
def test_a_tool_is_required_as_the_log_installs_it(script, requirement):
    assert [one.requirement for one in checks_of_log(step(*script), {})] == [requirement]


HOOKS = b"""
repos:
- repo: https://github.com/astral-sh/ruff-pre-commit
  rev: v0.6.9
  hooks:
  - id: ruff
    args: [--fix, --exit-non-zero-on-fix]
    types_or: [python, pyi]
  - id: ruff-format
- repo: https://github.com/psf/black-pre-commit-mirror.git
  rev: 24.4.2
  hooks: [{id: black, exclude: ^docs/}]
- repo: https://github.com/pycqa/isort
  rev: main
  hooks: [{id: isort}]
- repo: https://github.com/someone/ruff
  rev: "1"
  hooks: [{id: ruff}]
- repo: local
  hooks: [{id: black, entry: black, language: system}]
"""


@every_case("command", ["pre-commit run --all-files", "python -m pre_commit run -a --color=always"])
def test_the_hooks_of_pre_commit_that_look_at_all_files_are_checks_in_their_versions(command):
    found = checks_of_log(step("pip install pre-commit", command), {".pre-commit-config.yaml": HOOKS})
    assert [(" ".join(one.check), one.requirement) for one in found] == [
        ("ruff check --no-cache --no-fix --exit-non-zero-on-fix .", "ruff==0.6.9"),
        ("ruff format --check .", "ruff==0.6.9"),
    ]


@every_case(
    ("command", "found"),
    [
        ("pre-commit run ruff-format --all-files", ["ruff format --check ."]),
        ("pre-commit run --color always mypy", []),
        ("pre-commit run --from-ref main --to-ref HEAD", []),
        ("pre-commit run --files a.py", []),
    ],
)
def test_of_the_hooks_those_that_were_run_on_all_files(command, found):
    checks = checks_of_log(step(command), {".pre-commit-config.yaml": HOOKS})
    assert [" ".join(one.check) for one in checks] == found


@every_case(
    "text",
    [
        b"",
        b"[",
        b"repos: 3",
        b"repos: [1, {rev: 1}, {repo: x/ruff-pre-commit, rev: v1, hooks: 3}]",
        b"exclude: ^vendored/\n" + HOOKS.lstrip(),
        HOOKS.replace(b"v0.6.9", b"v0.6.9; rm -rf /"),
        HOOKS.replace(b"v0.6.9", b"0x" + b"f" * 4_000),
        HOOKS.replace(b"[python, pyi]", b"[pyi]").replace(b"ruff-format", b"other"),
        b"default_stages: [manual]\n" + HOOKS.lstrip(),
        b"a: &a [1]\nrepos: [*a, *a]",
    ],
)
def test_hooks_that_cannot_be_read_or_look_at_some_files_only_are_no_checks(text):
    assert not checks_of_log(step("pre-commit run -a"), {".pre-commit-config.yaml": text})
