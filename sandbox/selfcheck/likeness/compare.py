"""Makes the calls inside and outside, and says of each whether the answers are of the same kind."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from sandbox.base import Limits, Sandbox, SandboxProvider, SandboxSpec
from sandbox.errors import SandboxError
from sandbox.machine import caller, scrubbed
from sandbox.providers import KINDS
from sandbox.selfcheck.likeness.calls.answers import TRUE, VALUE
from sandbox.selfcheck.model import program

GROUPS = ("users", "network", "files", "processes", "places")
TIMEOUT_S = 90.0
# Longer than this, and much longer than outside: a test with a time limit would fail inside only.
SLOW_S = 5.0
_ANSWER = 'sys.modules["sent.answers"].answers(module.CALLS)'


class Likeness(StrEnum):
    """``KNOWN`` is otherwise, and in the table of differences; ``NOT_ASKED`` has an older Python inside."""

    ALIKE = "alike"
    KNOWN = "known"
    UNLIKE = "unlike"
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class LikenessDifference:
    """Why a call is answered otherwise inside; ``sometimes``, on some machines only."""

    reason: str
    sometimes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Likened:
    """One call: how its answers compare, what they were (``detail``), and ``reason`` of a known difference.

    ``differs`` is what was seen, also where a difference was known.
    """

    group: str
    call: str
    likeness: Likeness
    differs: bool
    detail: str
    reason: str = ""


def differences_of(provider: str) -> dict[str, LikenessDifference]:
    """The differences that ``provider`` is known to have, by the call's name."""
    groups = (*(["isolated"] if KINDS[provider].isolated else []), "everywhere", provider)
    known = [row for group in groups for row in _known().get(group, ())]
    return {
        call: LikenessDifference(reason=row["why"], sometimes=not row.get("always"))
        for row in known
        for call in row["calls"]
    }


@cache
def _known() -> Mapping[str, list[Any]]:
    directory = resources.files("sandbox.selfcheck.likeness")
    return tomllib.loads(directory.joinpath("differences.toml").read_text("utf-8"))


def compare(provider: SandboxProvider, spec: SandboxSpec) -> list[Likened]:
    """Make all calls in a sandbox that ``provider`` opens as in ``spec``, with usual limits, and outside.

    Raises:
        SandboxError: no sandbox can be opened, or the calls come to no end in one.
    """
    listed = differences_of(provider.name)
    results = []
    with (
        provider.open(replace(spec, limits=Limits())) as sandbox,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory,
    ):
        for group in GROUPS:
            found = _group(sandbox, spec, group, directory, listed)
            if any(one.likeness is Likeness.UNLIKE for one in found):
                # A busy machine answers late, or not in time, now and then: what is unlike twice is unlike.
                again = {one.call: one for one in _group(sandbox, spec, group, directory, listed)}
                found = [again[one.call] if one.likeness is Likeness.UNLIKE else one for one in found]
            results.extend(found)
    return results


def _group(
    sandbox: Sandbox, spec: SandboxSpec, group: str, directory: str, listed: Mapping[str, LikenessDifference]
) -> list[Likened]:
    done = sandbox.exec([spec.python, "-c", _program(group)], timeout_s=TIMEOUT_S)
    inside = _read(done.stdout)
    if inside is None:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise SandboxError(f"the calls on {group} were not answered inside: {' '.join(last)}")
    outside = _outside(group, directory)
    same_python = inside["python"] == outside["python"]
    return [
        _likened(group, call, inside["answers"][call], theirs, listed.get(call), same_python=same_python)
        for call, theirs in outside["answers"].items()
    ]


def _likened(  # noqa: PLR0913 - a call, its answers, and what is known of them
    group: str,
    call: str,
    ours: Mapping[str, Any],
    theirs: Mapping[str, Any],
    difference: LikenessDifference | None,
    *,
    same_python: bool,
) -> Likened:
    detail = f"inside {_said(ours)}, outside {_said(theirs)}"
    is_slow = ours["seconds"] > SLOW_S > theirs["seconds"]
    differs = is_slow or differ(ours, theirs)
    reason = ""
    if ours.get("absent") and not same_python:
        likeness, differs = Likeness.NOT_ASKED, False
    elif difference and (differs or not difference.sometimes):
        likeness, reason = Likeness.KNOWN, difference.reason
    else:
        likeness = Likeness.UNLIKE if differs else Likeness.ALIKE
    detail += f"; inside it took {ours['seconds']:.0f} s" if is_slow else ""
    return Likened(group=group, call=call, likeness=likeness, differs=differs, detail=detail, reason=reason)


def _hear_interrupts() -> None:
    """Undo what a shell does to the commands that it runs in the background: they ignore SIGINT for good."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _outside(group: str, directory: str) -> Mapping[str, Any]:
    """The answers of this machine: by our own interpreter, with the same variables, in an empty directory."""
    home = os.path.join(directory, "home")
    os.makedirs(home, exist_ok=True)
    variables = scrubbed({}, home=home, path=os.environ.get("PATH", os.defpath), user=caller())
    try:
        done = subprocess.run(
            [sys.executable, "-c", _program(group)],
            cwd=directory,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
            start_new_session=True,
            preexec_fn=_hear_interrupts,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"the calls on {group} were not answered outside: {error}") from error
    if (found := _read(done.stdout)) is None:
        raise SandboxError(f"the calls on {group} were not answered outside: exit status {done.returncode}")
    return found


def differ(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Whether an answer inside is not of the same kind as the one outside.

    What fails outside may work inside: the sandbox is like a machine of CI, and this one may lack something.
    """
    if ours["compared"] == TRUE:
        return bool(ours.get("value") != "True")
    if "error" in theirs:
        return "error" in ours and ours["error"] != theirs["error"]
    if "error" in ours or ours["type"] != theirs["type"]:
        return True
    return bool(ours["compared"] == VALUE and ours["value"] != theirs["value"])


def _said(answer: Mapping[str, Any]) -> str:
    if "error" in answer:
        return f"{answer['error']}: {answer['text']}".strip(": ")
    return str(answer["value"] or f"a {answer['type']}")[:100]


def _program(group: str) -> str:
    return program("sandbox.selfcheck.likeness.calls", ("answers", group), _ANSWER)


def _read(output: bytes) -> Mapping[str, Any] | None:
    """The answers in what a program wrote; None where there are none."""
    lines = output.decode("utf-8", "replace").strip().splitlines()
    try:
        found = json.loads(lines[-1])
        return found if isinstance(found["answers"], dict) and found["answers"] else None
    except (IndexError, KeyError, TypeError, ValueError):
        return None
