"""Small fixes in a repository's history: a commit that changes a few lines, with a test."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchmarks.runs.tools import git
from bot.errors import ConfigurationError, MachineError

MAX_LINES = 10
"""Lines that a fix adds, and that it removes, at most."""
MAX_PATHS = 2
SINCE = "2012-01-01"
# What judges the engine elsewhere; a fix of one of these is never looked at.
EXCLUDED = frozenset(
    {
        *("ansible", "black", "cookiecutter", "fastapi", "httpie", "cli", "keras", "luigi", "matplotlib"),
        *("pandas", "pysnooper", "sanic", "scrapy", "spacy", "thefuck", "tornado", "tqdm", "youtube-dl"),
        *("beets", "dnspython", "gallery-dl", "httpx", "khal", "octodns", "pip-tools", "prompt-toolkit"),
        *("python-prompt-toolkit", "pylint", "rq", "starlette", "uvicorn"),
    }
)
_FIX = re.compile(
    r"\b(fix\w*|bug\w*|crash\w*|wrong\w*|incorrect\w*|regress\w*|broken?|fail\w*|errors?|handl\w+|correct\w*"
    r"|prevent\w*|avoid\w*|ensure\w*|exception\w*|issues?|resolv\w+)\b|#\d+",
    re.IGNORECASE,
)
_BESIDE = frozenset({".md", ".rst", ".txt", ".cfg", ".toml", ".json", ".yaml", ".yml", ""})


@dataclass(frozen=True, slots=True)
class Fix:
    """One fix: the file of the project that it changes, and how many lines.

    Attributes:
        repository: ``OWNER/NAME``.
        commit: 40 hexadecimal digits; its only parent is the faulty version.
        path: the changed file of the project; a fix of two files is two of these.
        added: lines of it that are new.
        removed: lines of it that are gone.
    """

    repository: str
    commit: str
    path: str
    added: int
    removed: int


def mine(clone: Path, repository: str) -> Iterator[Fix]:
    """The small fixes in the history of ``clone``, a git directory, newest first.

    Raises:
        ConfigurationError: the repository is one that judges.
        MachineError: git cannot read the history.
    """
    if repository.rpartition("/")[2].lower() in EXCLUDED:
        raise ConfigurationError(f"{repository} is kept apart to judge with")
    options = ("--no-merges", "--no-renames", "--numstat", f"--since={SINCE}", "--format=%x00%H %s")
    log = git("--git-dir", clone, "log", *options)
    for entry in log.split("\0")[1:]:
        head, _, rest = entry.partition("\n")
        commit, _, subject = head.partition(" ")
        if _FIX.search(subject):
            yield from _of(repository, commit, [line.split("\t", 2) for line in rest.splitlines() if line])


def _of(repository: str, commit: str, changed: Sequence[Sequence[str]]) -> Iterator[Fix]:
    """The commit's files that count; nothing where it is no small fix with a test."""
    code, has_test = [], False
    for numbers in changed:
        if len(numbers) != 3 or not (numbers[0].isdigit() and numbers[1].isdigit()):
            return
        path = numbers[2]
        if is_test(path):
            has_test = True
        elif path.endswith(".py"):
            code.append(Fix(repository, commit, path, int(numbers[0]), int(numbers[1])))
        elif PurePosixPath(path).suffix not in _BESIDE:
            return
    small = sum(fix.added for fix in code) <= MAX_LINES and sum(fix.removed for fix in code) <= MAX_LINES
    if has_test and small and 0 < len(code) <= MAX_PATHS:
        yield from code


def is_test(path: str) -> bool:
    """Whether a path is a test's, by the usual names."""
    parts = PurePosixPath(path).parts
    name = parts[-1]
    return (
        any(part in {"test", "tests", "testing"} or part.startswith("test_") for part in parts[:-1])
        or name.startswith("test_")
        or name.endswith(("_test.py", "_tests.py"))
        or name in {"tests.py", "conftest.py"}
    )


def clone_of(clones: Path, repository: str) -> Path:
    """Where the git directory of ``repository`` (OWNER/NAME) lies below ``clones``."""
    return clones / repository.replace("/", "+") / "repo"


def versions(clone: Path, fix: Fix) -> tuple[str, str] | None:
    """The file before and after the fix; None where one of them is missing."""
    try:
        before = git("--git-dir", clone, "cat-file", "blob", f"{fix.commit}^:{fix.path}")
        return before, git("--git-dir", clone, "cat-file", "blob", f"{fix.commit}:{fix.path}")
    except MachineError:
        return None


def date_of(clone: Path, commit: str) -> str:
    """The day of ``commit``, as YYYY-MM-DD.

    Raises:
        MachineError: git cannot read it.
    """
    return git("--git-dir", clone, "show", "--no-patch", "--format=%cs", commit).strip()


def changed_tests(clone: Path, commit: str) -> Mapping[str, str]:
    """The files of tests that ``commit`` adds or changes, by path.

    Raises:
        MachineError: git cannot read it.
    """
    options = ("-r", "-z", "--no-commit-id", "--name-only", "--no-renames", "--diff-filter=AM")
    paths = git("--git-dir", clone, "diff-tree", *options, commit).split("\0")
    return texts_at(clone, commit, filter(is_test, filter(None, paths)))


def texts_at(clone: Path, commit: str, paths: Iterable[str]) -> dict[str, str]:
    """The files at ``commit``, by path; without those that it has not."""
    found = {}
    for path in paths:
        with suppress(MachineError):
            found[path] = git("--git-dir", clone, "cat-file", "blob", f"{commit}:{path}")
    return found
