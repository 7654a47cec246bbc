"""Reads what the project managers install: uv, poetry, pdm, pipenv, rye, conda, setup.py and flit."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest

from sandbox.ci.commands import Command, directory_of
from sandbox.ci.installs import ALL, Group, Installs, Local, read_words
from sandbox.formats import split_extras

_Reader = Callable[[Command, Mapping[str, bytes], Installs], None]
_CONDA_SPEC = re.compile(r"(?:[\w.-]+::)?([\w.-]+)\s*(.*)$")
_DEVELOPING = {"develop", "install", "build_ext", "test", "build", "pytest"}


def read_installs(commands: Iterable[Command], files: Mapping[str, bytes]) -> Installs:
    """What ``commands`` install; of several environments, what the last one holds."""
    found = Installs()
    for command in commands:
        if command.fresh:
            found = Installs(system=found.system)
        if reader := _reader(command.words):
            reader(command, files, found)
    return found


def is_install(words: Sequence[str]) -> bool:
    """Whether ``words`` install something that is read here."""
    return _reader(words) is not None


def _reader(words: Sequence[str]) -> _Reader | None:
    for length in (3, 2, 1):
        if reader := _READERS.get(tuple(words[:length])):
            return reader
    return None


def _pip(command: Command, files: Mapping[str, bytes], found: Installs) -> None:
    start = 3 if command.words[:2] == ("uv", "pip") else 2
    read_words(command.words[start:], command.directory, files, found)


def _pip_remove(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    found.without += [word for word in command.words[2:] if not word.startswith("-")]


def _uv_sync(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    options = _Options(command.words[2:])
    place = options.place(command, "--directory", "--project")
    found.lock = "uv"
    if not options.has("--no-install-project"):
        found.local.append(Local(place, options.extras("--extra")))
    groups = options.values("--group", "--only-group", "--only-dev")
    if options.has("--all-groups"):
        groups = [ALL]
    elif not options.has("--no-default-groups", "--no-dev", "--only-group", "--only-dev"):
        groups = [*groups, "dev"]
    found.groups += [Group(place, name) for name in groups]


def _poetry(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    options = _Options(command.words[2:])
    found.lock = "poetry"
    place = options.place(command, "-C", "--directory", "-P", "--project")
    found.local.append(Local(place, options.extras("-E", "--extras")))
    without = {*options.names("--without"), *(["dev"] if options.has("--no-dev") else [])}
    # A group is installed unless it is optional or left out; which are optional, the planner sees.
    names = options.names("--only") or (ALL, *options.names("--with"))
    found.groups += [Group(place, name) for name in names if name not in without]
    found.groups += [Group(place, f"-{name}") for name in sorted(without)]


def _pdm(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    options = _Options(command.words[2:])
    found.lock = "pdm"
    place = command.directory
    groups = [name for text in options.values("-G", "--group", "--with") for name in text.split(",")]
    if ":all" in groups or not options.has("--prod", "--production", "--no-default"):
        groups = [ALL]
    found.local.append(Local(place, (ALL,) if ":all" in groups else tuple(g for g in groups if g != ALL)))
    found.groups += [Group(place, name) for name in groups]


def _pipenv(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    options = _Options(command.words[2:])
    found.lock = "pipenv"
    found.groups.append(Group(command.directory, "default"))
    if options.has("--dev", "-d"):
        found.groups.append(Group(command.directory, "dev"))
    read_words([word for word in command.words[2:] if not word.startswith("-")], command.directory, {}, found)


def _rye(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    found.local.append(Local(command.directory))
    found.groups.append(Group(command.directory, "dev"))


def _conda(command: Command, files: Mapping[str, bytes], found: Installs) -> None:
    words = command.words
    options = _Options(words[1:])
    for value in options.values("-f", "--file"):
        path = directory_of(value, base=command.directory)
        if path is not None and path in files:
            found.conda_files.append(path)
    if words[1:2] == ("install",):
        named = [word for word in words[2:] if not word.startswith("-") and "::" not in word]
        wanted = ["".join(split_conda(word)) for word in named if not word.startswith("python=")]
        read_words(wanted, command.directory, {}, found)


def split_conda(text: str) -> tuple[str, str]:
    """The name and the specifier of ``numpy=1.20``, ``numpy >=1.20,<2`` or ``numpy=1.20=build`` of conda."""
    matched = _CONDA_SPEC.match(text.split("#", maxsplit=1)[0].strip())
    if matched is None:
        return "", ""
    name, rest = matched[1].lower(), matched[2].strip()
    if not rest or rest[0] in "<>!~" or rest.startswith("=="):
        return name, rest.split(" ")[0].removesuffix("=")
    version = rest.lstrip("= ").split("=")[0].strip().removesuffix("*").removesuffix(".")
    return name, f"=={version}.*" if version else ""


def _system(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    asked, words = {"install", "add"}, command.words[1:]
    if not asked.isdisjoint(words):
        found.system += [word for word in words if not word.startswith("-") and word not in asked]


def _setup_py(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    if _DEVELOPING.intersection(command.words[2:]):
        found.local.append(Local(command.directory))


def _flit(command: Command, _files: Mapping[str, bytes], found: Installs) -> None:
    options = _Options(command.words[2:])
    everything = options.value("--deps") in {"all", "develop", ""}
    named = options.names("--extras")
    found.local.append(Local(command.directory, named or ((ALL,) if everything else ())))


class _Options:
    """The options among words, with their values."""

    def __init__(self, words: Sequence[str]) -> None:
        self._pairs: list[tuple[str, str]] = []
        for word, following in zip_longest(words, words[1:], fillvalue=""):
            name, equals, value = word.partition("=")
            if word.startswith("-"):
                self._pairs.append((name, value if equals else following))

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self._pairs)

    def values(self, *names: str) -> list[str]:
        return [value.strip("\"'") for name, value in self._pairs if name in names and value]

    def value(self, *names: str) -> str:
        return next(iter(self.values(*names)), "")

    def names(self, *names: str) -> tuple[str, ...]:
        return split_extras(" ".join(self.values(*names)))

    def extras(self, *names: str) -> tuple[str, ...]:
        return (ALL,) if self.has("--all-extras") else self.names(*names)

    def place(self, command: Command, *names: str) -> str:
        found = directory_of(self.value(*names) or ".", base=command.directory)
        return command.directory if found is None else found


_READERS: dict[tuple[str, ...], _Reader] = {
    **dict.fromkeys((("pip", "install"), ("uv", "add"), ("poetry", "add"), ("pdm", "add")), _pip),
    **dict.fromkeys((("uv", "pip", "install"), ("uv", "pip", "sync")), _pip),
    ("pip", "uninstall"): _pip_remove,
    ("uv", "sync"): _uv_sync,
    **dict.fromkeys((("poetry", "install"), ("poetry", "sync")), _poetry),
    **dict.fromkeys((("pdm", "install"), ("pdm", "sync")), _pdm),
    **dict.fromkeys((("pipenv", "install"), ("pipenv", "sync")), _pipenv),
    ("rye", "sync"): _rye,
    ("conda",): _conda,
    **dict.fromkeys((("apt-get",), ("apt",), ("brew",), ("dnf",), ("apk",)), _system),
    ("python", "setup.py"): _setup_py,
    ("flit", "install"): _flit,
}
