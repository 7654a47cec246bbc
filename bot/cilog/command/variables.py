"""Which of a step's variables the tests should see again.

Those that a workflow set for its tests, and none that a runner or a setup tool set for itself, no secret, and
nothing that a command line cannot hold plainly.
"""

import re
import shlex
from collections.abc import Iterable, Sequence

from bot.cilog.command.paths import directory_in
from sandbox.ci.test_words import pytest_options

MAX_VARIABLES = 30
MAX_VALUE = 500

_RUNNERS_OWN = re.compile(
    r"(?:GITHUB|RUNNER|ACTIONS|INPUT|CONDA|MAMBA|MICROMAMBA|PYENV|PIP|UV|POETRY|CACHE|NODE|JAVA|AGENT|CI|DOCKER|"
    r"CODECOV|COVERALLS|HOMEBREW|VCPKG|COV|COVERAGE|PKG_CONFIG)(?:_.*)?"
    r"|python[lL]ocation|LD_LIBRARY_PATH|Python\w*_ROOT_DIR|PATH|HOME|SHELL|SHELLOPTS|USER|PWD|TERM|DISPLAY|OS"
    r"|FORCE_COLOR|NO_COLOR|PY_COLORS|VIRTUAL_ENV|TOX\w*|NOX\w*|PYTHON_?VERSION|CONDARC|TMPDIR|PYTHONHOME",
    re.IGNORECASE,
)
_SECRET = re.compile(r"TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|PRIVATE|\bKEY\b", re.IGNORECASE)
_PLAIN = re.compile(r"[\w./:,@%+= -]*")
_NAME = re.compile(r"[A-Za-z_]\w*")


def passed_on(environment: Iterable[tuple[str, str]], roots: Sequence[str]) -> dict[str, str]:
    """The variables worth setting, with the checkout's places as relative paths."""
    kept: dict[str, str] = {}
    for name, value in environment:
        if not _NAME.fullmatch(name) or _RUNNERS_OWN.fullmatch(name) or _SECRET.search(name):
            continue
        text = _value(name, value.strip(), roots)
        if text is not None and len(kept) < MAX_VARIABLES:
            kept[name] = text
    return kept


def _value(name: str, value: str, roots: Sequence[str]) -> str | None:
    """The value as it can be set here; None where it cannot."""
    if name == "PYTEST_ADDOPTS":
        try:
            return shlex.join(pytest_options(shlex.split(value))) or None
        except ValueError:
            return None
    if name == "PYTHONPATH":
        places = [directory_in(one, roots=roots) if one.startswith("/") else one for one in value.split(":")]
        return ":".join(place for place in places if place) or None
    if value.startswith("/"):
        return directory_in(value, roots=roots)
    if not value or len(value) > MAX_VALUE or not _PLAIN.fullmatch(value):
        return None
    return value
