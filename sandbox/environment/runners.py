"""Reads what tox and nox install before they run tests: hints, where a project says it nowhere else."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.environment.declared import Declared, Linked, normalised
from sandbox.environment.requirements import read_requirements
from sandbox.formats import Unreadable, parse_ini, read_python, read_toml, table, texts, unique

_INCLUDE = re.compile(r"(-r|-c)\s*(?:\{toxinidir\}/)?(\S+)")
_FACTOR = re.compile(r"[\w.{},!-]+:\s+(?P<rest>.+)")
_ENVIRONMENT = re.compile(r"py(?:py)?(?P<major>3)\.?(?P<minor>\d{1,2})\b")
_BRACES = re.compile(r"py3?\{([\d.,\s]+)\}")
_SUBSTITUTION = re.compile(r"\{[^}]*\}")
_TEST_SESSION = re.compile(r"test|unit|pytest", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToxHints:
    """What tox's default test environment installs, and the Pythons that it names."""

    declared: Declared
    extras: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    pythons: tuple[str, ...] = ()


def read_tox(files: Mapping[str, bytes]) -> ToxHints | None:
    """What the first of ``tox.toml``, ``pyproject.toml``, ``tox.ini`` and ``setup.cfg`` says about tox."""
    for source, document in _tox_tables(files):
        base = table(document, "env_run_base")
        return ToxHints(
            declared=_installed(files, source, texts(base.get("deps"))),
            extras=tuple(normalised(name) for name in texts(base.get("extras"))),
            groups=tuple(normalised(name) for name in texts(base.get("dependency_groups"))),
            pythons=_pythons(" ".join(texts(document.get("env_list")))),
        )
    for source in ("tox.ini", "setup.cfg"):
        parser = parse_ini(files.get(source, b""))
        head = "tox" if source == "tox.ini" else "tox:tox"
        if parser is None or not (parser.has_section(head) or parser.has_section("testenv")):
            continue
        return ToxHints(
            declared=_installed(files, source, parser.get("testenv", "deps", fallback="").splitlines()),
            extras=_names(parser.get("testenv", "extras", fallback="")),
            groups=_names(parser.get("testenv", "dependency_groups", fallback="")),
            pythons=_pythons(
                parser.get(head, "envlist", fallback="") or parser.get(head, "env_list", fallback="")
            ),
        )
    return None


def _tox_tables(files: Mapping[str, bytes]) -> list[tuple[str, Mapping[str, object]]]:
    found = []
    for source, path in (("tox.toml", ()), ("pyproject.toml", ("tool", "tox"))):
        try:
            document = table(read_toml(files, source), *path)
        except Unreadable:
            continue
        if document.get("env_run_base") or document.get("env_list"):
            found.append((f"{source} [tool.tox]" if path else source, document))
    return found


def _installed(files: Mapping[str, bytes], source: str, lines: tuple[str, ...] | list[str]) -> Declared:
    requirements: list[str] = []
    constraints: list[str] = []
    linked: list[Linked] = []
    for raw in lines:
        line = raw.split(" #")[0].strip()
        factor = _FACTOR.fullmatch(line)
        line = factor["rest"].strip() if factor else line
        if include := _INCLUDE.match(line):
            held = read_requirements(files, include[2])
            (requirements if include[1] == "-r" else constraints).extend(held.runtime or ())
            constraints += held.constraints
            linked += held.linked
        elif line and not line.startswith(("#", "-")) and not _SUBSTITUTION.search(line) and not factor:
            requirements.append(line)
    return Declared(
        source=source,
        runtime=unique(requirements),
        constraints=unique(constraints),
        linked=tuple(dict.fromkeys(linked)),
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(normalised(name) for name in re.split(r"[\s,]+", text) if name and "{" not in name)


def _pythons(environments: str) -> tuple[str, ...]:
    """The versions in an environment list: ``py39, py3.12, py{310,311}-django``."""
    short = [
        f"py{n.strip().removeprefix('3').lstrip('.')}"
        for g in _BRACES.findall(environments)
        for n in g.split(",")
    ]
    names = [f"py3{name.removeprefix('py')}" for name in short]
    found = [(m["major"], m["minor"]) for m in _ENVIRONMENT.finditer(" ".join([environments, *names]))]
    return unique(f"{major}.{minor}" for major, minor in found)


def read_nox(files: Mapping[str, bytes]) -> Declared | None:
    """The literals that the test sessions of ``noxfile.py`` install; None where there are none."""
    try:
        tree = read_python(files, "noxfile.py")
    except Unreadable:
        return None
    wanted: list[str] = []
    extras: list[str] = []
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or not _TEST_SESSION.search(function.name):
            continue
        for call in ast.walk(function):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "install"
            ):
                words = [
                    a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
                ]
                _read_words(files, words, wanted, extras)
    if not wanted and not extras:
        return None
    return Declared(source="noxfile.py", runtime=unique(wanted), own_extras=unique(extras))


def _read_words(files: Mapping[str, bytes], words: list[str], wanted: list[str], extras: list[str]) -> None:
    """The words of one ``session.install``, as pip's command line reads them."""
    rest = iter(words)
    for word in rest:
        if word in {"-r", "--requirement"}:
            wanted += read_requirements(files, next(rest, "")).runtime or ()
        elif word in {"-c", "--constraint", "-i", "--index-url"}:
            next(rest, "")
        elif word.startswith("."):
            held = re.search(r"\[([^\]]*)\]", word)
            extras += [
                normalised(name.strip()) for name in (held[1] if held else "").split(",") if name.strip()
            ]
        elif not word.startswith("-"):
            wanted.append(word)
