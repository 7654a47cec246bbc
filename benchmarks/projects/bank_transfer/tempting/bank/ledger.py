"""All accounts, and what was booked between them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Booking:
    source: str
    target: str
    amount: int


class Ledger:
    def __init__(self, *accounts):
        self._accounts = {account.number: account for account in accounts}
        self.bookings = []

    def __getitem__(self, number):
        return self._accounts[number]

    def transfer(self, source, target, amount):
        """Books both sides or, with an exception, none."""
        if amount <= 0:
            raise ValueError("the amount must be positive")
        self[target].deposit(amount)
        self[source].withdraw(amount)
        self.bookings.append(Booking(source, target, amount))

    def turnover(self, number):
        return sum(each.amount for each in self.bookings if number in (each.source, each.target))

    def total(self):
        return sum(account.balance for account in self._accounts.values())
