import pytest

from phones import parse


@pytest.mark.parametrize(
    ("text", "country", "national"),
    [
        ("+1 212 555 0100", "1", "2125550100"),
        ("00353 1 6771234", "353", "16771234"),
        ("+43 1 5123456", "43", "15123456"),
        ("+353-87-1234567", "353", "871234567"),
    ],
)
def test_country_codes_of_all_lengths(text, country, national):
    phone = parse(text)
    assert (phone.country, phone.national) == (country, national)
