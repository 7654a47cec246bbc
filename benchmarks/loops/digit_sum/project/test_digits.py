from digits import checksum, digits, is_valid


def test_zero():
    assert digits(0) == []


def test_two_digits():
    assert digits(47) == [7, 4]


def test_checksum():
    assert checksum(123) == 3 + 4 + 1


def test_valid():
    assert is_valid(26)
