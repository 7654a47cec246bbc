"""Expands a call of hatch into what its environment installs and runs. Source: Hatch's documentation."""

import re
import shlex
from collections.abc import Mapping, Sequence

from sandbox.ci.commands import Command, ToolInvocation, environment_commands, inside, split_words
from sandbox.formats import table, texts, toml_table
from sandbox.launchers import tool_options

MAX_DEPTH = 5
"""Scripts within scripts, and templates of templates, that are followed."""

MAX_LINES = 200
"""Commands of one script, those of the scripts in it among them."""

MAX_LINE = 5_000
"""Characters of a command with its arguments."""

MAX_INSTALLED = 1_000
"""Requirements of an environment."""

# What `hatch test` installs by itself, without what only reorders or repeats tests.
_HATCH_TEST = ("coverage[toml]", "pytest", "pytest-mock", "pytest-xdist[psutil]")
_ARGUMENTS = re.compile(r"\{args(?::([^{}]*))?\}")


def expand(call: ToolInvocation) -> list[Command]:
    """What a call of hatch installs and runs; empty for one that runs nothing."""
    directory, environments = call.directory, _environments(call.files, call.directory)
    name, rest = _called(call.words)
    if rest[:1] == ["test"]:
        own = _environment(environments, "hatch-test")
        return _commands(own, [("pytest", *_test_arguments(rest[1:]))], directory, extra=_HATCH_TEST)
    if rest[:1] == ["run"]:
        rest = [word for word in rest if not word.startswith("+")]
    elif rest[:2] == ["env", "run"]:
        rest = rest[1:]
    if rest[:1] != ["run"] or len(rest) < 2:
        return []
    first, arguments = rest[1], rest[2:]
    if first == "--" and arguments:
        first, arguments = arguments[0], arguments[1:]
    if ":" in first:
        name, _, first = first.partition(":")
    own = _environment(environments, name)
    lines: list[str] = []
    _script(own, first, arguments, lines, 0)
    return _commands(own, [tuple(split_words(line)) for line in lines[:MAX_LINES]], directory)


def _called(words: Sequence[str]) -> tuple[str, list[str]]:
    """The environment that an option names, and the words without that option."""
    for at, word in enumerate(words[:-1]):
        if word == "--":
            break
        if word in {"-e", "--env"}:
            return words[at + 1], [*words[1:at], *words[at + 2 :]]
    return "default", [*words[1:]]


def _test_arguments(words: Sequence[str]) -> list[str]:
    """The arguments of ``hatch test`` that are pytest's."""
    dropped, valued = tool_options("dropped")["hatch-test"], tool_options("tools")["hatch-test"]
    kept: list[str] = []
    rest = list(words[::-1])
    while rest:
        word = rest.pop()
        if word == "--":
            return [*kept, *rest[::-1]]
        if word in valued:
            rest = rest[:-1]
        elif word not in dropped and word.partition("=")[0] not in valued:
            kept.append(word)
    return kept


def _commands(
    own: Mapping[str, object], lines: Sequence[tuple[str, ...]], directory: str, *, extra: Sequence[str] = ()
) -> list[Command]:
    held = table(own, "env-vars")
    variables = tuple((name, value) for name, value in held.items() if isinstance(value, str))
    features = texts(own.get("features"))
    install = [*extra, *texts(own.get("dependencies")), *texts(own.get("extra-dependencies"))]
    install = install[:MAX_INSTALLED]
    if own.get("skip-install") is not True and own.get("detached") is not True:
        install.append(f".[{','.join(features)}]" if features else ".")
    install += [word for group in texts(own.get("dependency-groups")) for word in ("--group", group)]
    found = environment_commands("hatch", directory, variables, install)
    return found + [Command(words=one, directory=directory, environment=variables) for one in lines if one]


def _environments(files: Mapping[str, bytes], directory: str) -> Mapping[str, object]:
    own = toml_table(files, inside(directory, "hatch.toml"), "envs")
    return own or toml_table(files, inside(directory, "pyproject.toml"), "tool", "hatch", "envs")


def _environment(environments: Mapping[str, object], name: str, depth: int = 0) -> dict[str, object]:
    """The environment ``name`` with what it inherits from its template."""
    if name not in environments:  # ``test.py3.12`` is one of those that a matrix makes of ``test``
        name = name.partition(".")[0]
    own = dict(table(environments, name))
    template = own.get("template", "default")
    is_alone = own.get("detached") is True or name in {template, "default"}
    if depth >= MAX_DEPTH or is_alone or not isinstance(template, str):
        return own
    inherited = _environment(environments, template, depth + 1)
    scripts = {**table(inherited, "scripts"), **table(own, "scripts")}
    return {**inherited, **own, "scripts": scripts}


def _script(
    own: Mapping[str, object], name: str, arguments: Sequence[str], lines: list[str], depth: int
) -> None:
    """Add the lines of the script ``name``, or the command itself where it is no script."""
    if len(lines) >= MAX_LINES:
        return
    given = shlex.join(arguments)
    held = table(own, "scripts").get(name)
    if held is None or depth >= MAX_DEPTH:
        lines.append(f"{shlex.quote(name)} {given}".strip()[:MAX_LINE])
        return
    for line in ((held,) if isinstance(held, str) else texts(held))[:MAX_LINES]:
        bare = line[:MAX_LINE].lstrip("- ")
        text = _ARGUMENTS.sub(lambda found: (given or found[1] or "")[:MAX_LINE], bare, count=10)
        words = split_words(text)
        if words:
            _script(own, words[0], words[1:], lines, depth + 1)
