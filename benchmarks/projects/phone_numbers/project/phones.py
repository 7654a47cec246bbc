"""Phone numbers as people type them."""

import re
from dataclasses import dataclass

COUNTRIES = {"1": "US", "43": "AT", "44": "GB", "353": "IE"}


class BadNumber(ValueError):
    pass


@dataclass(frozen=True)
class Phone:
    country: str
    national: str
    extension: str = ""

    def __str__(self):
        text = f"+{self.country} {grouped(self.national)}"
        return f"{text} ext. {self.extension}" if self.extension else text

    @property
    def region(self):
        return COUNTRIES[self.country]


def grouped(digits):
    """Groups of three from the left; the last one has up to four digits."""
    groups = []
    while len(digits) > 4:
        groups.append(digits[:3])
        digits = digits[3:]
    groups.append(digits)
    return " ".join(groups)


def _split_country(digits):
    for length in (1, 2, 3):
        if digits[:length] in COUNTRIES:
            return digits[:length], digits[1:]
    raise BadNumber("unknown country")


def parse(text, home="43"):
    """Numbers that begin with + or 00 are international, all others from home."""
    number, _, extension = text.lower().partition("x")
    digits = re.sub(r"[\s()./-]", "", number)
    if digits.startswith("+"):
        country, national = _split_country(digits[1:])
    elif digits.startswith("00"):
        country, national = _split_country(digits[2:])
    else:
        country, national = home, digits.lstrip("0")
    if not national.isdigit() or not 4 <= len(national) <= 13:
        raise BadNumber(text)
    return Phone(country, national, extension.strip())
