import pytest

from bank.accounts import BankError


@pytest.mark.parametrize(
    ("source", "target", "closed"),
    [("A", "C", "C"), ("A", "C", "A"), ("C", "A", None), ("A", "none", None), ("none", "A", None)],
)
def test_nothing_happens_if_it_fails(ledger, source, target, closed):
    if closed:
        ledger[closed].closed = True
    before = [ledger[number].balance for number in "ABC"]
    with pytest.raises((BankError, KeyError)):
        ledger.transfer(source, target, 500)
    assert [ledger[number].balance for number in "ABC"] == before
    assert ledger.bookings == []


def test_to_oneself(ledger):
    ledger.transfer("A", "A", 1000)
    assert ledger["A"].balance == 1000
    assert len(ledger.bookings) == 1


def test_no_money_before_it_came(ledger):
    with pytest.raises(BankError):
        ledger.transfer("C", "C", 10)
