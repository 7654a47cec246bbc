"""The command line: what goes to which stream, and which exit status an end has."""

import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from bot import __version__, cli, compose
from bot.commands.printing import escaped
from bot.config.options import OPTIONS
from bot.domain import Baseline, Patch, SpanEdit
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
from sandbox.snapshot import Entry, Snapshot

SOURCE = b"a = 1 # \xff\n"
FIXED = b"a = 2 # \xff\n"
DIFF = "--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-a = 1 # \udcff\n+a = 2 # \udcff\n"
NO_PATCH = RepairResult(outcome=Outcome.NO_PATCH, reason="nothing helps", attempts=3)
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
NODES = ("reproduce", "localise", "propose", "gate", "evaluate", "select", "minimise", "validate", "conclude")


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "m.py").write_bytes(SOURCE)
    return tmp_path / "project"


@pytest.fixture
def fix(monkeypatch, capfdbinary, project):
    """Run ``regreen fix`` with a repair that ends in ``answer``: a result, or an error to raise."""
    seen = []

    def run(answer, *options):
        def repair(settings, progress):
            seen.append(settings)
            if isinstance(answer, RepairResult):
                snapshot = Snapshot(entries=(Entry(path="m.py", data=SOURCE),))
                return compose.Repaired(result=answer, snapshot=snapshot)
            raise answer

        monkeypatch.setattr(compose, "fix", repair)
        status = cli.run(["fix", str(project), *map(str, options)])
        out, err = capfdbinary.readouterr()
        return status, out, err.decode()

    run.settings = seen
    return run


def lines(text):
    return text.splitlines()


# streams and statuses


def test_a_patch_goes_to_standard_output_byte_for_byte(fix):
    status, out, err = fix(PATCHED)
    assert status == 0
    assert out == DIFF.encode("utf-8", "surrogateescape")
    assert "Verified" in err


def test_no_patch_says_why_on_standard_error(fix):
    status, out, err = fix(NO_PATCH)
    assert (status, out) == (1, b"")
    assert lines(err) == ["no patch (no_patch): nothing helps"]


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.PATCHED])
def test_every_other_outcome_ends_in_1(fix, outcome):
    assert fix(RepairResult(outcome=outcome, reason="so"))[0] == 1


def test_json_is_all_that_goes_to_standard_output(fix):
    status, out, err = fix(PATCHED, "--json")
    report = json.loads(out)
    assert (status, report["outcome"], report["diff"]) == (0, "patched", DIFF)
    assert err == ""


def test_json_of_no_patch_still_says_why_to_people(fix):
    status, out, err = fix(NO_PATCH, "--json")
    assert (status, json.loads(out)["reason"]) == (1, "nothing helps")
    assert "nothing helps" in err


def test_output_writes_a_file_and_nothing_to_standard_output(fix, tmp_path):
    target = tmp_path / "fix.patch"
    status, out, _ = fix(PATCHED, "--output", target)
    assert (status, out) == (0, b"")
    assert target.read_bytes() == DIFF.encode("utf-8", "surrogateescape")


def test_output_of_no_patch_writes_no_file(fix, tmp_path):
    target = tmp_path / "fix.patch"
    assert fix(NO_PATCH, "--output", target)[:2] == (1, b"")
    assert not target.exists()


def test_the_working_tree_is_touched_only_when_asked(fix, project):
    fix(PATCHED)
    assert (project / "m.py").read_bytes() == SOURCE
    assert fix(PATCHED, "--apply")[0] == 0
    assert (project / "m.py").read_bytes() == FIXED


def test_a_patch_that_a_person_has_to_read_is_shown_and_not_written(fix, project):
    held = replace(PATCHED, warnings=("m.py: new use of tarfile",))
    status, out, err = fix(held, "--apply")
    assert (status, out) == (5, DIFF.encode("utf-8", "surrogateescape"))
    assert "not written into the working tree" in err
    assert "new use of tarfile" in err
    assert (project / "m.py").read_bytes() == SOURCE
    assert fix(held)[0] == 0


def test_a_working_tree_that_changed_is_left_alone(fix, project):
    (project / "m.py").write_bytes(b"mine = True\n")
    status, _, err = fix(PATCHED, "--apply")
    assert status == 5
    assert "m.py was changed while the repair ran" in err
    assert (project / "m.py").read_bytes() == b"mine = True\n"


def test_a_patch_that_creates_a_file_is_applied(fix, project):
    created = RepairResult(
        outcome=Outcome.PATCHED,
        reason="verified",
        patch=Patch(edits=(SpanEdit(path="new.py", start=0, end=0, replacement="b = 1\n"),)),
        diff=DIFF,
        evidence=PATCHED.evidence,
    )
    assert fix(created, "--apply")[0] == 0
    assert (project / "new.py").read_bytes() == b"b = 1\n"


def test_the_options_reach_the_repair(fix):
    fix(NO_PATCH, "--strategy", "react", "--model", "m", "--time-budget", "9", "--max-attempts", "4")
    (settings,) = fix.settings
    assert (settings.strategy, settings.model, settings.time_budget) == ("react", "m", 9.0)
    assert settings.max_attempts == 4


# errors


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


def test_a_message_of_many_lines_becomes_one(fix):
    assert lines(fix(MachineError("one\n  two\r\nthree"))[2]) == ["regreen: one two three"]


@pytest.mark.parametrize("flag", ["-v", "--verbose"])
def test_an_internal_error_shows_where_only_when_asked(fix, flag):
    status, out, err = fix(ZeroDivisionError("by zero"))
    assert (status, out) == (70, b"")
    (line,) = lines(err)
    assert line.startswith("regreen: internal error: ZeroDivisionError: by zero")
    status, _, err = fix(ZeroDivisionError("by zero"), flag)
    assert status == 70
    assert "Traceback" in err
    assert "test_cli.py" in err


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
    ignored = set()
    monkeypatch.setattr(signal, "signal", lambda number, action: ignored.add((number, action)))
    with pytest.raises(SystemExit) as caught:
        cli._terminate(signal.SIGTERM, None)
    assert caught.value.code == 143
    assert ignored == {(signal.SIGTERM, signal.SIG_IGN), (signal.SIGHUP, signal.SIG_IGN)}


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


def test_each_bad_value_has_its_line(capsys):
    assert cli.run(["fix", "--workers", "0", "--sandbox-memory", "lots"]) == 2
    first, second = lines(capsys.readouterr().err)
    assert first.startswith("regreen: --workers: '0' is not a whole number")
    assert second.startswith("regreen: --sandbox-memory: 'lots' is not a size such as 512m or 2g")


def test_a_misspelt_option_is_answered_with_the_one_that_was_meant(capsys):
    assert cli.run(["fix", "--sandbox-memry", "1g"]) == 2
    assert "--sandbox-memory" in capsys.readouterr().err


# the other commands


def test_help_tells_the_exit_statuses(capsys):
    assert cli.run(["--help"]) == 0
    out, _ = capsys.readouterr()
    words = " ".join(out.split())
    assert "Exit status: 0 a verified patch, 1 no patch" in words
    assert "fix" in words
    assert "graph" in words


def test_every_option_of_fix_has_its_help(capsys):
    assert cli.run(["fix", "--help"]) == 0
    out, _ = capsys.readouterr()
    assert all(parameter.help for parameter in cli.fix.params if parameter.param_type_name == "option")
    assert "git apply" in out
    headings = [line for line in lines(out) if line.endswith(":") and not line.startswith(" ")]
    groups = list(dict.fromkeys(option.group for option in OPTIONS if option.on_command_line))
    assert headings == ["This run:", *[f"{group}:" for group in groups]]
    for option in OPTIONS:
        shown = re.search(rf"{option.flag}[ ,]", out) is not None
        assert shown == option.on_command_line, option.name
    assert len(lines(out)) <= 80, "one and a half screens"


def test_the_command_line_and_the_action_have_at_most_40_options():
    own = [option for option in OPTIONS if option.is_input and not option.on_command_line]
    flags = [parameter for parameter in cli.fix.params if parameter.param_type_name == "option"]
    assert len(flags) + len(own) <= 40
    long = [option.name for option in OPTIONS if len(option.help.split()) > 12]
    assert not long, "a help text has at most 12 words"


def test_an_experts_option_on_the_command_line_says_where_to_set_it(capsys):
    assert cli.run(["fix", "--max-cost=5"]) == 2
    assert "set max-cost in a file given with --config, or REGREEN_MAX_COST" in capsys.readouterr().err


def test_the_shell_completes_what_can_be_chosen():
    words = ShellComplete(cli.cli, {}, "regreen", "_C").get_completions(["fix", "--sandbox"], "b")
    assert [word.value for word in words] == ["bubblewrap"]


def test_the_older_name_of_an_option_still_works(fix):
    fix(NO_PATCH, "--python", "/usr/bin/python3")
    assert fix.settings[0].sandbox_python == "/usr/bin/python3"


@pytest.fixture
def alone(monkeypatch):
    """The environment without anything that configures Regreen."""
    for name in list(os.environ):
        if name.startswith(("REGREEN_", "INPUT_", "OPENAI_")):
            monkeypatch.delenv(name)
    return monkeypatch


def test_the_configuration_is_listed_with_its_origins_and_without_keys(capsysbinary, alone, tmp_path):
    alone.setenv("OPENAI_API_KEY", "sk-secret")
    alone.setenv("REGREEN_WORKRES", "4")
    file = tmp_path / "regreen.yml"
    file.write_text("sandbox-memory: 1g\n")
    assert cli.run(["config", "--config", str(file), "--time-budget", "10m"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    rows = {line.split()[0]: line.split()[1:] for line in lines(shown) if line.startswith("  ")}
    assert rows["time-budget"] == ["10m", "--time-budget"]
    assert rows["sandbox-memory"] == ["1g", f"{file}:1"]
    assert rows["api-key"] == ["***", "OPENAI_API_KEY"]
    assert rows["strategy"] == ["search", "default"]
    assert "REGREEN_WORKRES: there is no option 'WORKRES'; did you mean workers?" in shown
    assert "sk-secret" not in shown


def test_the_configuration_as_data(capsysbinary, alone):
    alone.setenv("REGREEN_SANDBOX_DISK", "1g")
    assert cli.run(["config", "--json"]) == 0
    report = json.loads(capsysbinary.readouterr().out)
    assert list(report["options"]) == [option.name for option in OPTIONS]
    assert report["options"]["sandbox-disk"] == {"value": 1024, "origin": "REGREEN_SANDBOX_DISK"}
    assert report["unread_variables"] == []


def test_the_version(capsys):
    assert cli.run(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize(("strategy", "inside"), [("search", ["draw"]), ("react", ["think", "patch"])])
def test_the_graph_names_every_node(capsys, strategy, inside):
    assert cli.run(["graph", "--strategy", strategy]) == 0
    out, _ = capsys.readouterr()
    assert "graph TD" in out
    for node in (*NODES, *inside):
        assert node in out


def test_the_help_loads_no_heavy_library():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bot", "--help"],
        cwd=Path(cli.__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in lines(done.stderr) if "|" in line}
    assert {"bot", "click"} <= loaded
    assert not loaded & {
        "langgraph",
        "langchain_core",
        "openai",
        "docker",
        "pydantic",
        "rich",
        "jinja2",
        "yaml",
    }


def test_a_diff_that_cannot_be_written_to_its_file_is_not_lost(fix, tmp_path):
    status, out, err = fix(PATCHED, "--output", tmp_path / "absent" / "fix.patch")
    assert status == 5
    assert out == DIFF.encode("utf-8", "surrogateescape")
    assert "fix.patch" in err


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
    result = dataclasses.replace(PATCHED, diff=HOSTILE)
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
