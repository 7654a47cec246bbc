"""Which Python a job of the CI sets up, by its steps, its container, its matrix or its commands. Pure."""

import re
from collections.abc import Mapping, Sequence

from sandbox.ci.commands import Command
from sandbox.ci.shell import MAX_SCRIPT
from sandbox.ci.workflows.expression_values import as_text
from sandbox.ci.workflows.jobs import ActionStep, CiJob

_VERSION = re.compile(r"3\.\d{1,2}(?:\.\d+)?$")
_FIRST_VERSION = re.compile(r"(?<![\d.])(3\.\d{1,2})(?!\d)")


def python_of(job: CiJob, files: Mapping[str, bytes]) -> str:
    """The version of CPython that ``job`` sets up, like ``3.12``; empty where none is known."""
    for step in reversed(job.steps):  # a later step replaces the Python of an earlier one
        if not isinstance(step, ActionStep):
            continue
        asked = step.inputs.get("python-version", "").strip()
        if step.action in {"actions/setup-python", "astral-sh/setup-uv", "pdm-project/setup-pdm"} or asked:
            lines = [line.strip() for line in asked.splitlines() if line.strip()]
            versions = [found for line in lines if (found := _plain_version(line))]
            if versions:
                return versions[-1]
            path = step.inputs.get("python-version-file", "")
            head = files.get(path, b"")[:MAX_SCRIPT].decode("utf-8", "replace")
            if named := _FIRST_VERSION.search(head):
                return named[1]
    if image := re.match(r"(?:docker\.io/)?(?:library/)?python:(3\.\d{1,2})", job.container):
        return image[1]
    for name, value in job.combination.items():
        if "py" in name.lower() and (version := _plain_version(as_text(value))):
            return version
    return ""


def _plain_version(text: str) -> str:
    """``3.12`` of ``3.12.1`` or ``~3.12.0-0``; empty for what is no plain release of CPython."""
    bare = text.strip().strip("'\"").removeprefix("~").removeprefix("cpython-").split("-")[0]
    bare = bare.removesuffix(".x").removesuffix(".*").removeprefix("py")
    return ".".join(bare.split(".")[:2]) if _VERSION.match(bare) else ""


def python_of_commands(commands: Sequence[Command]) -> str:
    """The version that ``uv venv --python 3.12`` and the like name."""
    for command in commands:
        for option, value in zip(command.words, command.words[1:], strict=False):
            if option in {"-p", "--python"} and (version := _plain_version(value)):
                return version
        if command.words[:3] == ("uv", "python", "install"):
            return next((v for word in command.words[3:] if (v := _plain_version(word))), "")
    return ""
