"""Run the self-check in all ways that this machine offers: as root, ``python docs/sandbox_runs.py``.

A way is a user, a sandbox, runs or builds, and the control groups that can be made. What cannot be run here
keeps its row from another machine, or is recorded as not run. The table is results/data/sandbox-runs.csv.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import itertools
import json
import os
import platform
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import packaging

from sandbox import cgroup
from sandbox.base import SandboxOpener, SandboxProvider, SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.docker import DockerProvider
from sandbox.environment import own_network
from sandbox.environment.images import DEFAULT_IMAGE, docker_image
from sandbox.selfcheck.builds import BUILD_CHECKS, builds_of
from sandbox.selfcheck.model import CheckVerdict
from sandbox.selfcheck.run import MODEST_LIMITS, run_checks

TABLE = Path(__file__).parent / "results" / "data" / "sandbox-runs.csv"
ROOT = Path(__file__).parents[1]
HEAD = ("user", "sandbox", "of", "control groups", "result", "known gaps", "machine", "date")
USERS, SANDBOXES, KINDS = ("root", "unprivileged"), ("docker", "bubblewrap"), ("runs", "builds")
GROUPS = ("v1", "v2", "none")
ANOTHER_USER = 12345
SYSTEM_PYTHON = "/usr/bin/python3"
ENGINE_SOCKET = Path("/var/run/docker.sock")
HIDE = 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"'
ENTER = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"'
Way = tuple[str, str, str, str]


def ways() -> Iterator[Way]:
    """Every way there is. An engine always makes control groups."""
    for way in itertools.product(USERS, SANDBOXES, KINDS, GROUPS):
        if way[1:] not in {("docker", "runs", "none"), ("docker", "builds", "none")}:
            yield way


def groups_of(provider: SandboxProvider) -> str:
    """Which control groups limit the sandboxes of ``provider``."""
    if isinstance(provider, DockerProvider):
        return f"v{provider.client.info().get('CgroupVersion', '?')}"
    if not cgroup.available():
        return "none"
    return "v2" if (cgroup.ROOT / "cgroup.controllers").is_file() else "v1"


def check(sandbox: str, kind: str) -> dict[str, str]:
    """Run the checks here, as this user, and say what came out."""
    provider: SandboxProvider = DockerProvider() if sandbox == "docker" else BubblewrapProvider()
    spec = SandboxSpec(python=sys.executable, limits=MODEST_LIMITS)
    if isinstance(provider, DockerProvider):
        image = docker_image(provider, os.environ.get("REGREEN_TEST_IMAGE") or DEFAULT_IMAGE)
        spec = SandboxSpec(python="python3", image=image, limits=MODEST_LIMITS)
    checked: SandboxOpener | None = provider if kind == "runs" else builds_of(provider)
    assert checked is not None
    results = run_checks(checked, spec, names=BUILD_CHECKS if kind == "builds" else None)
    held = sum(result.verdict is CheckVerdict.PASSED for result in results)
    failed = [result.check for result in results if result.verdict is CheckVerdict.FAILED]
    gaps = [result.check for result in results if result.verdict is CheckVerdict.GAP]
    kernel = platform.release().partition("-")[0]
    network = (
        ", slirp4netns" if (sandbox, kind) == ("bubblewrap", "builds") and own_network.available() else ""
    )
    return {
        "user": "root" if os.geteuid() == 0 else "unprivileged",
        "sandbox": sandbox,
        "of": kind,
        "control groups": groups_of(provider),
        "result": f"{held} of {len(results)} held" + (f"; FAILED: {' '.join(failed)}" if failed else ""),
        "known gaps": " ".join(gaps),
        "machine": f"Linux {kernel}, {provider.describe().partition(',')[0]}{network}",
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
    }


def _attempts() -> Iterator[tuple[str, Sequence[str], Mapping[str, object]]]:
    """For each sandbox: words before the program, and how it is started."""
    python_path = f"{ROOT}:{Path(packaging.__file__).parents[1]}"
    gid = ENGINE_SOCKET.stat().st_gid if ENGINE_SOCKET.exists() else ANOTHER_USER
    other = {"user": ANOTHER_USER, "group": ANOTHER_USER, "extra_groups": [gid], "python": SYSTEM_PYTHON}
    hidden = ("unshare", "--mount", "sh", "-c", HIDE, "sh")
    for user in ({"python": sys.executable}, other):
        started = {**user, "python_path": python_path}
        yield "docker", (), started
        yield "bubblewrap", (), started
    yield "bubblewrap", hidden, {"python": sys.executable, "python_path": python_path}
    with _delegated() as files:
        drop = ("setpriv", f"--reuid={ANOTHER_USER}", f"--regid={ANOTHER_USER}", "--clear-groups")
        words = ("sh", "-c", ENTER, "sh", *files, "--", *drop)
        yield "bubblewrap", words, {"python": SYSTEM_PYTHON, "python_path": python_path}


@contextmanager
def _delegated() -> Iterator[tuple[str, ...]]:
    """Control groups that belong to the other user, as systemd hands them to one."""
    with ExitStack() as made:
        files = []
        for parent in cgroup.parents():
            directory = parent / f"self-check-{secrets.token_hex(4)}"
            directory.mkdir()
            made.callback(directory.rmdir)
            for path in (directory, *directory.iterdir()):
                os.chown(path, ANOTHER_USER, ANOTHER_USER)
            files.append(str(directory / "cgroup.procs"))
        yield tuple(files)


def _run(words: Sequence[str], sandbox: str, kind: str, started: Mapping[str, object]) -> dict[str, str]:
    options = {name: value for name, value in started.items() if not name.startswith("python")}
    kept = {name: os.environ[name] for name in ("PATH", "REGREEN_TEST_IMAGE") if name in os.environ}
    done = subprocess.run(
        [*words, str(started["python"]), "-B", __file__, sandbox, kind],
        env={**kept, "HOME": "/", "PYTHONPATH": str(started["python_path"])},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd="/",
        **options,  # type: ignore[call-overload]
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def table(rows: Mapping[Way, Mapping[str, str]]) -> str:
    """The table: a row for each way, also for those that were not run."""
    written = io.StringIO()
    writer = csv.DictWriter(written, HEAD, lineterminator="\n")
    writer.writeheader()
    for way in ways():
        named = dict(zip(HEAD, way, strict=False))
        writer.writerow(rows.get(way) or {**named, "result": "not run"})
    return written.getvalue()


def recorded() -> dict[Way, dict[str, str]]:
    """The rows that are there, but those that were not run."""
    if not TABLE.exists():
        return {}
    rows = csv.DictReader(TABLE.read_text("utf-8").splitlines())
    return {way_of(row): row for row in rows if row["result"] != "not run"}


def way_of(row: Mapping[str, str]) -> Way:
    """The first columns of a row."""
    return row["user"], row["sandbox"], row["of"], row["control groups"]


def main() -> None:
    """Run every way that works here, and write the table anew."""
    rows = recorded()
    for sandbox, words, started in _attempts():
        for kind in KINDS:
            try:
                row = _run(words, sandbox, kind, started)
            except (subprocess.CalledProcessError, IndexError, ValueError) as error:
                print(f"{sandbox}, {kind}: {error}", file=sys.stderr)  # noqa: T201 - it is a program
                continue
            print(*row.values(), sep=" | ", file=sys.stderr)  # noqa: T201
            rows[way_of(row)] = row
    TABLE.write_text(table(rows), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(check(*sys.argv[1:])))  # noqa: T201
    else:
        main()
