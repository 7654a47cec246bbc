"""Which packages are missing, by what a run of the tests says: modules, plugins and their options.

The names are guesses made from messages, so they are installed in the build's sandbox only, once, and kept
only where more tests pass with them.
"""

import re
import sys
from collections.abc import Collection, Iterable, Mapping

from bot.causes.package_names import BY_FIXTURE, BY_KEY, BY_MARK, BY_OPTION, PACKAGES
from sandbox.reports import TestReport

MAX_ADDED = 20
_MODULE = re.compile(r"No module named '?([A-Za-z_]\w*)(?:\.[\w.]+)?'?")
_SAID = re.compile(
    r"['\"`]?([A-Za-z][\w.-]{1,60})['\"`]? (?:module|package|library) is (?:missing|not installed)\b"
)
_ADVISED = re.compile(r"\bpip3? install ['\"`]?([A-Za-z][\w.-]{1,60})")
_NO_NAMES = {"pip", "the", "a", "this", "that", "which", "required", "needed", "another", "python"}
_FILTER = re.compile(r"Failed to import filter module '([A-Za-z_]\w*)")
_OPTIONS = re.compile(r"unrecognized arguments: (.*)")
_REQUIRED = re.compile(r"Missing required plugins: (.*)")
_PLUGIN = re.compile(r"[\w.-]+(?:[<>=!~].*)?")
_FIXTURE = re.compile(r"fixture '(\w+)' not found")
_FIXTURE_ERROR = re.compile(r"FixtureLookupError: \('(\w+)'")
_UNKNOWN_MARK = re.compile(r"Unknown pytest\.mark\.(\w+)|'(\w+)' not found in `markers`")
_UNKNOWN_KEY = re.compile(r"Unknown config option: (\w+)")
# Warnings that stop pytest where warnings are errors, and the releases of the plugin that have none.
_WARNING = {'asyncio_default_fixture_loop_scope" is unset': "pytest-asyncio<0.24"}
_ASYNC = "async def functions are not natively supported"

_MARKS = {b"mark.asyncio": "pytest-asyncio", b"mark.trio": "pytest-trio", b"mark.anyio": "anyio"}


def missing_packages(
    report: TestReport, *, own: Collection[str], files: Mapping[str, bytes]
) -> tuple[str, ...]:
    """Requirements for what ``report`` misses; ``own`` are the project's own top-level modules."""
    texts = [report.output, report.problem, *(f"{one.exception}: {one.message}" for one in report.failing)]
    found: dict[str, None] = {}
    for text in texts:
        found |= dict.fromkeys(_in(text, own))
        if _ASYNC in text:
            named = [name for mark, name in _MARKS.items() if any(mark in data for data in files.values())]
            found |= dict.fromkeys(named or ["pytest-asyncio"])
    return tuple(found)[:MAX_ADDED]


def _in(text: str, own: Collection[str]) -> Iterable[str]:
    for module in (*_MODULE.findall(text), *_FILTER.findall(text)):
        if module not in own and module not in sys.stdlib_module_names:
            yield PACKAGES.get(module, module.replace("_", "-"))
    for name in (*_SAID.findall(text), *_ADVISED.findall(text)):
        if name not in own and name.lower() not in _NO_NAMES:
            yield PACKAGES.get(name, name.rstrip("."))
    for line in _OPTIONS.findall(text):
        for word in line.split():
            yield from _first_beginning(word, BY_OPTION)
    for line in _REQUIRED.findall(text):
        yield from (name.strip() for name in line.split(",") if _PLUGIN.fullmatch(name.strip()))
    yield from (older for words, older in _WARNING.items() if words in text and "INTERNALERROR" in text)
    yield from _known((*_FIXTURE.findall(text), *_FIXTURE_ERROR.findall(text)), BY_FIXTURE)
    yield from _known((name for names in _UNKNOWN_MARK.findall(text) for name in names), BY_MARK)
    yield from _known(_UNKNOWN_KEY.findall(text), BY_KEY)


def _known(names: Iterable[str], table: Mapping[str, str]) -> Iterable[str]:
    return (table[name] for name in names if name in table)


def _first_beginning(word: str, table: Mapping[str, str]) -> Iterable[str]:
    fitting = [start for start in table if word == start or word.startswith((f"{start}=", f"{start}-"))]
    fitting += [start for start in table if start == "-n" and re.match(r"-n(?:\d+|auto)$", word)]
    return [table[max(fitting, key=len)]] if fitting else []
