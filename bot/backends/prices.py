"""What a model's tokens cost: a small table with its date, and what the user says instead.

The table holds for OpenAI's own server. Elsewhere the same name may cost anything, or nothing, so a price
is unknown there unless the user gives it.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from bot.errors import ConfigurationError, quoted

OPENAI = "https://api.openai.com/v1"
MILLION = 1_000_000
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens of each kind."""

    prompt: float
    completion: float

    def cost(self, *, prompt_tokens: int, completion_tokens: int) -> float:
        """What one reply costs, in US dollars."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / MILLION


FREE = Price(prompt=0.0, completion=0.0)


def parse(text: str) -> Mapping[str, Price]:
    """The prices that an option's ``text`` gives: ``MODEL=PROMPT/COMPLETION``, separated by commas.

    Raises:
        ConfigurationError: it cannot be read.
    """
    prices = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, _, amounts = entry.rpartition("=")
        prompt, _, completion = amounts.partition("/")
        try:
            price = Price(prompt=float(prompt), completion=float(completion))
        except ValueError:
            price = None
        if not name or not price or not all(0 <= x < math.inf for x in (price.prompt, price.completion)):
            raise ConfigurationError(
                f"model-prices: {quoted(entry)} is not MODEL=PROMPT/COMPLETION in US dollars for a million "
                "tokens, such as gpt-4.1-mini=0.4/1.6"
            )
        prices[name.strip()] = price
    return prices


def listed(model: str) -> Price | None:
    """The list price of ``model`` on OpenAI's server; None where the table does not know it."""
    return table().get(_DATED.sub("", model))


@cache
def table() -> Mapping[str, Price]:
    """The table that comes with the program, by model."""
    return {name: Price(**amounts) for name, amounts in _file()["models"].items()}


def as_of() -> str:
    """The date of the table, as 2026-01-31."""
    return str(_file()["as_of"])


@cache
def _file() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    content: Mapping[str, Mapping[str, Mapping[str, float]]] = json.loads(
        files("bot.backends").joinpath("prices.json").read_text(encoding="utf-8")
    )
    return content
