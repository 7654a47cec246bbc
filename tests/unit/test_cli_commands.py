"""The commands beside fix, and the help."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import NO_PATCH, lines
from click.shell_completion import ShellComplete

from bot import __version__, cli
from bot.config.options import OPTIONS

NODES = ("reproduce", "localise", "propose", "gate", "evaluate", "select", "minimise", "validate", "conclude")


def test_help_tells_the_exit_statuses_and_the_commands(capsys):
    assert cli.run(["--help"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    for part in ("Exit status: 0 a verified patch, 1 no patch", "fix", "graph"):
        assert part in words
    assert cli.run(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


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
