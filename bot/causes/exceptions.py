"""What one exception says of the cause of a failing test: the code, or the place where it ran.

Exceptions are distinguished by their types and messages, since those come from the interpreter, the standard
library and a few libraries that everybody uses. What is not surely the environment's doing is the code's: to
try a repair in vain costs minutes, to refuse one costs the repair.
"""

import re
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from importlib.resources import files

from bot.causes.package_names import BY_FIXTURE, BY_MARK


class CauseKind(StrEnum):
    """What made the job fail. Only ``CODE`` is worth a repair of the project's own code."""

    CODE = "code"
    FLAKY = "flaky"
    INFRASTRUCTURE = "infrastructure"
    DEPENDENCY = "dependency"
    CONFIGURATION = "configuration"
    LINT = "lint"  # style, format, types, documentation
    NOT_PYTHON = "not_python"
    PASSED = "passed"  # nothing in the log failed
    UNKNOWN = "unknown"  # the job failed, and no rule says why


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Why a test or a job fails; ``weight`` in [0, 1] is how sure what says so alone makes one."""

    kind: CauseKind
    subkind: str
    weight: float
    why: str


_SOURCE_DIRECTORIES = ("src/", "lib/", "")
NEARLY = 0.9
"""How alike two modules' names have to be for one to be a misspelling of the other, in [0, 1]."""

# What the standard library had once, whatever Python reads the log.
_GONE = {
    *("asynchat", "asyncore", "distutils", "imp", "smtpd"),
    *("cgi", "pipes", "telnetlib", "zoneinfo", "tomllib"),
}

_LIBRARIES_OF_THE_NETWORK = (
    *("requests.", "urllib3.", "urllib.error.", "httpx.", "httpcore.", "aiohttp.", "socket."),
    *("botocore.", "http.client.", "ssl.", "docker.errors.", "huggingface_hub."),
)
_OF_THE_SYSTEM = {
    *("ConnectionRefusedError", "ConnectionResetError", "TimeoutError", "OSError", "ConnectionError"),
}
_CONNECTION = re.compile(
    r"Connect|Timeout|Resolution|gaierror|herror|SSLError|ProxyError|MaxRetry|URLError|RemoteDisconnected"
    r"|EndpointConnection|OperationalError|DockerException|OfflineMode|LocalEntryNotFound|NoBrokers"
)
_UNREACHABLE = re.compile(
    r"Name or service not known|[Tt]emporary failure in name resolution|nodename nor servname"
    r"|Max retries exceeded|Failed to establish a new connection|[Cc]onnection refused"
    r"|[Cc]onnection reset by peer|[Nn]etwork is unreachable|[Cc]onnection timed out|Read timed out"
    r"|No route to host|getaddrinfo failed|Cannot connect to host|All connection attempts failed"
    r"|Connection aborted|Error while fetching server API version|[Cc]ould not connect to"
)
_REFUSING = re.compile(
    r"\b5\d\d Server Error|HTTP Error (?:5\d\d|429)|429 (?:Client Error|Too Many)|rate limit exceeded"
)
_HERE = re.compile(r"localhost|127\.0\.0\.1|\[?::1\]?")
_MODULE = re.compile(r"No module named '?([\w.]+)'?")
_NAME = re.compile(
    r"cannot import name '?(\w+)'? from (partially initialized module )?'?([\w.]+)'?(?: \((.+)\))?"
)
_ATTRIBUTE = re.compile(r"(partially initialized )?module '?([\w.]+)'? has no attribute '?(\w+)'?")
_FOREIGN_PLACE = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
_FIXTURE = re.compile(r"fixture '(\w+)' not found|^\('(\w+)', <FixtureRequest for ")
# Fixtures whose name alone does not say: a project may define one so called itself, and lose it.
_AMBIGUOUS = {"client", "fs", "responses", "rf", "settings", "vcr", "virtualenv"}
_UNKNOWN_MARK = re.compile(r"Unknown pytest\.mark\.(\w+)")


def cause(exception: str, message: str, *, own: Collection[str]) -> Cause:
    """What an exception's type and message say; ``own`` are top-level names that the project defines."""
    name = exception.rpartition(".")[2]
    text = message[:2_000]
    if name == "AssertionError":
        return _CODE  # whatever words its two sides hold
    if name in {"ModuleNotFoundError", "ImportError", "AttributeError"}:
        return _missing(name, text, own)
    for types, words, said in _SAID:
        if types.fullmatch(name) and words.search(text):
            return said
    if _is_network(exception, name, text):
        if _HERE.search(text):
            return _cause("infrastructure/service", 0.75, "a service beside the tests did not answer")
        return _cause("infrastructure/network", 0.85, "a test could not reach a server")
    return _plugin(text) or _CODE


def top_level_names(paths: Iterable[str]) -> frozenset[str]:
    """The names by which a checkout's own modules are imported, as far as their first dot.

    In a repository of several packages, each of these counts, wherever its directory lies.
    """
    names: set[str] = set()
    packages: set[str] = set()
    for path in paths:
        if not path.endswith((".py", ".pyi", ".pyx")):
            continue
        directory = next(directory for directory in _SOURCE_DIRECTORIES if path.startswith(directory))
        first = path[len(directory) :].split("/", 1)[0]
        names.add(first.partition(".")[0])
        if path.endswith("/__init__.py"):
            packages.add(path.removesuffix("/__init__.py"))
    parts = [one.rpartition("/") for one in packages]
    return frozenset(names | {name for parent, _, name in parts if parent not in packages})


def _missing(name: str, text: str, own: Collection[str]) -> Cause:
    """A module, or a name in one, that is not there."""
    if found := _MODULE.search(text):
        return _missing_module(found[1].partition(".")[0], own)
    if found := _NAME.search(text):
        top, place = found[3].partition(".")[0], found[4] or ""
        if top in own or found[2] or not (_FOREIGN_PLACE.search(place) or not place):
            return _OWN_IMPORT
        if place or top not in sys.stdlib_module_names:
            return _cause("dependency/version_conflict", 0.8, f"the installed {top} has no {found[1]}")
        return _OWN_IMPORT
    if name == "ImportError" and ("cannot open shared object" in text or "DLL load failed" in text):
        return _cause("dependency/missing_library", 0.9, "a library of the system is missing")
    if found := _ATTRIBUTE.search(text):
        top = found[2].partition(".")[0]
        # What is private in a foreign package is used by another package, and gone with a release.
        foreign = top not in own and top not in sys.stdlib_module_names
        if foreign and found[3].startswith("_") and not found[3].startswith("__"):
            why = f"a package relies on an inside of {top} that is gone"
            return _cause("dependency/version_conflict", 0.75, why)
    return _CODE


def _missing_module(top: str, own: Collection[str]) -> Cause:
    if top in own:
        return _OWN_IMPORT
    if top in {*sys.stdlib_module_names, *_GONE}:
        return replace(_OWN_IMPORT, why=f"the standard library of that Python has no {top}")
    # One letter beside a module that is there is a slip; a number at the end is a backport's.
    near = get_close_matches(top, {*own, *sys.stdlib_module_names}, n=1, cutoff=NEARLY)
    if near and top.rstrip("0123456789") != near[0]:
        return replace(_OWN_IMPORT, why=f"{top} is no module, and {near[0]} is one")
    return _cause("dependency/missing_module", 0.9, f"the module {top} is not installed")


def _plugin(text: str) -> Cause | None:
    found = _FIXTURE.search(text)
    fixture = (found[1] or found[2]) if found else ""
    if fixture in BY_FIXTURE and fixture not in _AMBIGUOUS:
        why = f"the fixture {fixture} is of {BY_FIXTURE[fixture]}, which is not installed"
        return _cause("dependency/missing_module", 0.8, why)
    mark = _UNKNOWN_MARK.search(text)
    if mark and mark[1] in BY_MARK:
        why = f"the mark {mark[1]} is of {BY_MARK[mark[1]]}, which is not installed"
        return _cause("dependency/missing_module", 0.8, why)
    if "async def functions are not natively supported" in text:
        return _cause("dependency/missing_module", 0.8, "no plugin for asynchronous tests is installed")
    return None


def _is_network(exception: str, name: str, text: str) -> bool:
    """Whether a connection failed; a project may raise a ``ConnectionError`` of its own to test it."""
    if exception.startswith(_LIBRARIES_OF_THE_NETWORK) or name == "gaierror":
        return bool(_CONNECTION.search(name) or _UNREACHABLE.search(text) or _REFUSING.search(text))
    if name == "OSError" and "couldn't connect to 'http" in text:
        return True
    is_systems = name in _OF_THE_SYSTEM and "[Errno " in text
    return bool((is_systems or _CONNECTION.search(name)) and _UNREACHABLE.search(text))


def _cause(name: str, weight: float, why: str) -> Cause:
    """A cause; ``name`` is ``kind/subkind``."""
    kind, _, subkind = name.partition("/")
    return Cause(kind=CauseKind(kind), subkind=subkind, weight=weight, why=why)


def _read(text: str) -> Iterator[tuple[re.Pattern[str], re.Pattern[str], Cause]]:
    """The rows of a table in TOML: types, words of the message, and what the two together say."""
    for row in tomllib.loads(text)["exception"]:
        said = _cause(row["name"], row["weight"], row["why"])
        yield re.compile(row["types"]), re.compile(row.get("words", "")), said


_CODE = _cause("code/tests", 0.95, "a test fails on what the code does")
_OWN_IMPORT = _cause("code/import", 0.85, "a name of the project's own cannot be imported")
_SAID = tuple(_read((files("bot.causes") / "exceptions.toml").read_text("utf-8")))
