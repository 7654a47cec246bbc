"""Checks of customer numbers by their digits."""


def digits(number):
    """The decimal digits of ``number`` from the last to the first."""
    found = []
    while number > 0:
        found.append(number % 10)
        number = number // 10
    return found


def checksum(number):
    """The sum of the digits, every second one doubled, from the last on."""
    total = 0
    for place, digit in enumerate(digits(number)):
        total += digit * 2 if place % 2 else digit
    return total


def is_valid(number):
    """Whether the checksum is a multiple of ten."""
    return checksum(number) % 10 == 0
