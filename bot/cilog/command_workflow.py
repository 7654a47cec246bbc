"""Read a workflow file for the steps that run tests: where, with which variables.

The file is hostile: it is read as plain data by the safe loader, within limits, and nothing in it is run
here. YAML's aliases could make a small file a huge tree, so a file that has them is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MAX_FILE = 200_000
MAX_STEPS = 500
MAX_DEPTH = 40

_EXPRESSION = re.compile(r"\$\{\{ *(?P<context>matrix|env)\.(?P<name>[\w-]+) *\}\}")
_PATH = re.compile(r"\.github/workflows/[^/]+\.ya?ml")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowStep:
    """A ``run`` step; ``folder`` is its working directory as written, the matrix's expressions resolved."""

    file: str
    job: str
    script: str
    folder: str = ""
    environment: tuple[tuple[str, str], ...] = ()


def workflow_steps(files: Mapping[str, bytes]) -> tuple[WorkflowStep, ...]:
    """The ``run`` steps of all workflow files among ``files``; a file that cannot be read has none."""
    found: list[WorkflowStep] = []
    for name in sorted(files):
        if is_workflow(name):
            found += _steps(name, load_workflow(files[name]))
    return tuple(found[:MAX_STEPS])


def is_workflow(path: str) -> bool:
    """Whether GitHub takes the file at ``path`` for a workflow."""
    return _PATH.fullmatch(path) is not None


def load_workflow(data: bytes) -> Any:  # noqa: ANN401 - whatever a file holds
    """The file as plain values; None where it cannot be read, or has aliases, or is too large or too deep."""
    import yaml  # not loaded where no workflow is read

    if len(data) > MAX_FILE:
        return None
    try:
        text = data.decode("utf-8")
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.events.AliasEvent):
                return None
            depth += isinstance(event, yaml.events.CollectionStartEvent)
            depth -= isinstance(event, yaml.events.CollectionEndEvent)
            if depth > MAX_DEPTH:
                return None
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError, LookupError, AttributeError, TypeError):
        return None  # the last three are what the library raises for a tag that does not fit its value


def _steps(name: str, workflow: Any) -> Iterator[WorkflowStep]:  # noqa: ANN401
    if not isinstance(workflow, dict):
        return
    for job, body in _mapping(workflow, "jobs").items():
        if not isinstance(body, dict):
            continue
        default = _default_folder(body) or _default_folder(workflow)
        environment = {**_texts(workflow, "env"), **_texts(body, "env")}
        matrix = _matrix(body)
        steps = body.get("steps")
        for step in steps if isinstance(steps, list) else ():
            if not isinstance(step, dict) or not isinstance(step.get("run"), str):
                continue
            variables = {**environment, **_texts(step, "env")}
            known = {("matrix", key): value for key, value in matrix.items()}
            known |= {("env", key): value for key, value in variables.items()}
            yield WorkflowStep(
                file=name,
                job=str(job),
                script=_resolved(step["run"], known),
                folder=_resolved(str(step.get("working-directory") or default), known),
                environment=tuple((key, _resolved(value, known)) for key, value in variables.items()),
            )


def _default_folder(body: Mapping[Any, Any]) -> str:
    return str(_mapping(_mapping(body, "defaults"), "run").get("working-directory") or "")


def _matrix(body: Mapping[Any, Any]) -> dict[str, str]:
    """The first value of each axis: any job of the matrix runs the same tests."""
    found: dict[str, str] = {}
    matrix = _mapping(_mapping(body, "strategy"), "matrix")
    for key, values in matrix.items():
        if isinstance(values, list) and values and not isinstance(values[0], dict | list):
            found[str(key)] = str(values[0])
    included = matrix.get("include")
    if isinstance(included, list) and included and isinstance(included[0], dict):
        for key, value in included[0].items():
            found.setdefault(str(key), str(value))
    return found


def _mapping(body: Mapping[Any, Any], key: str) -> dict[Any, Any]:
    value = body.get(key)
    return value if isinstance(value, dict) else {}


def _texts(body: Mapping[Any, Any], key: str) -> dict[str, str]:
    return {
        str(name): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in _mapping(body, key).items()
        if isinstance(value, str | int | float | bool)
    }


def _resolved(text: str, known: Mapping[tuple[str, str], str]) -> str:
    return _EXPRESSION.sub(lambda m: known.get((m["context"], m["name"]), m[0]), text)
