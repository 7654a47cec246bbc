"""What is read out of trajectories, whole ones and what a kill left of others."""

import json

from benchmarks.runs.turns import first_turn


def test_the_first_turn_may_ask_more_than_once(tmp_path):
    path = tmp_path / "one.jsonl"
    assert first_turn(path) is None
    said = [
        {"kind": "run"},
        {"kind": "prompt", "turn": 1, "messages": []},
        {"kind": "reply", "turn": 1, "prompt_tokens": 500},
        {"kind": "reply", "turn": 1, "prompt_tokens": 150},
        {"kind": "reply", "turn": 2, "prompt_tokens": 700},
    ]
    path.write_text("".join(json.dumps(event) + "\n" for event in said) + '{"kind": "re', "utf-8")
    assert first_turn(path) == {"first_prompt_tokens": 500, "prompt_tokens": 650}
