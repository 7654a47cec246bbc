"""The command line: what goes to which stream, and which exit status an end has."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cli_support import NO_PATCH, SOURCE, lines

from bot import cli
from bot.commands.printing import escaped
from bot.domain import Baseline, Patch, SpanEdit
from bot.ending import unwind_on
from bot.errors import (
    ConfigurationError,
    ContextOverflow,
    DeliveryError,
    GitHubError,
    MachineError,
    ModelUnavailable,
    RegreenError,
)
from bot.result import Evidence, Outcome, RepairResult
from sandbox.errors import ArchiveRefused, SandboxLost, SandboxUnavailable
from sandbox.reports import TestResult, TestStatus

FIXED = b"a = 2 # \xff\n"


DIFF = "--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-a = 1 # \udcff\n+a = 2 # \udcff\n"


PATCHED = RepairResult(
    outcome=Outcome.PATCHED,
    reason="verified",
    baseline=Baseline(failing=(TestResult(test="t.py::a", status=TestStatus.FAILED),), runs=3),
    patch=Patch(edits=(SpanEdit(path="m.py", start=4, end=5, replacement="2"),)),
    diff=DIFF,
    explanation="1 -> 2",
    evidence=Evidence(
        fail_to_pass=("t.py::a",),
        pass_to_pass=("t.py::b",),
        repeats=3,
        sandbox="bubblewrap",
        isolated=True,
        seconds=1.0,
    ),
)


def test_a_patch_goes_to_standard_output_byte_for_byte(fix):
    status, out, err = fix(PATCHED)
    assert status == 0
    assert out == DIFF.encode("utf-8", "surrogateescape")
    assert "Verified" in err


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.PATCHED])
def test_no_patch_says_why_on_standard_error_and_ends_in_1(fix, outcome, tmp_path):
    target = tmp_path / "fix.patch"
    status, out, err = fix(replace(NO_PATCH, outcome=outcome), "--output", target)
    assert (status, out) == (1, b"")
    assert lines(err) == [f"no patch ({outcome.value}): nothing helps"]
    assert not target.exists()


def test_json_is_all_that_goes_to_standard_output_and_no_patch_still_says_why_to_people(fix):
    status, out, err = fix(PATCHED, "--json")
    report = json.loads(out)
    assert (status, report["outcome"], report["diff"], err) == (0, "patched", DIFF, "")
    status, out, err = fix(NO_PATCH, "--json")
    assert (status, json.loads(out)["reason"]) == (1, "nothing helps")
    assert "nothing helps" in err


def test_output_writes_a_file_or_else_the_diff_is_not_lost(fix, tmp_path):
    target = tmp_path / "fix.patch"
    status, out, _ = fix(PATCHED, "--output", target)
    assert (status, out) == (0, b"")
    assert target.read_bytes() == DIFF.encode("utf-8", "surrogateescape")
    status, out, err = fix(PATCHED, "--output", tmp_path / "absent" / "fix.patch")
    assert (status, out) == (5, DIFF.encode("utf-8", "surrogateescape"))
    assert "fix.patch" in err


def test_the_working_tree_is_touched_only_when_asked_and_as_it_was_read(fix, project):
    fix(PATCHED)
    assert (project / "m.py").read_bytes() == SOURCE
    assert fix(PATCHED, "--apply")[0] == 0
    assert (project / "m.py").read_bytes() == FIXED
    (project / "m.py").write_bytes(b"mine = True\n")
    status, _, err = fix(PATCHED, "--apply")
    assert status == 5
    assert "m.py was changed while the repair ran" in err
    assert (project / "m.py").read_bytes() == b"mine = True\n"


def test_a_patch_that_a_person_has_to_read_is_shown_and_not_written(fix, project):
    held = replace(PATCHED, warnings=("m.py: new use of tarfile",))
    status, out, err = fix(held, "--apply")
    assert (status, out) == (5, DIFF.encode("utf-8", "surrogateescape"))
    assert "not written into the working tree" in err
    assert "new use of tarfile" in err
    assert (project / "m.py").read_bytes() == SOURCE
    assert fix(held)[0] == 7


def test_a_patch_that_creates_a_file_is_applied(fix, project):
    new = Patch(edits=(SpanEdit(path="new.py", start=0, end=0, replacement="b = 1\n"),))
    assert fix(replace(PATCHED, patch=new), "--apply")[0] == 0
    assert (project / "new.py").read_bytes() == b"b = 1\n"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RegreenError("what"), 1),
        (ConfigurationError("what"), 2),
        (GitHubError("what"), 3),
        (ModelUnavailable("what"), 4),
        (ContextOverflow("what"), 4),
        (DeliveryError("what"), 5),
        (MachineError("what"), 6),
        (SandboxLost("what"), 6),
        (SandboxUnavailable("what"), 6),
        (ArchiveRefused("what"), 6),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_is_one_line_and_its_own_status(fix, error, expected):
    status, out, err = fix(error)
    assert (status, out, lines(err)) == (expected, b"", ["regreen: what"])
    several = type(error)("one\n  two\r\nthree")
    assert lines(fix(several)[2]) == ["regreen: one two three"]


@pytest.mark.parametrize("flag", ["-v", "--verbose"])
def test_an_internal_error_shows_where_only_when_asked(fix, flag):
    status, out, err = fix(ZeroDivisionError("by zero"))
    assert (status, out) == (70, b"")
    (line,) = lines(err)
    assert line.startswith("regreen: internal error: ZeroDivisionError: by zero")
    status, _, err = fix(ZeroDivisionError("by zero"), flag)
    assert status == 70
    assert "Traceback" in err
    assert "conftest.py" in err


def test_an_interrupt(fix):
    status, out, err = fix(KeyboardInterrupt())
    assert (status, out) == (130, b"")
    assert "--resume" in lines(err)[-1]


def test_an_interrupt_of_what_cannot_be_resumed_says_no_more(monkeypatch, capsys):
    def interrupt(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("bot.trajectory.store.files", interrupt)
    assert cli.run(["show", "--list"]) == 130
    assert capsys.readouterr().err.strip() == "regreen: interrupted"


def test_a_termination_unwinds_the_stack_and_a_second_one_does_not_cut_that_short(monkeypatch):
    actions = {}
    monkeypatch.setattr(signal, "signal", actions.__setitem__)
    unwind_on(cli.ENDING_SIGNALS)
    with pytest.raises(SystemExit) as caught:
        actions[signal.SIGTERM](signal.SIGTERM, None)
    assert caught.value.code == 143
    assert actions == dict.fromkeys(cli.ENDING_SIGNALS, signal.SIG_IGN)


def test_a_path_that_does_not_exist(capsys, tmp_path):
    assert cli.run(["fix", str(tmp_path / "gone")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = lines(err)
    assert line.startswith("regreen: not a repository: ")


@pytest.mark.parametrize(
    "options",
    [
        ["fix", "--no-such-option"],
        ["fix", "--strategy", "guess"],
        ["fix", "--sandbox", "vm"],
        ["fix", "--time-budget", "0"],
        ["fix", "--max-attempts", "-1"],
        ["fix", "a", "b"],
        ["fix", "--config", "/no/such/file.yml"],
        ["config", "--strategy", "guess"],
        ["fixx"],
    ],
    ids=" ".join,
)
def test_a_bad_option_is_one_line(capsys, options):
    assert cli.run(options) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = lines(err)
    assert line.startswith("regreen: ")
    assert options[-1] in line or "--help" in line


def test_each_bad_value_has_its_line_and_a_misspelt_option_the_one_that_was_meant(capsys):
    assert cli.run(["fix", "--workers", "0", "--sandbox-memory", "lots"]) == 2
    first, second = lines(capsys.readouterr().err)
    assert first.startswith("regreen: --workers: '0' is not a whole number")
    assert second.startswith("regreen: --sandbox-memory: 'lots' is not a size such as 512m or 2g")
    assert cli.run(["fix", "--sandbox-memry", "1g"]) == 2
    assert "--sandbox-memory" in capsys.readouterr().err


def test_a_full_disk_behind_standard_output_is_said():
    command = "from bot.commands.printing import write_out; write_out(b'x' * 100)"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", command], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert b"DeliveryError: cannot write to standard output" in done.stderr


HOSTILE = "+a\x1b[2J\x9b31m\u202eb\u200bc\u3164\ufe0f\u2800\rd\te\x7f é 한 😀\n"


def test_a_terminal_gets_no_sequence_that_controls_it_or_that_hides_text():
    assert escaped(HOSTILE.encode() + b"\xff\r\n").decode() == (
        "+a\\x1b[2J\\x9b31m\\u202eb\\u200bc\\u3164\\ufe0f\\u2800\\x0dd\te\\x7f é 한 😀\n\\xff\n"
    )


@pytest.mark.parametrize("terminal", [True, False], ids=["a terminal", "a pipe"])
def test_a_hostile_diff_is_escaped_on_a_terminal_and_whole_in_a_pipe(fix, monkeypatch, terminal):
    result = replace(PATCHED, diff=HOSTILE)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    _, out, _ = fix(result)
    assert out == (escaped(HOSTILE.encode()) if terminal else HOSTILE.encode())


def test_a_reader_that_has_seen_enough_is_no_error():
    command = "from bot.commands.printing import write_out; write_out(b'x' * 1_000_000); write_out(b'more')"
    with subprocess.Popen(
        [sys.executable, "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as done:
        done.stdout.close()
        assert done.stderr.read() == b""
    assert done.returncode == 0
