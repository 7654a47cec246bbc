"""Accounts, in cents."""


class BankError(Exception):
    pass


class InsufficientFunds(BankError):
    pass


class AccountClosed(BankError):
    pass


class Account:
    def __init__(self, number, balance=0, overdraft=0):
        self.number = number
        self.balance = balance
        self.overdraft = overdraft
        self.closed = False

    def check_open(self):
        if self.closed:
            raise AccountClosed(self.number)

    def deposit(self, amount):
        self.check_open()
        self.balance += amount

    def withdraw(self, amount):
        self.check_open()
        if self.balance - amount < -self.overdraft:
            raise InsufficientFunds(self.number)
        self.balance -= amount
