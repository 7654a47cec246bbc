"""When a chat server is asked again: how long is waited, and which key has its turn."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from fakes.chatserver import completion, failure
from fakes.patience import Patience
from openai_support import ASK, KEY, OTHER_KEY

from bot.errors import ModelUnavailable
from bot.ports import ChatRequest


def test_a_date_to_come_back_at(start):
    patience = Patience()
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    limited = failure(429, "slow down", retry_after_ms="", retry_after=date)
    _, backend = start(limited, completion("now"), patience=patience)
    assert backend.complete(ChatRequest(ASK)).text == "now"
    assert patience.slept[0] == pytest.approx(90, abs=5)


@pytest.mark.parametrize("nonsense", ["soon", "nan", "inf", "-5", "", "Mon, 99 Foo 9999 99:99:99 GMT"])
def test_a_time_to_come_back_at_that_is_none(start, nonsense):
    patience = Patience()
    _, backend = start(
        failure(503, "busy", retry_after_ms="", retry_after=nonsense), completion("now"), patience=patience
    )
    assert backend.complete(ChatRequest(ASK)).text == "now"
    assert 0 < patience.slept[0] < 2


def test_waits_grow_and_are_told(start):
    patience, said = Patience(), []
    _, backend = start(
        failure(500, "on fire", retry_after_ms=""), retries=4, patience=patience, notice=said.append
    )
    with pytest.raises(ModelUnavailable, match=r"small answered with status 500: .*on fire"):
        backend.complete(ChatRequest(ASK))
    assert len(patience.slept) == 4
    assert all(base <= slept <= base + 1 for base, slept in zip((0.5, 1, 2, 4), patience.slept, strict=True))
    assert any("waits" in line and "on fire" in line for line in said)


def bearer(server):
    return [head["authorization"].removeprefix("Bearer ") for head in server.heads]


def test_keys_take_turns(start):
    server, backend = start(completion("a"), keys=(KEY, OTHER_KEY))
    for _ in range(4):
        backend.complete(ChatRequest(ASK))
    assert bearer(server) == [KEY, OTHER_KEY, KEY, OTHER_KEY]


def test_a_limited_key_rests_and_another_serves_at_once(start):
    patience = Patience()
    limited = failure(429, "slow down", retry_after_ms="", retry_after="100")
    server, backend = start(limited, completion("a"), keys=(KEY, OTHER_KEY), patience=patience)
    for _ in range(3):
        backend.complete(ChatRequest(ASK))
    assert bearer(server) == [KEY, OTHER_KEY, OTHER_KEY, OTHER_KEY]
    assert sum(patience.slept) == 0
    patience.now += 101
    backend.complete(ChatRequest(ASK))
    backend.complete(ChatRequest(ASK))
    assert KEY in bearer(server)[4:]


def test_all_keys_rest_until_the_first_is_free(start):
    patience = Patience()
    answers = [failure(429, "slow", retry_after_ms="", retry_after=wait) for wait in ("50", "20")]
    server, backend = start(*answers, completion("a"), keys=(KEY, OTHER_KEY), patience=patience)
    assert backend.complete(ChatRequest(ASK)).text == "a"
    assert bearer(server) == [KEY, OTHER_KEY, OTHER_KEY]
    assert sum(patience.slept) == 20


@pytest.mark.parametrize(
    "refusal", [failure(401, "bad key"), failure(429, "You exceeded your current quota"), failure(402, "pay")]
)
def test_a_refused_key_is_left_out_for_good(start, refusal):
    server, backend = start(refusal, completion("a"), keys=(KEY, OTHER_KEY), retries=0)
    for _ in range(3):
        assert backend.complete(ChatRequest(ASK)).text == "a"
    assert bearer(server) == [KEY, OTHER_KEY, OTHER_KEY, OTHER_KEY]


def test_keys_that_are_limited_again_and_again_are_asked_ever_less(start):
    patience = Patience()
    limited = failure(429, "slow", retry_after_ms="")
    _, backend = start(limited, keys=(KEY, OTHER_KEY), retries=6, patience=patience)
    with pytest.raises(ModelUnavailable):
        backend.complete(ChatRequest(ASK))
    assert max(patience.slept) > 8


def test_no_key_is_accepted(start):
    server, backend = start(failure(401, f"Incorrect API key provided: {OTHER_KEY}"), keys=(KEY, OTHER_KEY))
    for _ in range(2):
        with pytest.raises(ModelUnavailable) as caught:
            backend.complete(ChatRequest(ASK))
        assert "check OPENAI_API_KEY" in str(caught.value)
        assert OTHER_KEY not in str(caught.value)
    assert len(server.requests) == 2
