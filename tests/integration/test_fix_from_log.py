"""Real libraries broken on purpose, and repaired from the log that their own tests wrote.

The tests run as a CI job runs them, outside of any sandbox; what is done to their output is what GitHub does
to it, and the checkout's place becomes the runner's.
"""

import json
import os
import shlex
import shutil
import subprocess

import pytest
from libraries import BROKEN

STAMP = b"2026-01-01T00:00:00.0000000Z "

pytestmark = [pytest.mark.network, pytest.mark.bubblewrap]


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
    place = f"/home/runner/work/{broken.name}/{broken.name}"
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
@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_real_library_is_repaired_from_its_own_log(
    broken, library_source, make_provider, project_environment, run_regreen, tmp_path
):
    make_provider("bubblewrap")
    root = tmp_path / "checkout"
    project = root / broken.directory
    shutil.copytree(library_source(broken), project)
    module = project / broken.module
    whole = module.read_text("utf-8")
    assert whole.count(broken.before) == 1
    module.write_text(whole.replace(broken.before, broken.after), "utf-8")

    python = project_environment / "bin" / "python"
    done = ran(broken.command, project, python, broken.environment)
    assert done.returncode == 1, done.stdout.decode("utf-8", "replace")[-2_000:]
    log = tmp_path / "job.log"
    log.write_bytes(as_github_stores_it(broken, root, done))

    judged = json.loads(run_regreen("triage", log, "--project", root, "--json", sandbox=None).stdout)
    assert judged["kind"] == "code"
    assert judged["command"]["directory"] == broken.directory
    assert all((root / test.partition("::")[0]).is_file() for test in judged["tests"])

    # One patch is enough: test_search.py has the search for alternatives.
    options = ["--log", log, "--apply", "--json"]
    fixed = run_regreen("fix", root, *options, sandbox="bubblewrap", first=True, timeout_s=600)
    assert fixed.stdout, fixed.stderr.decode("utf-8", "replace")
    result = json.loads(fixed.stdout)
    assert (fixed.returncode, result["outcome"]) == (0, "patched"), fixed.stderr.decode()[-2_000:]
    assert set(result["failing_before"]) == set(judged["tests"])
    again = ran(broken.command, project, python, broken.environment)
    assert again.returncode == 0, again.stdout.decode("utf-8", "replace")[-2_000:]
