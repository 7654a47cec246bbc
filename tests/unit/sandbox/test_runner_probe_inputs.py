"""The inputs of a probe: what tests called, and variations of it."""

from typing import Optional

from sandbox.runner.probe_inputs import make_inputs, promised_values
from sandbox.runner.probe_recorder import Call


def greet(name: "str | None", times=2, *, mark: Optional[str] = "!", where=object()):  # noqa: B008, UP045
    return f"{name}{mark}" * times


def broken(name: "no_such_name[" = 3):  # noqa: F722
    return name


def test_a_signature_promises_its_defaults_and_none():
    assert promised_values(greet) == {0: [None], 1: [2], "mark": ["!", None], "where": []}
    assert promised_values(broken) == {0: [3]}
    assert promised_values(len) in ({}, {0: []})
    assert promised_values(3) == {}


def test_promised_values_are_tried_first_and_are_near():
    call = Call(0, ("ada", 3), {"mark": "?", "where": 1})
    inputs = make_inputs([call], ["greet"], {0: promised_values(greet)})
    texts = [entry.text for entry in inputs if entry.near]
    assert texts[0] == "greet('ada', 3, mark='?', where=1)"
    assert texts[1] == "greet(None, 3, mark='?', where=1)"
    assert {"greet('ada', 2, mark='?', where=1)", "greet('ada', 3, mark='!', where=1)"} <= set(texts[2:6])
    assert "greet('ada', 3, mark=None, where=1)" in texts
    assert len(texts) == len(set(texts))


def test_without_a_signature_there_are_variations_all_the_same():
    assert len(make_inputs([Call(0, (1,), {})], ["f"])) == 5
