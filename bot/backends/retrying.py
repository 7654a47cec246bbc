"""Asking again after a failure that may pass: with another key, or after a wait. Waiting is tenacity's."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from bot.backends.failures import ModelFailure, Refused
from bot.backends.keys import KeyRing
from bot.ports import Clock

if TYPE_CHECKING:
    from tenacity import RetryCallState

Reply = TypeVar("Reply")
RETRIES = 4
FIRST_WAIT_S, LONGEST_WAIT_S, JITTER_S = 0.5, 30.0, 0.5
# Without an end to the run, a server that asks for more patience than this does not get it.
PATIENCE_S = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPatience:
    """How patient to be: ``retries`` after a first failure, within the ``remaining`` seconds of the run."""

    retries: int = RETRIES
    remaining: Callable[[], float] = lambda: math.inf
    clock: Clock = time.monotonic
    sleep: Callable[[float], None] = time.sleep


def ask_again(
    ask: Callable[[str], Reply], *, keys: KeyRing, asking: RetryPatience, notify: Callable[[str], None]
) -> Reply:
    """What ``ask`` gives for a key, after as many tries as are worth it.

    Raises:
        ModelFailure: the last one, where asking again does not help or there is no time for it.
    """
    from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

    if keys.refusal and keys.wait_s() == math.inf:
        raise keys.refusal
    backoff = wait_exponential_jitter(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S, jitter=JITTER_S)

    # A key that is refused or limited costs a try; it must not cost those of the others.
    tries = stop_after_attempt(asking.retries + len(keys))

    def wait(state: RetryCallState) -> float:
        return _wait_s(_failure(state), backoff(state), keys)

    def say(state: RetryCallState) -> None:
        if state.upcoming_sleep >= 1:
            notify(f"waits {state.upcoming_sleep:.0f} s: {_failure(state)}")

    retrying = Retrying(
        stop=lambda state: tries(state) or state.upcoming_sleep > min(asking.remaining(), PATIENCE_S),
        wait=wait,
        retry=retry_if_exception(lambda error: _worth_it(error, keys)),
        sleep=asking.sleep,
        before_sleep=say,
        reraise=True,
    )
    return retrying(lambda: _with_key(ask, keys))


def _with_key(ask: Callable[[str], Reply], keys: KeyRing) -> Reply:
    key = keys.take()
    try:
        return ask(key)
    except Refused as refusal:
        if refusal.of_key:
            keys.refuse(key, refusal)
        elif refusal.limited:
            keys.rest(key, FIRST_WAIT_S if refusal.retry_after is None else refusal.retry_after)
        raise


def _worth_it(error: BaseException, keys: KeyRing) -> bool:
    if isinstance(error, Refused) and error.of_key:
        return keys.wait_s() < math.inf
    return isinstance(error, ModelFailure) and error.passing


def _wait_s(failure: BaseException | None, backoff_s: float, keys: KeyRing) -> float:
    """Until the server wants to be asked again, or another key is free; else ever longer."""
    if isinstance(failure, Refused):
        if failure.of_key:
            return keys.wait_s()
        if failure.limited and len(keys) > 1:
            free_in_s = keys.wait_s()
            return max(free_in_s, backoff_s) if free_in_s and failure.retry_after is None else free_in_s
        if failure.retry_after is not None:
            return failure.retry_after
    return backoff_s


def _failure(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None
