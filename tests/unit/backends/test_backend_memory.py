"""What servers can do is remembered for a week, and a file that is broken changes nothing."""

import json

import pytest

from bot.backends.abilities import Abilities
from bot.backends.memory import LIFETIME_S, AbilityMemory

PLAIN = Abilities(shape="none", tools=False, context_tokens=4096)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "models" / "abilities.json"


def at(path, now=1_000_000.0):
    return AbilityMemory(path, now=lambda: now)


def test_other_processes_know_it_too(path):
    at(path).learn("here m", PLAIN)
    assert at(path).recall("here m") == PLAIN
    assert at(path).recall("here n") == Abilities()


def test_it_grows_old_and_a_clock_that_was_set_back_is_no_reason_to_believe(path):
    at(path).learn("m", PLAIN)
    assert at(path, 1_000_000.0 + LIFETIME_S - 1).recall("m") == PLAIN
    for later in (1_000_000.0 + LIFETIME_S, 900_000.0):
        assert at(path, later).recall("m") == Abilities()


def test_what_was_forgotten_is_hoped_for_again(path):
    memory = at(path)
    memory.learn("m", PLAIN)
    memory.forget("m")
    assert memory.recall("m") == at(path).recall("m") == Abilities()


def test_two_processes_do_not_lose_each_others(path):
    one, other = at(path), at(path)
    assert one.recall("a") == other.recall("a")
    one.learn("a", PLAIN)
    other.learn("b", PLAIN)
    assert at(path).recall("a") == at(path).recall("b") == PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"m": null}',
        '{"m": {"learnt_at": 1000000.0, "abilities": {"shape": "round"}}}',
        "\x00" * 100,
    ],
)
def test_a_broken_file_is_no_file(path, text):
    path.parent.mkdir()
    path.write_text(text)
    memory = at(path)
    assert memory.recall("m") == Abilities()
    memory.learn("m", PLAIN)
    assert at(path).recall("m") == PLAIN


def test_one_broken_entry_leaves_the_others(path):
    at(path).learn("m", PLAIN)
    entries = {"other": {"learnt_at": "yesterday"}, **json.loads(path.read_text())}
    path.write_text(json.dumps(entries))
    assert at(path).recall("m") == PLAIN


def test_a_directory_that_cannot_be_written_is_none(tmp_path):
    (tmp_path / "file").touch()
    memory = at(tmp_path / "file" / "abilities.json")
    memory.learn("m", PLAIN)
    assert memory.recall("m") == PLAIN


def test_without_a_file_it_is_remembered_in_this_process():
    memory = AbilityMemory()
    memory.learn("m", PLAIN)
    assert memory.recall("m") == PLAIN
