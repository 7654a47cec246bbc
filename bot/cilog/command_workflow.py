"""Read a workflow file for the steps that run tests: where, with which variables.

The file is hostile: it is read as plain data by the safe loader, within limits, and nothing in it is run
here. Anchors and aliases are read as GitHub reads them; since they could make a small file a huge tree, the
limits hold for the file as it would be with every alias written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

MAX_FILE = 200_000
"""Bytes of a file that is read."""

MAX_WRITTEN_OUT = 400_000
"""Characters and values of a file that is read, with every alias replaced by what it stands for."""

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
            found += islice(_steps(name, load_workflow(files[name])), MAX_STEPS - len(found))
    return tuple(found)


def is_workflow(path: str) -> bool:
    """Whether GitHub takes the file at ``path`` for a workflow."""
    return _PATH.fullmatch(path) is not None


def load_workflow(data: bytes) -> Any:  # noqa: ANN401 - whatever a file holds
    """The file as plain values; None where it cannot be read, or is too large or too deep.

    What an alias stands for is one value in several places: it is to be read, not changed.
    """
    import yaml  # not loaded where no workflow is read

    if len(data) > MAX_FILE:
        return None
    try:
        text = data.decode("utf-8")
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            depth += isinstance(event, yaml.events.CollectionStartEvent)
            depth -= isinstance(event, yaml.events.CollectionEndEvent)
            if depth > MAX_DEPTH:
                return None
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        extent = _extent(node, {}) if node else None
        if extent is None or extent.depth > MAX_DEPTH or extent.size > MAX_WRITTEN_OUT:
            return None
        return loader.construct_document(node)
    except (yaml.YAMLError, ValueError, RecursionError, LookupError, AttributeError, TypeError):
        return None  # the last three are what the library raises for a tag that does not fit its value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Extent:
    """What a node is with every alias written out: values and characters together, and levels."""

    size: int
    depth: int


def _extent(node: yaml.Node, known: dict[int, _Extent | None]) -> _Extent | None:
    """The extent of ``node``; None where it stands within itself. ``known`` are those seen, by identity."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = None  # until it is known: whoever meets it before stands within it
    if isinstance(node.value, str):
        inside = [_Extent(size=len(node.value), depth=0)]
    else:
        inside = []
        # A mapping's value are pairs of nodes.
        for part in (one for each in node.value for one in (each if isinstance(each, tuple) else (each,))):
            found = _extent(part, known)
            if found is None:
                return None
            inside.append(found)
    size = 1 + sum(one.size for one in inside)
    known[id(node)] = _Extent(size=size, depth=1 + max((one.depth for one in inside), default=0))
    return known[id(node)]


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
