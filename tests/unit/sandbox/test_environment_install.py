"""What the installer inside a build asks for and leaves out, with a program in the place of uv."""

import sys

import pytest
from every_case import every_case

from sandbox.environment.install import Installer, relaxed, without_hashes

LOCKED = "six==1.0 ; python_version > '3' --hash=sha256:aa --hash=sha256:bb"
# Fails where a line that it is given holds the word, as an installer does that cannot find a release.
PROGRAM = """
import sys
lines = open(sys.argv[sys.argv.index("-r") + 1]).read().splitlines() if "-r" in sys.argv else sys.argv[1:]
with open({log!r}, "a") as log:
    print(*lines, sep="|", file=log)
sys.exit(any({bad!r} in line for line in lines))
"""


@pytest.fixture
def asked(tmp_path):
    """Installs ``lines`` where those with ``bad`` in them fail: what was asked for, and what was left out."""

    def asked(*lines, bad="gone"):
        (tmp_path / "part.txt").write_text("\n".join(lines) + "\n")
        program = PROGRAM.format(log=str(tmp_path / "log"), bad=bad)
        installer = Installer([sys.executable, "-c", program], [], needs_compiler=False)
        assert installer.part({"name": "a part", "path": str(tmp_path / "part.txt")})
        assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "part.txt"], "no file is left"
        return (tmp_path / "log").read_text().splitlines(), installer.left_out

    return asked


def test_lines_keep_their_hashes_which_only_a_file_may_hold(asked):
    assert asked(LOCKED, "attrs") == ([f"{LOCKED}|attrs"], [])


@pytest.mark.slow
def test_one_line_that_fails_costs_no_other_and_is_named_without_its_hashes(asked):
    runs, left_out = asked(LOCKED, "gone==2 --hash=sha256:cc", "attrs")
    assert LOCKED in {line for run in runs for line in run.split("|")}
    assert [one["requirement"] for one in left_out] == ["gone==2"]


def test_another_release_is_taken_where_the_one_with_the_hash_is_gone(asked):
    runs, left_out = asked("six==1.0 --hash=sha256:aa", bad="==1.0")
    assert runs[-1] == "six"
    assert left_out[0]["requirement"] == "six==1.0"
    assert left_out[0]["reason"].startswith("six was installed instead")


@every_case(
    ("line", "plain", "instead"),
    [
        (LOCKED, "six==1.0 ; python_version > '3'", "six ; python_version > '3'"),
        ("six", "six", ""),
        ("six @ file:///x --hash=sha256:aa", "six @ file:///x", "six"),
    ],
)
def test_a_line_without_its_hashes_and_without_its_version(line, plain, instead):
    assert without_hashes(line) == plain
    assert relaxed(line) == instead
