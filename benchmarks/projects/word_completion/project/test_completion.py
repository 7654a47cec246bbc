import pytest

from completion import Completer


@pytest.fixture
def completer():
    return Completer(["tea", "team", "tent", "Team", "milk"])


def test_by_use_and_alphabet(completer):
    assert completer.complete("te") == ["team", "tea", "tent"]


def test_limit(completer):
    assert completer.complete("te", limit=1) == ["team"]


def test_unknown(completer):
    assert completer.complete("x") == []


def test_one_letter(completer):
    assert completer.complete("m") == ["milk"]


def test_learning_another(completer):
    completer.learn("mint")
    assert completer.complete("mi") == ["milk", "mint"]
