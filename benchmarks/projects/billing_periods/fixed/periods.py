"""Billing periods of whole months that start on the day of the contract."""

import calendar
from datetime import date, timedelta


def add_months(day, months):
    """The same day so many months later, or the last day of a shorter month."""
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def period(start, number):
    """First and last day of the period, counted from 0."""
    first = add_months(start, number)
    following = add_months(start, number + 1)
    return first, following - timedelta(days=1)


def period_of(start, day):
    """The number of the period that the day lies in."""
    if day < start:
        raise ValueError(f"{day} is before the contract")
    number = (day.year - start.year) * 12 + day.month - start.month
    if add_months(start, number) > day:
        number -= 1
    return number


def is_leap(year):
    return calendar.isleap(year)
