"""The copies of workflow files that the tests run, and all that they change.

``repair.yml``, since the engine (act) lacks two things that it uses:

- ``job.workflow_repository`` and ``job.workflow_sha``: the copy names Regreen's repository and its commit.
- A token for each job: the jobs that write take theirs from a variable.

``release.yml``: its registry and the server that it pushes to are the tests' own. Its jobs ``distributions``
and ``publish`` are not run.

A workflow that is run, whatever it is:

- Its name, by which the engine calls its containers, ends with a word of this run.

The examples and ``action.yml``, as they are meant to be changed:

- ``OWNER`` is the account that Regreen is used from.
- ``action.yml`` names an image that is there, as a release does.

No other file is changed. What they use of other repositories stands in ``actions/``, by its pins. Steps run
on the machine, as GitHub's do. ``tools/`` stands before its programs: those that no test may start, and a
Node.js for the engine's hashFiles.
"""

import re
import runpy
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
ACTIONS = Path(__file__).parent / "actions"
OWNER = "regreen"
REGREEN = f"{OWNER}/regreen"
REPAIR = ".github/workflows/repair.yml"
SOURCE = (ROOT / REPAIR).read_text("utf-8")
RELEASE = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
JOBS = yaml.safe_load(SOURCE)["jobs"]

STAND_INS = {
    "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1": "checkout",
    "actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97": "setup-python",
    "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f": "upload-artifact",
    "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c": "download-artifact",
    "actions/create-github-app-token@1b10c78c7865c340bc4f6099eb2f838309f1e8c3": "create-github-app-token",
    "actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9": "upload-pages-artifact",
    "docker/metadata-action@dc802804100637a589fabce1cb79ff13a1411302": "docker-metadata",
    "docker/build-push-action@53b7df96c91f9c12dcc8a07bcb9ccacbed38856a": "docker-build-push",
    "docker/setup-buildx-action@37fe631027851001ddb9b187196cc803df7f5f0e": "nothing",
    "docker/login-action@4907a6ddec9925e35a0a9e82d7399ccc52663121": "nothing",
    "actions/attest-build-provenance@a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32": "nothing",
    "actions/deploy-pages@cd2ce8fcbc39b97be8ca5fce6e763baed58fa128": "unused",
}


def repair(sha: str) -> str:
    """The reusable workflow, as if it were called at the commit ``sha`` of Regreen."""
    copy = SOURCE.replace("job.workflow_repository ||", f"'{REGREEN}' ||")
    copy = copy.replace("job.workflow_sha }}", f"'{sha}' }}}}")
    for job in reversed(JOBS):
        before, begin, rest = copy.partition(f"\n  {job}:\n")
        copy = before + begin + rest.replace("|| github.token }}", f"|| vars.{variable(job)} }}}}")
    return copy


def variable(job: str) -> str:
    """What holds the token of a job."""
    return f"TOKEN_{job.upper()}"


def release(*, registry: str, server: str) -> str:
    """The release, to a ``registry`` and a git ``server`` of the tests, both as host and port."""
    copy = RELEASE.replace("ghcr.io", registry)
    return copy.replace(
        "https://x-access-token:$TOKEN@github.com/", f"http://x-access-token:$TOKEN@{server}/"
    )


def example(name: str) -> str:
    """One of the examples, as somebody has it who copied it."""
    return (ROOT / "examples/workflows" / name).read_text("utf-8").replace("OWNER/", f"{OWNER}/")


def named(source: str, word: str) -> str:
    """A workflow whose containers no other run has."""
    return re.sub(r"(?m)^(name: .*)$", rf"\1 {word}", source, count=1)


def action(image: str) -> str:
    """``action.yml``, which runs ``image``."""
    return runpy.run_path(str(ROOT / "docs/action.py"))["action"](f"docker://{image}")


def used(source: str) -> set[str]:
    """The actions of other repositories that a workflow uses, with their pins."""
    return set(re.findall(r"uses: ((?!OWNER|regreen/)[\w.-]+/[\w./-]+@\S+)", source))
