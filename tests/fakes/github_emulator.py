"""A GitHub by others, to hold our client and our stand-in against: the npm package ``emulate``.

It knows branches, Git data, pull requests, comments; neither logs, tarballs nor the lines of a diff.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import requests

PACKAGE = "emulate@0.11.2"
TOKEN = "test_token_octo"
START_S = 90.0
SEED = f"""
tokens:
  {TOKEN}: {{login: octo, scopes: [repo, user]}}
github:
  users: [{{login: octo, name: Octo, email: octo@example.org}}]
  repos: [{{owner: octo, name: app, auto_init: true}}]
"""


class EmulatorMissing(Exception):
    """It cannot be had here; the message says why."""


@contextmanager
def emulator(directory: Path) -> Iterator[str]:
    """The address of its API.

    Raises:
        EmulatorMissing: there is no Node, or the package cannot be fetched.
    """
    npx = shutil.which("npx")
    if npx is None:
        raise EmulatorMissing("Node.js is not installed")
    (directory / "seed.yaml").write_text(SEED, encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = f"--yes {PACKAGE} start --service github --port {port} --seed seed.yaml"
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen(
            [npx, *options.split()], cwd=directory, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield _ready(f"http://localhost:{port}", process, directory)
    finally:
        with suppress(ProcessLookupError):  # npx and the node that it started
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _ready(url: str, process: subprocess.Popen[bytes], directory: Path) -> str:
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        with suppress(requests.ConnectionError):
            if requests.get(f"{url}/repos/octo/app", timeout=5).ok:
                return url
        time.sleep(0.05)
    log = (directory / "log").read_text(encoding="utf-8", errors="replace")
    raise EmulatorMissing(f"{PACKAGE} does not start: {log[-300:]}")
