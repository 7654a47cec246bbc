"""What is read out of trajectories, whole ones and what a kill left of others."""

import json

from benchmarks.turns import FirstTurn, events, first_turn


def test_the_first_turn_may_ask_more_than_once(tmp_path):
    path = tmp_path / "one.jsonl"
    said = [
        {"kind": "run"},
        {"kind": "prompt", "turn": 1, "messages": []},
        {"kind": "reply", "turn": 1, "prompt_tokens": 500},
        {"kind": "reply", "turn": 1, "prompt_tokens": 150},
        {"kind": "reply", "turn": 2, "prompt_tokens": 700},
    ]
    path.write_text("".join(json.dumps(event) + "\n" for event in said) + '{"kind": "re', "utf-8")
    assert first_turn(path) == FirstTurn(first_prompt_tokens=500, prompt_tokens=650)


def test_what_cannot_be_read_tells_nothing(tmp_path):
    path = tmp_path / "one.jsonl"
    assert first_turn(path) is None
    path.write_bytes(b"\xff\n[]\n1\n\n{}\n")
    assert list(events(path)) == [{}]
    assert first_turn(path) is None
    path.write_text('{"kind": "reply", "prompt_tokens": "many"}', "utf-8")
    assert first_turn(path) == FirstTurn(first_prompt_tokens=0, prompt_tokens=0)
