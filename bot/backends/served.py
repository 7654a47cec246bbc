"""``ChatBackend`` over any transport: asks, asks again where that may help, learns what a server can do."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from bot.backends.abilities import Abilities, is_overflow, lesser
from bot.backends.assembly import Assembly, estimated_tokens
from bot.backends.failures import Broken, ModelFailure, PromptTooLong, Refused
from bot.backends.keys import KeyRing
from bot.backends.prices import FREE, Price
from bot.backends.retrying import RetryPatience, ask_again
from bot.backends.transport import Transport
from bot.backends.wire import body, infill_body
from bot.domain import Usage
from bot.errors import ContextOverflow, ModelUnavailable
from bot.patch.text import one_line
from bot.ports import ChatRequest, Completion, InfillRequest
from bot.scrub import Scrubber, secrets_of_address

PROGRESS_EVERY_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to advise a user when the model cannot be had: ``key`` for its key, ``place`` for its address."""

    key: str = "check the key"
    place: str = "check the address"


@dataclass(kw_only=True, eq=False, repr=False)
class ServedBackend:
    """A model behind ``transport``.

    ``listen`` hears how many tokens have come, again and again; ``notice`` what is waited for, and why.
    ``given_context`` is the user's word on the context, where there is one. ``called`` is the server's name
    of the model, where that is another. ``abilities`` is what the server is believed to do for this model.
    """

    model: str
    transport: Transport
    keys: KeyRing
    asking: RetryPatience = field(default_factory=RetryPatience)
    price: Price = FREE
    given_context: int = 0
    called: str = ""
    listen: Callable[[str], None] = lambda _: None
    notice: Callable[[str], None] = lambda _: None
    advice: Advice = field(default_factory=Advice)
    abilities: Abilities = field(default_factory=Abilities, init=False)

    def __post_init__(self) -> None:
        self.called = self.called or self.model
        self._scrub = Scrubber([*self.keys.secrets, *secrets_of_address(self.endpoint)])

    @property
    def endpoint(self) -> str:
        """Where the model is served."""
        return self.transport.endpoint

    @cached_property
    def context_tokens(self) -> int:
        """See ``ChatBackend.context_tokens``; the server is asked once."""
        if self.given_context:
            return self.given_context
        with suppress(ModelFailure):
            return self.transport.context_tokens(self.called, key=self.keys.take())
        return 0

    def complete(self, request: ChatRequest) -> Completion:
        """See ``ChatBackend.complete``."""
        shown = [message.content for message in request.messages]
        return self._completion(lambda key: self._ask(request, key), shown)

    def infill(self, request: InfillRequest) -> Completion | None:
        """See ``ChatBackend.infill``; a server that refuses once is not asked again."""
        if not self.abilities.infill:
            return None

        def fill(key: str) -> Assembly:
            try:
                reply = self._receive(infill_body(request), key)
            except (Refused, Broken) as failure:
                if failure.passing:
                    raise
                reply = Assembly()
            self.abilities = replace(self.abilities, infill=reply.is_infill)
            return reply

        reply = self._completion(fill, [request.before, request.after])
        return reply if self.abilities.infill else None

    def close(self) -> None:
        """Let go of what the transport holds."""
        self.transport.close()

    def _ask(self, request: ChatRequest, key: str) -> Assembly:
        """One reply, with fewer wishes where the server refuses some; what it can do is remembered."""
        abilities = self.abilities
        while True:
            asked = body(self.called, request, abilities)
            try:
                reply = self._receive(asked, key)
            except Refused as refusal:
                if is_overflow(refusal.status, refusal.words):
                    raise PromptTooLong(refusal.words) from refusal
                less = lesser(abilities, asked, refusal)
                if less is None:
                    raise
                abilities = less
                continue
            self.abilities = abilities
            return reply

    def _receive(self, asked: Mapping[str, Any], key: str) -> Assembly:
        reply = Assembly()
        shown = -math.inf
        with closing(cast("Any", self.transport.send(asked, key=key))) as pieces:
            for piece in pieces:
                reply.add(piece)
                if reply.full:
                    break
                if self.asking.clock() - shown >= PROGRESS_EVERY_S:
                    shown = self.asking.clock()
                    self.listen(f"{self.model}: {reply.pieces} tokens so far")
        reply.close()
        return reply

    def _completion(self, ask: Callable[[str], Assembly], shown: Sequence[str]) -> Completion:
        """What ``ask`` gives for a key, asked again where that helps; it shows the model ``shown``."""
        started = self.asking.clock()
        with self._failures_told():
            reply = ask_again(
                ask,
                keys=self.keys,
                asking=self.asking,
                notify=lambda said: self.notice(f"{self.model} {self._one_line(said)}"),
            )
        return Completion(
            text=reply.text,
            usage=self._usage(shown, reply, self.asking.clock() - started),
            model=self.model,
            tool_calls=reply.tool_calls,
            truncated=reply.truncated,
        )

    def _usage(self, shown: Sequence[str], reply: Assembly, seconds: float) -> Usage:
        prompt, completion, estimated = reply.prompt_tokens, reply.completion_tokens, 0
        if not prompt:
            prompt = estimated_tokens(shown)
            estimated += prompt
        if not completion and (reply.text or reply.tool_calls):
            completion = estimated_tokens([reply.text, *(call.arguments for call in reply.tool_calls)])
            estimated += completion
        return Usage(
            calls=1,
            prompt_tokens=prompt,
            completion_tokens=completion,
            estimated_tokens=estimated,
            cost=self._cost(reply, self.price.cost(prompt_tokens=prompt, completion_tokens=completion)),
            seconds=seconds,
        )

    def _cost(self, reply: Assembly, by_price: float) -> float:
        """US dollars: by the price where one is known, else what the server states."""
        return reply.cost if reply.cost is not None and self.price == FREE else by_price

    @contextmanager
    def _failures_told(self) -> Iterator[None]:
        """Failures as the errors that the contract names, in one line without a key."""
        try:
            yield
        except PromptTooLong as overflow:
            words = self._one_line(str(overflow))
            raise ContextOverflow(f"the prompt does not fit {self.model}: {words}") from overflow
        except Refused as refusal:
            raise ModelUnavailable(self._refused(refusal, self._one_line(refusal.words))) from refusal
        except ModelFailure as failure:
            said = f"{self.model} {self._one_line(str(failure))}"
            if isinstance(failure, Broken) and failure.unreached:
                said += f"; {self.advice.place}"
            raise ModelUnavailable(said) from failure

    def _refused(self, refusal: Refused, words: str) -> str:
        said = f"{self.model} answered with status {refusal.status}: {words or 'no reason given'}"
        if refusal.of_key:
            every = f" (each of {len(self.keys)} keys)" if len(self.keys) > 1 else ""
            return f"{said}{every}; {self.advice.key}"
        if refusal.status == 404:
            return f"{said}; {self.advice.place}"
        if refusal.retry_after:
            return (
                f"{said}; it asks to wait {refusal.retry_after:.0f} s, longer than there is time or patience"
            )
        return said

    def _one_line(self, words: str) -> str:
        return one_line(self._scrub(" ".join(words.split())))
