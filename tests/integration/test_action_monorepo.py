"""A repository of two packages with jobs that look alike in their logs; the log is of a real run."""

import os
import shutil
import subprocess

import pytest
from fakes.action import RECENT, REPOSITORY, WRITERS, Shop, job_log
from laying import lay
from sections import sections

pytestmark = pytest.mark.bubblewrap
ON_THE_RUNNER = "/home/runner/work/app/app"
RIGHT = b"def with_tax(net, tax):\n    return net + tax\n"
WRONG = RIGHT.replace(b"net + tax", b"net - tax")
PYPROJECT, TESTS, ALIKE, MATRIX = sections("sources/action_monorepo.txt")[0].parts.values()


def files(workflow):
    found = {".github/workflows/ci.yml": workflow.encode(), "README.md": b"# Two packages\n"}
    for name in ("alpha", "beta"):
        found |= {
            f"packages/{name}/pyproject.toml": PYPROJECT.format(name).encode(),
            f"packages/{name}/{name}/__init__.py": b"",
            f"packages/{name}/{name}/core.py": RIGHT,
            f"packages/{name}/tests/test_core.py": TESTS.format(name).encode(),
        }
    return found


@pytest.fixture
def real_log(tmp_path, project_environment):
    """The log of a job that ran ``shown``: what pytest prints in that directory, as a runner frames it."""

    def run(place, directory, shown):
        top = lay(tmp_path / "checkout", place)
        environment = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(tmp_path)}
        python = project_environment / "bin/python"
        done = subprocess.run(
            [python, "-m", "pytest", "-p", "no:cacheprovider"],
            cwd=top / directory,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        shutil.rmtree(top)
        assert done.returncode == 1, done.stdout
        assert str(top) in done.stdout
        return (
            f"##[group]Run {shown}\n{shown}\nshell: /usr/bin/bash -e {{0}}\n##[endgroup]\n"
            f"{done.stdout.replace(str(top), ON_THE_RUNNER)}##[error]Process completed with exit code 1.\n"
        )

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workflow", "job", "shown"),
    [
        (ALIKE, "{0}", "python -m pytest"),
        (MATRIX, "test ({0})", "python -m pytest"),
        (ALIKE, "a name that no workflow has", "python -m pytest"),
        ("", "test", "./in-the-package"),
    ],
    ids=["defaults", "matrix", "unknown", "chosen"],
)
@pytest.mark.parametrize("package", ["alpha", "beta"])
def test_a_fault_in_one_package_is_repaired_there(github, repair, real_log, workflow, job, shown, package):
    path = f"packages/{package}/{package}/core.py"
    before, change = files(workflow), {path: WRONG}
    log = real_log({**before, **change}, f"packages/{package}", shown.format(package))
    world = github.world
    world.at(RECENT)
    repository = world.repository(REPOSITORY, before)
    repository.roles |= WRITERS
    world.push(repository, "feature", change)
    pull = world.pull(repository, "feature")
    run = world.run(repository, pull.pull.head_sha, branch="feature", pulls=(pull.number,))
    world.job(run, job.format(package), log=job_log(log))
    own = world.run(repository, repository.branch_head("main"), workflow="Regreen", status="in_progress")
    place = Shop(github=github, repository=repository, pull=pull, run=run, own_run=own)
    ran = repair(place, **({} if workflow else {"working_directory": f"packages/{package}"}))
    assert ran.outputs["outcome"] == "patched", ran.log
    assert f"+++ b/{path}" in ran.outputs["patch"]
    assert "+    return net + tax" in ran.outputs["patch"]
    (comment,) = pull.pull.line_comments
    assert (comment.path, comment.line) == (path, 2)
    assert f"--rootdir=. packages/{package}" in ran.log
