"""Expands a call of tox into what it installs and runs for one of its environments."""

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile

from sandbox.ci.commands import Command, ToolInvocation, environment_commands, inside, split_words
from sandbox.ci.tools.tox_config import MAX_REFERENCES, ToxConfig, expanded_names, read_config
from sandbox.formats import unique

MAX_LENGTH = 100_000
"""Characters of one line with its references replaced."""

_PLACE = re.compile(r"\{(?P<name>\[[^\]{}]*\][\w.-]+|[\w.]+)(?::(?P<rest>(?:[^{}]|\{[^{}]*\})*))?\}")
_PYTHON = re.compile(r"(?:py|python)?(?P<major>[23])\.?(?P<minor>\d{1,2})$")
_TEST = re.compile(r"(?:^|-)(?:tests?|unit|pytest|coverage|cover)\b")
_LINT = re.compile(
    r"lint|docs?\b|typ(?:e|ing)|mypy|flake|black|format|build|style|pre-?commit|package|manifest|release|check|"
    r"benchmark|report|clean|pypy|doctest|ruff|twine|audit|bandit|licen[sc]e|changelog|mindeps|lowest|oldest"
)

_KNOWN = {
    **dict.fromkeys(("toxinidir", "tox_root", "package_root", "setupdir"), "."),
    **dict.fromkeys(("envpython", "env_python", "basepython", "base_python"), "python"),
    **dict.fromkeys(("envbindir", "env_bin_dir", "envdir", "env_dir", "envtmpdir", "env_tmp_dir"), "."),
    **dict.fromkeys(("toxworkdir", "tox_work_dir", "work_dir", "homedir", "distdir", "temp_dir"), "."),
    **dict.fromkeys(("envsitepackagesdir", "env_site_packages_dir"), "."),  # the packages lie at the top
    "opts": "",
    "packages": "",
}


def expand(call: ToolInvocation) -> list[Command]:
    """What a call of tox installs and runs; empty where the configuration does not say."""
    config = read_config(call.files, call.directory)
    if config is None:
        return []
    words = list(call.words)
    rest = words[words.index("--") + 1 :] if "--" in words else []
    chosen = _chosen(words, config, call.variables, call.python)
    return [one for name in chosen for one in _commands(config, name, call.directory, rest, call.variables)]


def pythons(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The versions of Python 3 in the list of environments."""
    config = read_config(files, ".")
    found = (_python_of(name) for name in (config.environments if config else ()))
    return unique(version for version in found if version.startswith("3."))


def _chosen(
    words: Sequence[str], config: ToxConfig, variables: Mapping[str, str], python: str
) -> tuple[str, ...]:
    named = ""
    for word, following in takewhile(lambda pair: pair[0] != "--", pairwise([*words, ""])):
        if word.startswith("-e"):
            named = word[2:].lstrip("=") or following
    named = named or variables.get("TOXENV", "") or variables.get("TOX_ENV", "")
    names = tuple(name for name in expanded_names(named) if name not in {"ALL", ""} and "$" not in name)
    if not names:
        wanted = config.by_python.get(python, ())
        fitting = [name for name in config.environments if _python_of(name) == python]
        names = tuple(wanted) or tuple(fitting) or config.environments or ("py",)
    return (min(names, key=lambda name: _unfitness(name, python)),)


def _unfitness(name: str, python: str) -> tuple[bool, bool, bool]:
    """By which environments are sorted: those for tests first, then those for ``python``."""
    of_python = _python_of(name)
    plain = bool(of_python) or "py" in name.split("-") or _TEST.search(name) is not None
    return bool(_LINT.search(name)) or not plain, of_python not in {python, ""}, of_python != python


def _python_of(environment: str) -> str:
    """The version among the factors of an environment's name, like ``3.12``; empty where none is."""
    for factor in environment.split("-"):
        if found := _PYTHON.fullmatch(factor):
            return f"{found['major']}.{found['minor']}"
    return ""


def _commands(
    config: ToxConfig, name: str, directory: str, posargs: list[str], variables: Mapping[str, str]
) -> list[Command]:
    def lines(key: str) -> list[str]:
        return [
            part
            for line in config.lines(name, key)
            for part in _substituted(line, config, name, posargs, variables).splitlines()
            if part.strip()
        ]

    place = inside(directory, next(iter(lines("changedir") + lines("change_dir")), "."))
    environment = tuple(
        (key.strip(), value.strip())
        for line in lines("setenv") + lines("set_env")
        for key, equals, value in [line.partition("=")]
        if equals
    )
    install = [word for line in lines("deps") for word in _requirement_words(line)]
    groups, extras = (
        " ".join(lines(key)).replace(",", " ").split() for key in ("dependency_groups", "extras")
    )
    is_skipped = any(line.strip().lower() in {"true", "1", "yes", "on"} for line in lines("skip_install"))
    if not is_skipped and lines("package")[:1] != ["skip"]:
        install += [f".[{','.join(extras)}]" if extras else "."]
    install += [word for group in groups for word in ("--group", group)]
    found = environment_commands("tox", directory, environment, install)
    for line in [*lines("commands_pre"), *lines("commands")]:
        words = split_words(line.lstrip("-! "))
        if words:
            found.append(Command(words=tuple(words), directory=place, environment=environment))
    return found


def _requirement_words(line: str) -> list[str]:
    """A line of ``deps`` as words of pip's command line."""
    bare = line.split(" #", maxsplit=1)[0].strip()
    if bare.startswith("-"):
        option, _, value = bare.partition(" ")
        if value:
            return [option, value.strip()]
        return [bare[:2], bare[2:]] if bare[:2] in {"-r", "-c", "-e"} and bare[2:] else [bare]
    return [bare] if bare and not bare.startswith("#") else []


def _substituted(
    line: str, config: ToxConfig, name: str, posargs: list[str], variables: Mapping[str, str]
) -> str:
    def value(found: re.Match[str]) -> str:
        key, rest = found["name"], found["rest"]
        if key.startswith("["):
            section, _, option = key[1:].partition("]")
            return "\n".join(config.lines(name, option, section=section))
        if key == "posargs":
            return shlex.join(posargs) if posargs else (rest or "")
        if key == "env":
            variable, _, default = (rest or "").partition(":")
            return variables.get(variable, default)
        return _KNOWN.get(key, found[0]) if key not in {"envname", "env_name"} else name

    for _ in range(MAX_REFERENCES):
        changed = _PLACE.sub(value, line)
        if changed == line or len(changed) > MAX_LENGTH:
            break
        line = changed
    line = re.sub(r"(?<=\s)\[\](?=\s|$)", shlex.join(posargs), line)  # what {posargs} was written as before
    return re.sub(r"\{/\}", "/", line)
