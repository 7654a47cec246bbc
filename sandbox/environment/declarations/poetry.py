"""Poetry's own tables in ``pyproject.toml``, and its version constraints in the standard's terms."""

import re
from collections.abc import Mapping

from sandbox.environment.declarations.declared import PROJECT, Declared
from sandbox.formats import normalised, table, texts

_NUMBERS = re.compile(r"\d{1,9}(?:\.\d{1,9})*(?!\d)")
_PART = re.compile(r"\s*(\^|~=|~|===?|!=|<=|>=|<|>)?\s*v?([^\s,|]+)\s*")


def read_poetry(document: Mapping[str, object]) -> Declared:
    """What ``[tool.poetry]`` declares."""
    poetry = table(document, "tool", "poetry")
    dependencies = dict(table(poetry, "dependencies"))
    python = dependencies.pop("python", "")
    optional = {
        name for name, value in dependencies.items() if isinstance(value, dict) and value.get("optional")
    }
    needed = {name: value for name, value in dependencies.items() if name not in optional}
    groups: dict[str, tuple[str, ...]] = {}
    for name, members in table(poetry, "extras").items():
        wanted = {member: dependencies[member] for member in texts(members) if member in dependencies}
        groups[normalised(name)] = _all_of(wanted)
    extras = frozenset(groups)
    tables = {"dev": table(poetry, "dev-dependencies")}
    tables |= {name: table(poetry, "group", name, "dependencies") for name in table(poetry, "group")}
    for name, members in tables.items():
        if held := _all_of(members):
            groups[normalised(name)] = (*groups.get(normalised(name), ()), *held)
    listed = table(poetry, "group")
    optional_groups = (normalised(name) for name in listed if table(listed, name).get("optional") is True)
    return Declared(
        source="pyproject.toml [tool.poetry]",
        name=str(poetry.get("name", "")),
        runtime=_all_of(needed),
        groups=groups,
        extras=extras,
        optional_groups=frozenset(optional_groups),
        requires_python=specifier(python) if isinstance(python, str) else "",
        packaged=bool(poetry.get("name")) and poetry.get("package-mode") is not False,
        scripts=tuple(name for name in ("scripts", "plugins") if poetry.get(name)),
        build_requires=texts(table(document, "build-system").get("requires")),
    )


def _all_of(dependencies: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(one for name, value in dependencies.items() for one in requirements_of(name, value))


def specifier(constraint: str) -> str:
    """A poetry constraint as a PEP 440 specifier: ``^1.2`` is ``>=1.2,<2``; alternatives keep only the first.

    Alternatives (``||``) have no equivalent; the last one, the newest by custom, is kept.
    """
    chosen = constraint.rsplit("||", maxsplit=1)[-1].strip()
    if chosen in {"", "*"}:
        return ""
    return ",".join(_bounds(operator, version) for operator, version in _PART.findall(chosen))


def _bounds(operator: str, version: str) -> str:
    numbers = _NUMBERS.match(version)
    if operator in {"^", "~"} and numbers:
        parts = [int(part) for part in numbers[0].split(".")]
        first = next((i for i, part in enumerate(parts) if part), len(parts) - 1)
        at = first if operator == "^" else min(1, len(parts) - 1)
        upper = [*parts[:at], parts[at] + 1]
        return f">={version},<{'.'.join(map(str, upper))}"
    return f"{operator or '=='}{version}"


def requirements_of(name: str, value: object) -> tuple[str, ...]:
    """A dependency as requirements; several where it is declared once for each platform."""
    if isinstance(value, list):
        return tuple(requirement for each in value for requirement in requirements_of(name, each))
    if isinstance(value, str):
        return (f"{name}{specifier(value)}",)
    if not isinstance(value, dict):
        return ()
    extras = f"[{','.join(texts(value.get('extras')))}]" if value.get("extras") else ""
    markers = [value["markers"]] if isinstance(value.get("markers"), str) else []
    python = value.get("python")
    if isinstance(python, str):
        markers += [marker for bound in specifier(python).split(",") if (marker := _python_marker(bound))]
    if value.get("markers") and len(markers) > 1:
        markers[0] = f"({markers[0]})"
    marker = f" ; {' and '.join(markers)}" if markers else ""
    if isinstance(git := value.get("git"), str):
        reference = value.get("rev") or value.get("ref") or value.get("tag") or value.get("branch")
        at = f"@{reference}" if reference else ""
        at += f"#subdirectory={value['subdirectory']}" if value.get("subdirectory") else ""
        return (f"{name}{extras} @ git+{git}{at}{marker}",)
    if isinstance(path := value.get("path"), str):
        # What lies outside is not here; whatever an index has under its name is something else.
        outside = path.startswith("/") or ".." in path.split("/")
        return () if outside else (f"{PROJECT}/{path.removeprefix('./')}{extras}{marker}",)
    if isinstance(url := value.get("url"), str):
        return (f"{name}{extras} @ {url}{marker}",)
    version = value.get("version")
    return (f"{name}{extras}{specifier(version) if isinstance(version, str) else ''}{marker}",)


def _python_marker(bound: str) -> str:
    """``bound`` on the Python as a marker; empty for one that is not written as a version."""
    match = re.match(r"([<>=!~]+)([\w.*+!-]+)$", bound)
    if match is None:
        return ""
    variable = "python_full_version" if match[2].count(".") > 1 else "python_version"
    return f"{variable} {match[1]} '{match[2]}'"
