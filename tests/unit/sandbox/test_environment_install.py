"""What the installer inside a build asks for and leaves out, with a program in the place of uv."""

import sys

import pytest
from every_case import every_case

from sandbox.environment.install import Failed, Installer, project, relaxed, without_hashes, years_after

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


def test_a_release_that_was_uploaded_again_is_not_too_new(tmp_path):
    program = (
        "import sys\n"
        f"print(*sys.argv[1:], file=open({str(tmp_path / 'log')!r}, 'a'))\n"
        "newer = [name for name in ('aa', 'bb') if name + '=' not in ' '.join(sys.argv)]\n"
        "sys.exit(f'hint: `{newer[0]}` was filtered by `exclude-newer` to only include' if newer else 0)\n"
    )
    installer = Installer([sys.executable, "-c", program], ["-c", "pins"], needs_compiler=False)
    assert installer.run(["old"]) == ""
    runs = [line.split() for line in (tmp_path / "log").read_text().splitlines()]
    assert [run.count("--exclude-newer-package") for run in runs] == [0, 1, 2]
    assert all(run[-3:] == ["-c", "pins", "old"] for run in runs)
    assert installer.run(["other"]) == "", "they stay admitted"
    assert len((tmp_path / "log").read_text().splitlines()) == 4


def test_the_plans_day_is_lifted_by_as_little_as_will_do(tmp_path):
    program = (
        "import sys\n"
        f"print(*sys.argv[1:], file=open({str(tmp_path / 'log')!r}, 'a'))\n"
        "late = 'aa=2016-02-28' in sys.argv\n"
        "which = '-package' * ('aa=2013-02-28' in sys.argv)\n"
        "sys.exit(0 if late else f'hint: `aa` was filtered by `exclude-newer{which}` to only include')\n"
    )
    command = [sys.executable, "-c", program, "--exclude-newer", "2012-02-29"]
    assert Installer(command, [], needs_compiler=False).run(["old"]) == ""
    days = [line.split()[3:-1] for line in (tmp_path / "log").read_text().splitlines()]
    assert days == [[], ["aa=2013-02-28"], ["aa=2016-02-28"]]
    assert years_after("2012-02-29", 400) == years_after("", 1) > "2026-01-01"


def test_a_package_that_stays_too_new_ends_the_trials(tmp_path):
    program = "import sys\nsys.exit('hint: `aa` was filtered by `exclude-newer` to only include packages')\n"
    installer = Installer([sys.executable, "-c", program], [], needs_compiler=False)
    assert "was filtered" in installer.run(["old"])


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


UNREACHABLE = "urllib.error.URLError: <urlopen error [Errno -2] Name or service not known>"


def test_what_a_build_wants_of_the_network_is_no_index_that_cannot_be_reached():
    said = f"The build backend returned an error\nTraceback (most recent call last):\n  x = 1\n{UNREACHABLE}"
    program = f"import sys\nsys.exit({said!r})\n"
    installer = Installer([sys.executable, "-c", program], [], needs_compiler=False)
    project(installer, {"attempts": [["."], ["--no-deps", "."]], "metadata": None})
    assert [(one["part"], one["reason"]) for one in installer.left_out] == [("the project", UNREACHABLE)]
    index = f"import sys\nsys.exit({'error: dns error: Name or service not known'!r})\n"
    with pytest.raises(Failed, match="the package index cannot be reached"):
        Installer([sys.executable, "-c", index], [], needs_compiler=False).run(["six"])
