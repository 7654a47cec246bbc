"""Real libraries broken on purpose, and repaired from the log that their own tests wrote.

The tests run as a CI job runs them, outside of any sandbox; what is done to their output is what GitHub does
to it, and the checkout's place becomes the runner's.
"""

import json
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field

import pytest
from libraries import Library

STAMP = b"2026-01-01T00:00:00.0000000Z "

pytestmark = [pytest.mark.network, pytest.mark.bubblewrap]


@dataclass(frozen=True)
class Broken:
    """A library with one line that was changed; ``directory`` is its place in the checkout."""

    library: Library
    before: str
    after: str
    command: str
    directory: str = "."
    environment: dict = field(default_factory=dict)


def library(name, version, sha256, module):
    return Library(name=name, version=version, sha256=sha256, kind="", module=module, passing=0)


BROKEN = (
    Broken(
        library=library(
            *("inflection", "0.5.1"),
            "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417",
            "inflection/__init__.py",
        ),
        before="if number % 100 in (11, 12, 13):",
        after="if number % 100 not in (11, 12, 13):",
        command="pytest -v --color=yes",
    ),
    Broken(
        library=library(
            *("cachetools", "5.5.2"),
            "1a661caa9175d26759571b2e19580f9d6393969e5dfca11fdb1f947a23e640d4",
            "src/cachetools/__init__.py",
        ),
        before="        if size > maxsize:\n",
        after="        if size >= maxsize:\n",
        command="python -m unittest discover -s tests -t .",
        environment={"PYTHONPATH": "src"},
    ),
    Broken(
        library=library(
            *("parse", "1.20.2"),
            "b41d604d16503c79d81af5165155c0b20f6c8d6c559efa66b4b695c3e5a0a0ce",
            "parse.py",
        ),
        before="if endpos is None:\n            endpos = len(string)\n        m = self._search_re",
        after="if endpos is not None:\n            endpos = len(string)\n        m = self._search_re",
        command="python -m pytest -q --tb=short tests",
        directory="backend",
    ),
)


def ran(command, directory, python, environment):
    """The library's own tests, run for real; the command's first word is a program beside ``python``."""
    program, *arguments = shlex.split(command)
    argv = [str(python.with_name(program)) if program == "python" else str(python), *arguments]
    if program != "python":
        argv[1:1] = ["-m", program]
    clean = {"PATH": os.defpath, "HOME": str(directory), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run(
        argv,
        cwd=directory,
        env=clean,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )


def as_github_stores_it(broken, root, done):
    """A job's log of the one step that ran the tests."""
    place = f"/home/runner/work/{broken.library.name}/{broken.library.name}"
    moved = [] if broken.directory == "." else [f"cd {broken.directory}"]
    script = [*moved, broken.command]
    variables = [f"  {name}: {place}/{value}" for name, value in broken.environment.items()]
    head = [f"##[group]Run {script[0]}", *(f"\x1b[36;1m{line}\x1b[0m" for line in script)]
    head += ["shell: /usr/bin/bash -e {0}", *(["env:", *variables] if variables else []), "##[endgroup]"]
    body = done.stdout.replace(str(root).encode(), place.encode())
    end = f"##[error]Process completed with exit code {done.returncode}.".encode()
    return b"".join(
        STAMP + line + b"\n"
        for line in [*map(str.encode, head), *body.splitlines(), end, b"Post job cleanup."]
    )


@pytest.mark.slow
@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.library.name)
def test_a_real_library_is_repaired_from_its_own_log(
    broken, library_source, make_provider, project_environment, regreen, tmp_path, monkeypatch
):
    make_provider("bubblewrap")
    root = tmp_path / "checkout"
    project = root / broken.directory
    shutil.copytree(library_source(broken.library), project)
    module = project / broken.library.module
    whole = module.read_text("utf-8")
    assert whole.count(broken.before) == 1
    module.write_text(whole.replace(broken.before, broken.after), "utf-8")

    python = project_environment / "bin" / "python"
    done = ran(broken.command, project, python, broken.environment)
    assert done.returncode == 1, done.stdout.decode("utf-8", "replace")[-2_000:]
    log = tmp_path / "job.log"
    log.write_bytes(as_github_stores_it(broken, root, done))

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("VIRTUAL_ENV", str(project_environment))
    judged = json.loads(regreen("triage", log, "--project", root, "--json").stdout)
    assert judged["kind"] == "code"
    assert judged["command"]["directory"] == broken.directory
    assert all((root / test.partition("::")[0]).is_file() for test in judged["tests"])

    # One patch is enough: test_choice.py has the search for alternatives.
    monkeypatch.setenv("REGREEN_SEARCH_WITHOUT", "alternatives")
    options = ["--log", log, "--sandbox", "bubblewrap", "--apply", "--json"]
    fixed = regreen("fix", root, *options, timeout_s=600)
    assert fixed.stdout, fixed.stderr.decode("utf-8", "replace")
    result = json.loads(fixed.stdout)
    assert (fixed.returncode, result["outcome"]) == (0, "patched"), fixed.stderr.decode()[-2_000:]
    assert set(result["failing_before"]) == set(judged["tests"])
    again = ran(broken.command, project, python, broken.environment)
    assert again.returncode == 0, again.stdout.decode("utf-8", "replace")[-2_000:]
