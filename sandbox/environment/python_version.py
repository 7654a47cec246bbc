"""Chooses the Python that a project is tested with, from what it says and from what is to be had."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from packaging.specifiers import SpecifierSet

from sandbox.environment.declared import Declared, unique

DEFAULT_VERSION = "3.13"
_VERSION = re.compile(r"(?:cpython-|python-?)?(3\.\d{1,2})(?:\.\d+)?")
_CLASSIFIER = re.compile(rb"Programming Language :: Python :: (3\.\d{1,2})\b")
_WORKFLOW_KEY = re.compile(r"^\s*-?\s*[\"']?python[-_]?versions?[\"']?\s*:\s*(?P<inline>.*)$", re.IGNORECASE)
_WORKFLOW_VERSION = re.compile(r"(?<![\d.])3\.\d{1,2}(?!\d)")
_CLASSIFIER_FILES = ("pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonChoice:
    """``version`` is like ``3.12``; ``reason`` says what decided; ``requires`` is the project's specifier."""

    version: str
    reason: str
    requires: str = ""

    def allows(self, version: str) -> bool:
        """Whether the project's own specifier admits ``version``."""
        return _admits(self.requires, version)


def choose_python(
    files: Mapping[str, bytes],
    declared: Sequence[Declared],
    *,
    tox_pythons: Sequence[str] = (),
    available: Sequence[str],
) -> PythonChoice:
    """The version for the project, among ``available`` (the first is taken where nothing decides).

    In order: ``.python-version``, ``runtime.txt``, the version that a lock or Pipfile asks for, the
    newest in the CI workflows, in tox's environment list, in the classifiers; then the default, if
    ``requires-python`` admits it, else the newest that it admits. What is not to be had, or what
    ``requires-python`` excludes, does not count.
    """
    source, requires = next(
        ((each.source, each.requires_python) for each in declared if each.requires_python), ("", "")
    )
    usable = [version for version in available if _admits(requires, version)]
    missing: list[str] = []
    for origin, versions in _wishes(files, tox_pythons):
        for version in sorted(set(versions), key=_order, reverse=True):
            if version in usable:
                note = f" (not {', '.join(missing)}: not to be had here)" if missing else ""
                return PythonChoice(version=version, reason=f"{origin}{note}", requires=requires)
        missing += [f"{version} of {origin}" for version in versions[:1]]
    if not usable:
        version = available[0]
        reason = f"no Python here satisfies {requires} of {source}; this is the nearest choice"
        return PythonChoice(version=version, reason=reason, requires=requires)
    version = DEFAULT_VERSION if DEFAULT_VERSION in usable else max(usable, key=_order)
    reason = f"admitted by {requires} of {source}" if requires else "the project does not say"
    if missing:
        reason = f"not {', '.join(missing)}: not to be had here"
    return PythonChoice(version=version, reason=reason, requires=requires)


def _wishes(files: Mapping[str, bytes], tox_pythons: Sequence[str]) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for path in (".python-version", "runtime.txt"):
        text = files.get(path, b"").decode("utf-8", "replace")
        named = [match[1] for line in text.splitlines() if (match := _VERSION.match(line.strip()))]
        found.append((path, named[:1]))
    pipfile = re.search(rb"python_(?:full_)?version\"?\s*[=:]\s*\"(3\.\d{1,2})", _pipfile(files))
    found.append(("Pipfile", [pipfile[1].decode()] if pipfile else []))
    found += [
        (path, workflow_versions(files[path].decode("utf-8", "replace")))
        for path in sorted(files)
        if path.startswith(".github/workflows/") and path.endswith((".yml", ".yaml"))
    ]
    found.append(("tox's environment list", list(tox_pythons)))
    for path in _CLASSIFIER_FILES:
        named = [match.decode() for match in _CLASSIFIER.findall(files.get(path, b""))]
        found.append((f"the classifiers in {path}", named))
    return [(origin, versions) for origin, versions in found if versions]


def _pipfile(files: Mapping[str, bytes]) -> bytes:
    return files.get("Pipfile.lock", b"") + files.get("Pipfile", b"")


def workflow_versions(text: str) -> list[str]:
    """The versions that a workflow gives to ``python-version``, in its own order.

    The text is searched, not parsed: the key, what stands behind it, and the list items below it.
    """
    found: list[str] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        key = _WORKFLOW_KEY.match(line)
        if key is None:
            continue
        found += _WORKFLOW_VERSION.findall(key["inline"].split(" #")[0])
        if key["inline"].split("#")[0].strip() in {"", "["}:
            for below in lines[number + 1 :]:
                item = below.split(" #")[0].strip()
                if not item.startswith(("-", "'", '"', "3")):
                    break
                found += _WORKFLOW_VERSION.findall(item)
    return list(unique(found))


def _admits(requires: str, version: str) -> bool:
    """Whether any release of ``version`` (``3.9``) satisfies the specifier; an unreadable one admits all."""
    try:
        wanted = SpecifierSet(requires)
        # A pin to one release (==3.9.7) is satisfied by the series that it belongs to.
        return any(wanted.contains(f"{version}.{micro}") for micro in (99, 0, *_micros(requires)))
    except ValueError:
        return True


def _micros(requires: str) -> list[str]:
    return re.findall(r"3\.\d+\.(\d+)", requires)


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
