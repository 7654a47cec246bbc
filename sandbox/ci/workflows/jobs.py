"""Reads the jobs of the workflow files: a ``CiJob`` for each combination of a matrix, expressions evaluated.

Workflows and composite actions of the repository itself are followed. Nothing is run, and nothing is fetched.
"""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from sandbox.ci.workflows.expression_values import Value, as_text
from sandbox.ci.workflows.expressions import holds, interpolate
from sandbox.ci.workflows.matrix import combinations
from sandbox.ci.workflows.workflow_file import is_workflow, load_workflow
from sandbox.formats import table
from sandbox.internal_errors import each

MAX_JOBS = 2_000
"""Jobs of all workflow files together, each combination counted."""

MAX_STEPS = 200
"""Steps of one job."""

MAX_VARIABLES = 300
"""Variables of one ``env``."""

MAX_VISITED = 40_000
"""Jobs, combinations and steps that are looked at: workflows and actions may call each other."""

MAX_KEPT = 5_000_000
"""Characters of the steps of all jobs together."""

MAX_BYTES = 3_000_000
"""Bytes of all workflow files together."""

MAX_CALLS = 3
"""How many reusable workflows or composite actions are followed within each other."""

WORKSPACE = "$GITHUB_WORKSPACE"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    """A ``run`` step. ``directory`` is its working directory, relative to the repository unless absolute."""

    script: str
    directory: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    shell: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionStep:
    """A step that uses an action: ``actions/setup-python`` without its version, with its inputs."""

    action: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CiJob:
    """One job as it would run for one ``combination`` of its matrix.

    ``events`` start the workflow; ``runs_on`` and ``container`` are empty where nothing names them;
    ``may_fail`` is GitHub's ``continue-on-error``.
    """

    file: str
    workflow: str
    key: str
    name: str
    events: frozenset[str]
    runs_on: str
    container: str
    needs_services: bool
    steps: tuple[RunStep | ActionStep, ...]
    combination: Mapping[str, Value] = field(default_factory=dict)
    may_fail: bool = False

    @property
    def scripts(self) -> tuple[RunStep, ...]:
        """The ``run`` steps."""
        return tuple(step for step in self.steps if isinstance(step, RunStep))

    @property
    def values(self) -> list[str]:
        """The plain values of its combination."""
        return [as_text(value) for value in self.combination.values() if not isinstance(value, dict | list)]

    @property
    def title(self) -> str:
        """What a person calls it: the job, with its combination where there is one."""
        return f"{self.key} ({', '.join(self.values)})" if self.values else self.key


def read_jobs(files: Mapping[str, bytes]) -> tuple[CiJob, ...]:
    """The jobs of all workflow files among ``files``; a file that cannot be read has none.

    Of more workflows than a person reads, the first ones are read.
    """
    reading = _Reading(files=files)
    found: list[CiJob] = []
    size = 0
    for path in sorted(files):
        if not is_workflow(path):
            continue
        size += len(files[path])
        if size > MAX_BYTES:
            break
        jobs = each("the reading of a workflow file", partial(reading.jobs, path, {}, frozenset(), 0))
        found += islice(jobs, MAX_JOBS - len(found))
    return tuple(found)


@dataclass(slots=True, kw_only=True)
class _Reading:
    """One reading of the workflow files; what it may still look at and keep falls with each job and step."""

    files: Mapping[str, bytes]
    documents: dict[str, Value] = field(default_factory=dict)
    to_visit: int = MAX_VISITED
    to_keep: int = MAX_KEPT

    def jobs(
        self, path: str, inputs: Mapping[str, Value], events: frozenset[str], depth: int
    ) -> Iterator[CiJob]:
        """The jobs of the workflow at ``path``, which is called with ``inputs`` where it is reusable."""
        document = self.document(path)
        if not isinstance(document, dict):
            return
        events = events or events_of(document)
        declared = table(document.get("on", document.get(True)), "workflow_call", "inputs")
        contexts = _contexts({**_defaults(declared), **inputs})
        outer = _variables(document.get("env"), contexts)
        for key, body in table(document, "jobs").items():
            if not isinstance(body, dict) or not holds(body.get("if"), contexts):
                continue
            matrix = table(body, "strategy").get("matrix")
            for combination in combinations(matrix, contexts):
                if not self._goes_on():
                    return
                known = {**contexts, "matrix": combination, "env": outer}
                called = body.get("uses")
                if isinstance(called, str):
                    if called.startswith("./") and depth < MAX_CALLS:
                        given = {as_text(k): _evaluated(v, known) for k, v in table(body, "with").items()}
                        yield from self.jobs(posixpath.normpath(called[2:]), given, events, depth + 1)
                    continue
                job = self._job(document, as_text(key), body, known)
                self.to_keep -= _weight(job)
                yield replace(job, file=path, workflow=job.workflow or path, events=events)

    def document(self, path: str) -> Value:
        """The YAML file at ``path``, parsed once."""
        if path not in self.documents:
            self.documents[path] = load_workflow(self.files.get(path, b""))
        return self.documents[path]

    def _goes_on(self) -> bool:
        self.to_visit -= 1
        return self.to_visit > 0 and self.to_keep > 0

    def _job(
        self,
        document: Mapping[Value, Value],
        key: str,
        body: Mapping[Value, Value],
        contexts: Mapping[str, Value],
    ) -> CiJob:
        environment = {**contexts["env"], **_variables(body.get("env"), contexts)}
        known = {**contexts, "env": environment}
        container = body.get("container")
        image = container.get("image") if isinstance(container, dict) else container
        runs_on = body.get("runs-on")
        labels = runs_on.get("labels", "") if isinstance(runs_on, dict) else runs_on
        listed = labels if isinstance(labels, list) else [labels]
        steps = self._steps(body.get("steps"), known, _default_directory([body, document], known), 0)
        return CiJob(
            file="",
            workflow=as_text(document.get("name")),
            key=key,
            name=interpolate(as_text(body.get("name")) or key, known),
            events=frozenset(),
            runs_on=interpolate(" ".join(map(as_text, listed)), known),
            container=interpolate(as_text(image), known),
            needs_services=bool(table(body, "services")),
            may_fail=holds(body.get("continue-on-error", False), known, unknown=False),
            steps=tuple(islice(steps, MAX_STEPS)),
            combination=contexts["matrix"],
        )

    def _steps(
        self, steps: object, contexts: Mapping[str, Value], directory: str, depth: int
    ) -> Iterator[RunStep | ActionStep]:
        """The steps of a job or of an action, those of its own actions in their places."""
        for step in steps if isinstance(steps, list) else ():
            if not self._goes_on():
                return
            if not isinstance(step, dict):
                continue
            variables = {**contexts["env"], **_variables(step.get("env"), contexts)}
            known = {**contexts, "env": variables}
            if not holds(step.get("if"), known):
                continue
            if isinstance(step.get("run"), str):
                yield RunStep(
                    script=interpolate(step["run"], known),
                    directory=interpolate(as_text(step.get("working-directory")), known) or directory,
                    environment=tuple(variables.items()),
                    shell=as_text(step.get("shell")),
                )
            elif isinstance(step.get("uses"), str):
                yield from self._action(step, known, depth)

    def _action(
        self, step: Mapping[Value, Value], contexts: Mapping[str, Value], depth: int
    ) -> Iterator[RunStep | ActionStep]:
        """The step as it is, or the steps of a composite action of the repository."""
        action = step["uses"]
        inputs = {as_text(k): as_text(_evaluated(v, contexts)) for k, v in table(step, "with").items()}
        if not action.startswith("./") or depth >= MAX_CALLS:
            environment = tuple(contexts["env"].items())
            yield ActionStep(action=action.partition("@")[0], inputs=inputs, environment=environment)
            return
        directory = posixpath.normpath(action[2:])
        paths = (f"{directory}/action.yml", f"{directory}/action.yaml")
        document = self.document(next((path for path in paths if path in self.files), ""))
        if isinstance(document, dict):
            known = {**contexts, "inputs": {**_defaults(table(document, "inputs")), **inputs}}
            yield from self._steps(table(document, "runs").get("steps"), known, "", depth + 1)


def _weight(job: CiJob) -> int:
    """About how many characters are kept for ``job``."""
    total = len(job.name)
    for step in job.steps:
        texts = (step.script,) if isinstance(step, RunStep) else step.inputs.values()
        total += 100 + sum(map(len, texts)) + 100 * len(step.environment)
    return total


def _contexts(inputs: Mapping[str, Value]) -> dict[str, Value]:
    """What an expression sees on a Linux runner, for a push onto the default branch."""
    github = {
        "event_name": "push",
        "ref": "refs/heads/main",
        "ref_name": "main",
        "workspace": WORKSPACE,
        "job": "test",
    }
    runner = {"os": "Linux", "arch": "X64", "temp": "/tmp"}  # noqa: S108 - what a runner calls it
    return {"github": github, "runner": runner, "inputs": dict(inputs), "env": {}}


def events_of(document: Mapping[Value, Value]) -> frozenset[str]:
    """What starts the workflow. The key ``on`` is a truth value to YAML 1.1."""
    events = document.get("on", document.get(True))
    found = [events] if isinstance(events, str) else events if isinstance(events, list | dict) else []
    return frozenset(event for event in found if isinstance(event, str))


def _defaults(inputs: Mapping[str, Value]) -> dict[str, Value]:
    return {
        as_text(name): body["default"]
        for name, body in inputs.items()
        if isinstance(body, dict) and "default" in body
    }


def _default_directory(bodies: Sequence[Mapping[Value, Value]], contexts: Mapping[str, Value]) -> str:
    """The working directory of the first of ``bodies`` that sets one."""
    found = (
        interpolate(as_text(table(body, "defaults", "run").get("working-directory")), contexts)
        for body in bodies
    )
    return next((directory for directory in found if directory), "")


def _variables(value: object, contexts: Mapping[str, Value]) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {
        as_text(name): as_text(_evaluated(held, contexts))
        for name, held in islice(pairs, MAX_VARIABLES)
        if held is None or isinstance(held, str | int | float | bool)
    }


def _evaluated(value: object, contexts: Mapping[str, Value]) -> Value:
    return interpolate(value, contexts) if isinstance(value, str) else value
