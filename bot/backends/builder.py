"""Builds the backend of one model as the settings say: its server, its key, its price.

A key goes to the server that it is for and to no other: GitHub's token to GitHub Models, the hub's to the
hub, and the key of OpenAI's variables to OpenAI or to the server that ``--base-url`` names.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from bot.backends import prices
from bot.backends.keys import KeyRing
from bot.backends.retrying import RetryPatience
from bot.backends.served import Advice, ServedBackend
from bot.ports import ChatBackend, Progress

if TYPE_CHECKING:
    from bot.backends.transport import Transport
    from bot.config.settings import Settings

_SET_PRICES = "set model-prices in a file given with --config, or REGREEN_MODEL_PRICES"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A model by its backend and its name there."""

    backend: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds backends that share the run's time."""

    settings: Settings
    progress: Progress
    resources: ExitStack
    remaining: Callable[[], float]

    def build(self, model: Named) -> ChatBackend:
        """The backend of one model: ``serve`` of the module that the backend names makes it."""
        made: ChatBackend = import_module(f"bot.backends.{model.backend}").serve(self, model.name)
        return made

    def served(  # noqa: PLR0913 - what a served model is made of
        self,
        name: str,
        transport: Transport,
        keys: tuple[str, ...] = (),
        *,
        advice: Advice | None = None,
        price: prices.Price | None = None,
        called: str = "",
    ) -> ServedBackend:
        """A model behind ``transport``. Where ``price`` is None, the model and its server decide it.

        ``called`` is the server's own name of it, where that is another.
        """
        self.resources.callback(transport.close)
        return ServedBackend(
            model=name,
            transport=transport,
            keys=KeyRing(keys, clock=time.monotonic),
            asking=RetryPatience(retries=self.settings.model_retries, remaining=self.remaining),
            price=price or self._price(name, transport.endpoint),
            given_context=self.settings.model_context,
            called=called,
            listen=lambda text: self.progress.tick(detail=text),
            notice=self.notice,
            advice=advice or Advice(),
        )

    def notice(self, text: str) -> None:
        """Say what is waited for, and why."""
        self.progress.stage("model", text)

    def _price(self, name: str, endpoint: str) -> prices.Price:
        """What the model costs. Where nobody knows, nothing is counted, and that is said."""
        from bot.backends.openai import BASE_URL

        given = prices.parse(self.settings.model_prices)
        if name in given:
            return given[name]
        price = prices.listed(name) if endpoint == BASE_URL else None
        if price and self.settings.max_cost:
            self.notice(f"max-cost counts {name} at its list price of {prices.as_of()}; {_SET_PRICES}")
        if price is None:
            self.notice(f"no price is known of {name} at {endpoint}: its costs count as 0; {_SET_PRICES}")
        return price or prices.FREE
