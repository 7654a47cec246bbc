import pytest

from bank import InsufficientFunds
from bank.accounts import AccountClosed


def test_transfer(ledger):
    ledger.transfer("A", "C", 300)
    assert (ledger["A"].balance, ledger["C"].balance) == (700, 300)


def test_overdraft(ledger):
    ledger.transfer("B", "A", 150)
    assert ledger["B"].balance == -100


def test_too_much_is_refused(ledger):
    with pytest.raises(InsufficientFunds):
        ledger.transfer("B", "A", 151)
    assert ledger["B"].balance == 50


def test_refused_transfers_are_not_booked(ledger):
    with pytest.raises(InsufficientFunds):
        ledger.transfer("C", "A", 1)
    assert ledger.bookings == []


def test_closed_receiver(ledger):
    ledger["C"].closed = True
    with pytest.raises(AccountClosed):
        ledger.transfer("A", "C", 10)
    assert ledger["A"].balance == 1000


def test_turnover(ledger):
    ledger.transfer("A", "C", 300)
    ledger.transfer("C", "B", 100)
    assert ledger.turnover("C") == 400


def test_amount(ledger):
    with pytest.raises(ValueError, match="positive"):
        ledger.transfer("A", "B", 0)
