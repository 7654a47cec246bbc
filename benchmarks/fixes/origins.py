"""Where a real fix's fault came from: the one earlier commit that wrote the lines that the fix removes.

The method is that of Śliwerski, Zimmermann and Zeller, "When do changes induce fixes?" (MSR 2005). Such a
commit stands for a pull request whose tests fail, and the fix's test for the test that it broke.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fixes.mine import Fix, git, is_test
from bot.errors import ConfigurationError

MAX_CHANGED = 200
"""Lines of the project's code that an origin adds and removes, at most."""
_RANGE = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)
_BLAMED = re.compile(r"^([0-9a-f]{40}) \d+ \d+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Origin:
    """The commit that brought a fault.

    Attributes:
        repository: ``OWNER/NAME``.
        origin: its 40 hexadecimal digits; its only parent is the version before the fault.
        fix: the commit that fixed it.
        changed: lines of the project's Python files that ``origin`` adds or removes.
    """

    repository: str
    origin: str
    fix: str
    changed: int


def origins(clone: Path, fixes: Sequence[Fix]) -> Iterator[Origin]:
    """The origin of each commit of ``fixes``, which are of one repository; none where there is no single one.

    An origin removes lines itself, so that the version before it had something in their place.
    """
    paths: dict[str, list[str]] = {}
    for fix in fixes:
        paths.setdefault(fix.commit, []).append(fix.path)
    for commit, files in paths.items():
        try:
            found = _origin(clone, commit, files)
            changed = _changed(clone, found) if found else 0
        except ConfigurationError:  # such as a file that is no UTF-8
            continue
        if changed:
            yield Origin(fixes[0].repository, found, commit, changed)


def _origin(clone: Path, commit: str, paths: Sequence[str]) -> str:
    """The commit that wrote all lines that ``commit`` removes from ``paths``; empty where there are more."""
    found: set[str] = set()
    for path in paths:
        diff = git(clone, "diff", "-U0", "--no-renames", f"{commit}^", commit, "--", path)
        for first, count in _RANGE.findall(diff):
            if count != "0":
                lines = f"{first},+{count or 1}"
                blamed = git(clone, "blame", "--porcelain", "-L", lines, f"{commit}^", "--", path)
                found.update(_BLAMED.findall(blamed))
    return found.pop() if len(found) == 1 else ""


def _changed(clone: Path, commit: str) -> int:
    """Lines of code that ``commit`` changes; 0 if it is too large, only adds, or has not one parent."""
    if len(git(clone, "show", "--no-patch", "--format=%P", commit).split()) != 1:
        return 0
    numbers = [
        line.split("\t", 2) for line in git(clone, "show", "--numstat", "--format=", commit).splitlines()
    ]
    code = [one for one in numbers if len(one) == 3 and one[2].endswith(".py") and not is_test(one[2])]
    if not all(one[0].isdigit() for one in code) or not any(int(one[1]) for one in code):
        return 0
    changed = sum(int(one[0]) + int(one[1]) for one in code)
    return changed if changed <= MAX_CHANGED else 0
