"""Where settings come from: the caller, the environment, a file, and what holds otherwise.

The only reader of the environment. For each option the first of these that says something decides: the
command line, the Action's input, the environment, the configuration file, the default. A file is read
only when ``--config`` names it: one that lies in the project could have come with a pull request.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.config.action_settings import DEFAULT_API, ActionSettings, GitHubPlace
from bot.config.build_variables import in_environment, read_variables, values_of, without_values
from bot.config.options import BY_NAME, DEFAULT_ATTEMPTS, DEFAULT_DRAFTS, OPTIONS
from bot.config.options.option import Option, Value
from bot.config.settings import Secrets, Settings
from bot.errors import ConfigurationError, InvalidConfiguration
from bot.internal_errors import STRICT
from bot.scrub import SHORTEST_SECRET, secrets_of_address
from sandbox.base import Limits
from sandbox.providers import KINDS

DEFAULT = "default"
MASK = "***"
# What a pull request must not be able to turn on: its own workflow may set variables.
ONLY_IN_FILE = frozenset({"allow-test-changes"})
_SECRET = re.compile("TOKEN|SECRET|PASSW|CREDENTIAL|API[_-]?KEY|PRIVATE[_-]?KEY", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effective:
    """One option as it is in force; ``value`` is fit to be shown, a secret is masked."""

    option: Option
    value: Value | None
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """What one source says: texts by option, and where each stands, for messages and listings."""

    texts: Mapping[str, str]
    origins: Mapping[str, str]
    in_file: bool = False

    def place(self, name: str) -> str:
        """The beginning of a message about the option ``name``."""
        return f"{self.origins[name]}: {name}" if self.in_file else self.origins[name]


def load(options: Mapping[str, object], environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from command-line ``options`` (None where not given), ``environment`` and the file.

    Raises:
        ConfigurationError: a value cannot be used; the message names it, where it stands, and what may.
    """
    given = {name: value for name, value in options.items() if value is not None}
    project = Path(str(given.get("project", "."))).resolve()
    if not project.is_dir():
        raise ConfigurationError(f"not a repository: {project} is not a directory; pass the project's path")
    values, origins = _resolve(_sources(given, environment))
    log = given.get("log")
    return Settings(
        project=project,
        log=Path(str(log)) if log else None,
        base=str(given.get("base", "")),
        resume=bool(given.get("resume")),
        virtual_env=environment.get("VIRTUAL_ENV", ""),
        build_environment=in_environment(values["build_variables"], environment),
        state_directory=state_directory(environment),
        cache_directory=_directory(environment, "XDG_CACHE_HOME", ".cache"),
        origins=origins,
        secrets=Secrets(**{o.field: values.pop(o.field) for o in OPTIONS if o.secret}),
        **values,
    )


def take_environment() -> Mapping[str, str]:
    """The environment as it is; what is secret in it is not inherited by anything from here on."""
    taken = dict(os.environ)
    for name in taken:
        if is_private(name):
            del os.environ[name]
    return taken


def is_private(name: str) -> bool:
    """Whether a variable is the runner's or a secret: the Action's inputs may hold keys too."""
    return name.startswith(("ACTIONS_", "INPUT_")) or _SECRET.search(name) is not None


def secret_values(environment: Mapping[str, str]) -> tuple[str, ...]:
    """What must never be shown: the values of variables that are secrets by their names."""
    values = {value for name, value in environment.items() if _SECRET.search(name)}
    values.update(values_of(environment.get("REGREEN_BUILD_SECRETS", "")))
    addresses = [environment.get(name, "") for name in ("REGREEN_BASE_URL", "REGREEN_HUB_URL")]
    addresses += [*values, *values_of(environment.get("REGREEN_BUILD_VARIABLES", ""))]
    for address in addresses:
        values.update(secrets_of_address(address))
    # Several keys are written with commas between; each of them is one.
    found = values | {part.strip() for value in values for part in value.split(",")}
    return tuple(sorted(value for value in found if len(value) >= SHORTEST_SECRET))


def github_place(environment: Mapping[str, str] = os.environ) -> GitHubPlace | None:
    """The repository on GitHub that the environment names; None where it names none."""
    repository = environment.get("GITHUB_REPOSITORY", "").strip()
    if not repository:
        return None
    return GitHubPlace(repository=repository, api_url=environment.get("GITHUB_API_URL") or DEFAULT_API)


def check_file(path: str, content: bytes) -> None:
    """See whether ``content``, a file of options, could be used; ``path`` is what messages call it.

    Raises:
        ConfigurationError: it could not.
    """
    load({"config": path, "config_content": content}, {})


def state_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where checkpoints and trajectories of runs are kept."""
    return _directory(environment, "XDG_STATE_HOME", ".local/state") / "runs"


def effective(settings: Settings) -> tuple[Effective, ...]:
    """Every option of the table as ``settings`` have it."""
    return tuple(
        Effective(option=option, value=_shown(option, settings), origin=settings.origins[option.name])
        for option in OPTIONS
    )


def settings_digest(settings: Settings) -> str:
    """Names the options in force, without those of one run of the Action; secrets are masked in it."""
    lasting = (one for one in effective(settings) if one.option.scope != "run")
    values = "\0".join(f"{one.option.name}={one.value}" for one in lasting)
    return hashlib.sha256(values.encode("utf-8", "surrogateescape")).hexdigest()


def unread_variables(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """What the environment holds under Regreen's prefix that no option reads: probably a misspelling."""
    known = {STRICT, *(option.variable for option in OPTIONS)}
    return tuple(sorted(name for name in environment if name.startswith("REGREEN_") and name not in known))


def _shown(option: Option, settings: Settings) -> Value | None:
    if option.secret:
        return MASK if getattr(settings.secrets, option.field) else ""
    if option.limit:
        value: Value | None = getattr(settings.limits, option.limit)
    elif option.of_action:
        value = getattr(settings.action, option.field)
    else:
        value = getattr(settings, option.field)
    return without_values(str(value)) if option.kind == "variables" else value


def _sources(given: Mapping[str, object], environment: Mapping[str, str]) -> Iterator[_Source]:
    """The sources, the one that decides first."""
    chosen = {option.name: str(given[option.field]) for option in OPTIONS if option.field in given}
    yield _Source(texts=chosen, origins={name: BY_NAME[name].flag for name in chosen})
    yield _variables({option.name: (option.action_input,) for option in OPTIONS}, environment)
    yield _variables({o.name: (o.variable, *o.variables) for o in OPTIONS}, environment)
    if given.get("config"):
        from bot.config.options import file  # the YAML library is not loaded for nothing

        path, content = str(given["config"]), given.get("config_content")
        entries = file.read(Path(path), content=content if isinstance(content, bytes) else None)
        places = {entry.name: f"{path}:{entry.line}" for entry in entries}
        yield _Source(texts={e.name: e.text for e in entries}, origins=places, in_file=True)


def _variables(names: Mapping[str, tuple[str, ...]], environment: Mapping[str, str]) -> _Source:
    """What the environment says; a variable that is empty is one that is not set.

    A workflow passes an input that nobody chose as an empty text.
    """
    found = {
        option: next((name for name in variables if environment.get(name, "").strip()), "")
        for option, variables in names.items()
    }
    origins = {option: name for option, name in found.items() if name}
    return _Source(texts={o: environment[name].strip() for o, name in origins.items()}, origins=origins)


def _resolve(sources: Iterator[_Source]) -> tuple[dict[str, Any], dict[str, str]]:
    """The fields of ``Settings`` that the table names, and where each option's value came from."""
    from bot.config.options import values  # and pydantic with it: not loaded for ``--help``

    problems: list[str] = []
    chosen: dict[str, Value] = {}
    origins = {option.name: DEFAULT for option in OPTIONS}
    for source in sources:
        misplaced = ((name, _misplaced(source, BY_NAME[name])) for name in source.texts if name in BY_NAME)
        problems += [f"{source.place(name)}: {reason}" for name, reason in misplaced if reason]
        found, wrong = values.read(source.texts, source.place)
        problems += wrong
        for name, value in found.items():
            if name not in chosen:
                chosen[name], origins[name] = value, source.origins[name]
    if not problems:
        in_force = {option.name: chosen.get(option.name, option.default) for option in OPTIONS}
        problems = list(_conflicts(in_force, origins))
    if problems:
        raise InvalidConfiguration(problems)
    return _fields(in_force), origins


def _misplaced(source: _Source, option: Option) -> str:
    """Why ``option`` cannot be set in ``source``; empty where it can."""
    if source.in_file and option.secret:
        return f"a secret does not belong in a file; set {(*option.variables, option.variable)[0]}"
    if source.in_file and option.scope == "run":
        return "belongs to one run; pass it as the Action's input"
    if option.name in ONLY_IN_FILE and not source.in_file:
        return "only the configuration file can set it"
    if source.origins[option.name] == option.action_input and not option.is_input:
        where = "" if option.secret else f"{option.name} in the file of config-path, or "
        return f"no input of the Action; set {where}{option.variable}"
    return ""


def _conflicts(values: Mapping[str, Value | None], origins: Mapping[str, str]) -> Iterator[str]:
    """What cannot be had together, a line each."""
    sandbox = values["sandbox"]
    engines = [kind.name for kind in KINDS.values() if kind.from_image]
    for name in ("sandbox-image", "base-image", "sandbox-runtime"):
        if values[name] and sandbox not in {"auto", *engines}:
            yield (
                f"{origins[name]}: {name} is for {', '.join(engines)}, but {origins['sandbox']} asks for "
                f"{sandbox}: leave one of the two out"
            )
    if values["record"] and values["replay"]:
        yield f"{origins['replay']}: a run that is replayed asks nobody: leave out either record or replay"
    if values["sandbox-image"] and values["base-image"]:
        yield (
            f"{origins['base-image']}: base-image is not used where sandbox-image is given: "
            "leave one of the two out"
        )
    for name in read_variables(str(values["build-variables"] or "")):
        if _SECRET.search(name):
            yield (
                f"{origins['build-variables']}: build-variables: {name} looks like a secret, and the "
                "project's code could read it: leave it out"
            )
    if None in read_variables(str(values["build-secrets"] or "")).values():
        yield f"{origins['build-secrets']}: build-secrets: each line has to be NAME=value"
    directory = str(values["working-directory"] or "")
    if directory.startswith("/") or ".." in directory.split("/"):
        yield f"{origins['working-directory']}: working-directory: it does not lie in the project"
    budget, lifetime = BY_NAME["time-budget"], BY_NAME["sandbox-lifetime"]
    limits = values[budget.name], values[lifetime.name]
    if float(limits[0] or 0) > float(limits[1] or 0):
        yield (
            f"{origins[budget.name]}: time-budget {budget.show(limits[0])} is longer than a sandbox lives, "
            f"{lifetime.show(limits[1])}: raise sandbox-lifetime too, in a file given with --config or as "
            f"{lifetime.variable}"
        )


def _fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings' fields, with what follows from other options filled in."""
    common = [o for o in OPTIONS if not o.limit and not o.of_action]
    fields = {o.field: "" if values[o.name] is None else values[o.name] for o in common}
    own = {o.field: values[o.name] for o in OPTIONS if o.of_action}
    limits = Limits(**{o.limit: values[o.name] for o in OPTIONS if o.limit})
    cores = min(len(os.sched_getaffinity(0)), int(limits.cpus), int(BY_NAME["workers"].maximum))
    return {
        **fields,
        "limits": limits,
        "action": ActionSettings(**own),
        "max_attempts": fields["max_attempts"] or DEFAULT_ATTEMPTS[fields["strategy"]],
        "drafts": fields["drafts"] or DEFAULT_DRAFTS[fields["strategy"]],
        "suite_timeout": fields["suite_timeout"] or fields["time_budget"],
        "workers": fields["workers"] or max(1, cores),
        "model_context": fields["model_context"] or 0,
        "model_threads": fields["model_threads"] or 0,
    }


def _directory(environment: Mapping[str, str], variable: str, below_home: str) -> Path:
    base = Path(environment.get(variable, ""))
    if not base.is_absolute():  # which the XDG specification says to ignore
        home = environment.get("HOME") or "/tmp"  # noqa: S108 - the fallback of a machine without a home
        base = Path(home, below_home)
    return base / "regreen"
