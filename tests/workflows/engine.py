"""Runs a workflow file with act, on the stand-in for GitHub."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from laying import lay
from workflows.copies import ACTIONS, REGREEN, STAND_INS

ACT = Path(sys.prefix) / "bin/act"
TIMEOUT_S = 240
LABEL = "regreen.workflow"
# Programs that steps find before those of the machine.
TOOLS = Path(__file__).parent / "tools"


# What the engine says again and again of a directory that is no whole repository.
NOISE = ("unable to get git", "LocalRepositoryCache", "not located inside a git")


@dataclass(slots=True)
class Job:
    """How a job ended, each of its steps by its name, and what the steps said of themselves."""

    result: str = ""
    steps: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""
    seconds: float = 0


@dataclass(slots=True, kw_only=True)
class Ended:
    """A run of a workflow: its jobs by their ids."""

    status: int
    log: str
    jobs: dict[str, Job]

    @property
    def results(self) -> dict[str, str]:
        """How each job ended."""
        return {name: job.result for name, job in self.jobs.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What sets a workflow off: an event, at a commit of the repository, with tokens and variables."""

    kind: str
    payload: Mapping[str, object]
    sha: str
    actor: str
    environment: Mapping[str, str]
    secrets: Mapping[str, str]
    variables: Mapping[str, str]


def run(
    directory: Path,
    start: Start,
    *,
    workflow: str,
    regreen: Mapping[str, str],
    label: str,
    job: str = "",
) -> Ended:
    """Run ``workflow``, which may use the files ``regreen``; its containers have a label.

    With ``job``, that one alone and those that it needs.
    """
    files = {
        "workflow.yml": workflow,
        "event.json": json.dumps(start.payload),
        **{f"regreen/{name}": content for name, content in regreen.items()},
        # The engine reads the commit of a run where it is started, and nothing else there.
        "workspace/.git/HEAD": "ref: refs/heads/main\n",
        "workspace/.git/refs/heads/main": f"{start.sha}\n",
        "workspace/.git/objects/info/packs": "",
        "home/nothing": "",
    }
    lay(directory, files)
    local = {pin: str(ACTIONS / name) for pin, name in STAND_INS.items()}
    local[f"{REGREEN}@v0"] = str(directory / "regreen")
    command = [
        *(str(ACT), start.kind, "--json", "--directory", str(directory / "workspace")),
        *("--workflows", str(directory / "workflow.yml"), "--eventpath", str(directory / "event.json")),
        *("--platform", "ubuntu-latest=-self-hosted", "--pull=false", "--concurrent-jobs", "1"),
        # The stand-ins listen on the machine; and what a step is given by its path has that path inside, too.
        "--container-options",
        f"--network host --volume {directory / 'cache'}:{directory / 'cache'} --label {LABEL}={label}",
        *("--action-offline-mode", "--use-new-action-cache", "--no-cache-server", "--no-skip-checkout"),
        *("--action-cache-path", str(directory / "cache"), "--rm", "--actor", start.actor),
        *(("--job", job) if job else ()),
        *_pairs("--local-repository", local),
        *_pairs("--env", start.environment),
        *_pairs("--secret", start.secrets),
        *_pairs("--var", start.variables),
    ]
    with subprocess.Popen(
        command,
        cwd=directory,
        env=_environment(directory),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            log, _ = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # it takes its containers along
            log, _ = process.communicate(timeout=TIMEOUT_S)
            raise AssertionError(f"not done in {TIMEOUT_S} s:\n{log}") from None
    return _read(process.returncode, log)


def _environment(directory: Path) -> dict[str, str]:
    """What the engine hands on to the steps; one thread, since its jobs share a table without a lock."""
    engine = {name: value for name, value in os.environ.items() if name == "DOCKER_HOST"}
    path = f"{TOOLS}:/usr/local/bin:/usr/bin:/bin"
    return engine | {"HOME": str(directory / "home"), "PATH": path, "GOMAXPROCS": "1"}


def _pairs(option: str, values: Mapping[str, str]) -> list[str]:
    return [word for name, value in values.items() for word in (option, f"{name}={value}")]


def _read(status: int, log: str) -> Ended:
    """What the engine's log says: a JSON object a line, and an error at its end."""
    lines: list[str] = []
    jobs: dict[str, Job] = {}
    begun: dict[str, datetime] = {}
    for line in log.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            lines.append(line)
            continue
        if any(noise in entry["msg"] for noise in NOISE):
            continue
        lines.append(f"{entry['time'][11:19]} [{entry.get('job', '').strip()}] {entry['msg'].rstrip()}")
        if "jobID" in entry:
            job = jobs.setdefault(entry["jobID"], Job())
            at = datetime.fromisoformat(entry["time"])
            job.seconds = (at - begun.setdefault(entry["jobID"], at)).total_seconds()
            _take(job, entry)
    return Ended(status=status, log="\n".join(lines), jobs=jobs)


def _take(job: Job, entry: Mapping[str, Any]) -> None:
    if entry.get("stage") == "Main" and "stepResult" in entry and len(entry["stepID"]) == 1:
        job.steps[entry["step"]] = entry["stepResult"]
    if entry.get("command") == "summary":
        job.summary += entry["content"]
    if entry.get("command") == "set-output":
        job.outputs[entry["name"]] = entry["arg"]
    if job.result != "failure":  # of a matrix, one is enough
        job.result = entry.get("jobResult", job.result)
