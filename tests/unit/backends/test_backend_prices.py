"""Prices: the table, and what the user says."""

import pytest
from every_case import every_case

from bot.backends import prices
from bot.backends.prices import Price
from bot.errors import ConfigurationError


def test_a_million_tokens_of_each():
    assert Price(prompt=2.5, completion=10).cost(prompt_tokens=1_000_000, completion_tokens=500_000) == 7.5


def test_the_table_has_a_date_and_sound_prices():
    assert prices.as_of() > "2026-01-01"
    assert all(0 < price.prompt < price.completion for price in prices.table().values())


@every_case(
    ("model", "known"),
    [("gpt-4.1", True), ("gpt-4.1-2025-04-14", True), ("gpt-4.1-turbo", False), ("openai/gpt-4.1", False)],
)
def test_names_with_and_without_a_date(model, known):
    assert (prices.listed(model) is not None) is known


def test_what_the_user_says():
    assert prices.parse(" a/b:c=1/2 ,x=0/0.5,") == {
        "a/b:c": Price(prompt=1, completion=2),
        "x": Price(prompt=0, completion=0.5),
    }
    assert prices.parse("") == {}


@every_case("text", ["a", "a=", "a=1", "a=1/", "=1/2", "a=-1/2", "a=nan/1", "a=1/inf", "a=x/y"])
def test_what_is_no_price(text):
    with pytest.raises(ConfigurationError, match=r"model-prices: .* is not MODEL=PROMPT/COMPLETION"):
        prices.parse(text)
