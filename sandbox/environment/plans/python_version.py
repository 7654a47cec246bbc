"""Chooses the Python that a project is tested with, from what it says and from what is to be had."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from packaging.specifiers import SpecifierSet

from sandbox.environment.declarations.declared import Declared
from sandbox.environment.plans.removed_modules import first_without

DEFAULT_VERSION = "3.13"
KNOWN_VERSIONS = tuple(f"3.{minor}" for minor in range(7, 16))
FIRST_IN_OCTOBER = 9  # Python 3.9 and later are released each October: PEP 602
OCTOBER_OF_ZERO = 2011  # 3.9 in 2020, 3.10 in 2021 and so on
_VERSION = re.compile(r"(?:cpython-|python-?)?(3\.\d{1,2})(?:\.\d+)?")
_CLASSIFIER = re.compile(rb"Programming Language :: Python :: (3\.\d{1,2})\b")
_CLASSIFIER_FILES = ("pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonChoice:
    """``version`` is like ``3.12``; ``reason`` says what decided; ``requires`` is the project's specifier.

    ``decided`` is whether the project or its CI named the version; ``missing`` is the version that the
    project needs and that is not to be had here, empty where there is none.
    """

    version: str
    reason: str
    requires: str = ""
    decided: bool = False
    missing: str = ""

    def allows(self, version: str) -> bool:
        """Whether the project's own specifier admits ``version``."""
        return _admits(self.requires, version)


def choose_python(  # noqa: PLR0913 - what the choice depends on, each by its name
    files: Mapping[str, bytes],
    declared: Sequence[Declared],
    *,
    tox_pythons: Sequence[str] = (),
    available: Sequence[str],
    as_of: str = "",
    first: str = "",
) -> PythonChoice:
    """The version for the project, among ``available`` (the first is taken where nothing decides).

    In order: ``first``, which the job that runs the tests uses; ``.python-version``, ``runtime.txt``, the
    version that a lock or Pipfile asks for, the newest in tox's environment list, in the classifiers; then
    the default, if ``requires-python`` admits it, else the newest that it admits. What is not to be had, or
    what ``requires-python`` excludes, does not count. Where nothing names a version, none counts that was new
    at the time ``as_of`` (RFC 3339), or that lacks a module which the project imports.
    """
    source, requires = next(
        ((each.source, each.requires_python) for each in declared if each.requires_python), ("", "")
    )
    usable = [version for version in available if _admits(requires, version)]
    too_new, importing = first_without(files)
    missing: list[str] = []
    for origin, versions in _named_versions(files, tox_pythons, first):
        if known := [version for version in usable if version in versions]:
            note = f" (not {', '.join(missing)}: not to be had here)" if missing else ""
            version = max(_older(known, too_new) or known, key=_order)
            return PythonChoice(version=version, reason=f"{origin}{note}", requires=requires, decided=True)
        missing += [f"{version} of {origin}" for version in versions[:1]]
    if not usable:
        version = available[0]
        reason = f"no Python here satisfies {requires} of {source}; this is the nearest choice"
        wanted = next((name for name in reversed(KNOWN_VERSIONS) if _admits(requires, name)), "")
        return PythonChoice(version=version, reason=reason, requires=requires, missing=wanted)
    settled = [version for version in usable if not as_of or as_of >= _settled(version)] or usable
    reason = f"admitted by {requires} of {source}" if requires else "the project does not say"
    if (older := _older(settled, too_new)) and older != settled:
        settled, reason = older, f"{importing}, which Python {too_new} has no more"
    version = DEFAULT_VERSION if DEFAULT_VERSION in settled else max(settled, key=_order)
    if missing:
        reason = f"not {', '.join(missing)}: not to be had here"
    return PythonChoice(version=version, reason=reason, requires=requires)


def _older(versions: Sequence[str], too_new: str) -> list[str]:
    return [version for version in versions if _order(version) < _order(too_new)]


def latest(as_of: str, version: str) -> str:
    """``as_of``, or the time when most packages worked with Python ``version``, whichever is later.

    A package of before cannot be expected to work with it. Empty where ``as_of`` is.
    """
    return max(as_of, _settled(version)) if as_of else ""


def _settled(version: str) -> str:
    """When Python ``version`` had been out for half a year (RFC 3339); empty where that is long ago."""
    minor = _order(version)[-1]
    return "" if minor < FIRST_IN_OCTOBER else f"{OCTOBER_OF_ZERO + minor + 1}-04-01T00:00:00Z"


def _named_versions(
    files: Mapping[str, bytes], tox_pythons: Sequence[str], first: str
) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = [("the job that runs the tests", [first] if first else [])]
    for path in (".python-version", "runtime.txt"):
        text = files.get(path, b"").decode("utf-8", "replace")
        named = [match[1] for line in text.splitlines() if (match := _VERSION.match(line.strip()))]
        found.append((path, named[:1]))
    held = files.get("Pipfile.lock", b"") + files.get("Pipfile", b"")
    pipfile = re.search(rb"python_(?:full_)?version\"?\s*[=:]\s*\"(3\.\d{1,2})", held)
    found.append(("Pipfile", [pipfile[1].decode()] if pipfile else []))
    found.append(("tox's environment list", list(tox_pythons)))
    for path in _CLASSIFIER_FILES:
        named = [match.decode() for match in _CLASSIFIER.findall(files.get(path, b""))]
        found.append((f"the classifiers in {path}", named))
    return [(origin, versions) for origin, versions in found if versions]


def _admits(requires: str, version: str) -> bool:
    """Whether any release of ``version`` (``3.9``) satisfies the specifier; an unreadable one admits all."""
    # A pin to one release (==3.9.7) is satisfied by the series that it belongs to.
    releases = [f"{version}.{micro}" for micro in (99, 0, *re.findall(r"3\.\d+\.(\d+)", requires))]
    try:
        return any(map(SpecifierSet(requires).contains, releases))
    except ValueError:
        return True


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
