"""How coding agents are called: the profiles that come with Regreen, and those that people write."""

import json
import re

import pytest
from every_case import every_case

from bot.backends.coding_agents.agent_profile import AgentCall, load, names, read
from bot.errors import ConfigurationError

OWN = "name: own\ncommand: [own, '{with_model}', --file, '{task_file}', '{files}']\n"
CALL = AgentCall(
    task="Repair it.", task_file="/home/task.md", model="m", base_url="http://h/v1", files=["a.py", "b.py"]
)


@every_case("name", names())
def test_each_profile_that_comes_with_regreen_can_be_used(name):
    profile = load(name)
    assert profile.name == name
    assert profile.install
    words = profile.words(CALL, turn=1)
    assert "m" in words
    assert profile.words(CALL, turn=2)
    assert not [word for word in words if re.search(r"\{\w+\}", word)]


def test_a_command_is_an_agent_with_nothing_else():
    profile = load("./my-agent --fast '{task_file}'")
    assert (profile.name, profile.variables) == ("my-agent", ())
    assert profile.words(CALL, turn=1) == ["./my-agent", "--fast", "/home/task.md"]


def test_placeholders_are_arguments_of_their_own():
    profile = read(OWN + "with_model: [--model, 'openai/{model}']\n", "own.yaml")
    assert profile.words(CALL, turn=1) == [
        "own",
        "--model",
        "openai/m",
        "--file",
        "/home/task.md",
        "a.py",
        "b.py",
    ]
    nameless = AgentCall(task_file="t")
    assert profile.words(nameless, turn=3) == ["own", "--file", "t"]


def test_a_server_of_ones_own_is_named_only_where_there_is_one():
    own = "name: own\ncommand: [own, '{with_base_url}']\nwith_base_url: [--server, '{base_url}']\n"
    profile = read(
        own + "settings: {SERVER: 'at {base_url}', MODE: fast, NAME: '{model_name}'}\n", "own.yaml"
    )
    assert profile.words(CALL, turn=1) == ["own", "--server", "http://h/v1"]
    assert profile.set_here(CALL) == {"SERVER": "at http://h/v1", "MODE": "fast", "NAME": "m"}
    elsewhere = AgentCall(model="provider/some/name")
    assert profile.words(elsewhere, turn=1) == ["own"]
    assert profile.set_here(elsewhere) == {"MODE": "fast", "NAME": "some/name"}


def test_codex_and_opencode_get_the_server_in_their_own_configuration():
    server = 'model_providers.server={name="server", base_url="http://h/v1", env_key="OPENAI_API_KEY"'
    for turn in (1, 2):
        words = load("codex").words(CALL, turn=turn)
        assert any(word.startswith(server) for word in words)
        assert 'sandbox_mode="danger-full-access"' in words, "else it may not write in a second turn"
        assert words[-1] == "-"
    call = AgentCall(model="server/m", base_url="http://h/v1")
    given = json.loads(load("opencode").set_here(call)["OPENCODE_CONFIG_CONTENT"])
    assert given["provider"]["server"]["options"]["baseURL"] == "http://h/v1"
    assert given["provider"]["server"]["models"] == {"m": {}}
    assert given["small_model"] == "server/m"
    assert load("opencode").set_here(AgentCall(model="anthropic/m")) == {}


def test_turns_after_the_first_have_a_command_of_their_own():
    profile = read(OWN + "again: [own, --continue, '{task}']\n", "own.yaml")
    assert profile.words(CALL, turn=2) == ["own", "--continue", "Repair it."]


def test_what_is_put_in_is_not_read_again():
    profile = read("name: own\ncommand: [own, '{task}']\n", "own.yaml")
    assert profile.words(AgentCall(task="{model} {files}", model="m"), turn=1) == ["own", "{model} {files}"]


@every_case(
    "said, dollars",
    [
        ("Cost: $0.02 message, $0.05 session.\nCost: $0.01 message, $0.06 session.", 0.06),
        ("Cost: $0.02 message, $1.2.3 session", 0.0),
        ("nothing", 0.0),
    ],
)
def test_the_last_cost_that_is_printed_counts(said, dollars):
    assert load("aider").dollars(said) == dollars


@every_case(
    "text, problem",
    [
        ("- a list", "no mapping"),
        ("{", "no YAML"),
        ("name: own\n", "command: Field required"),
        ("name: own\ncommand: []\n", "command"),
        ("name: '../own'\ncommand: [own]\n", "name"),
        (OWN + "colour: red\n", "colour: Extra inputs"),
        (OWN + "again: [own, '{secret}']\n", "unknown placeholder in '{secret}'; known: {base_url}"),
        (OWN + "variables: [GITHUB_TOKEN]\n", "the variable GITHUB_TOKEN is not for an agent"),
        (OWN + "variables: [gh_token]\n", "the variable gh_token is not for an agent"),
        (OWN + "settings: {LD_PRELOAD: /tmp/x.so}\n", "the variable LD_PRELOAD is not for an agent"),
        (OWN + "cost: '('\n", "cost is no regular expression"),
        (OWN + "cost: 'dollars'\n", "cost needs one group"),
    ],
)
def test_a_profile_that_cannot_be_used_is_refused_by_name(text, problem):
    with pytest.raises(ConfigurationError) as refused:
        read(text, "own.yaml")
    assert "own.yaml" in str(refused.value)
    assert problem in str(refused.value)


def test_no_agent_and_no_file_are_said(tmp_path):
    with pytest.raises(
        ConfigurationError,
        match="needs --agent: aider, claude, codex, mini-swe-agent, mini-swe-agent-text, opencode",
    ):
        load("")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load(str(tmp_path / "missing.yaml"))
    (tmp_path / "large.yaml").write_text("#" * 200_000)
    with pytest.raises(ConfigurationError, match="longer than"):
        load(str(tmp_path / "large.yaml"))
    with pytest.raises(ConfigurationError, match="No closing quotation"):
        load("own 'a")
