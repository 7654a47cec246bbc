from digits import digits


def test_many():
    for number in range(1, 3000, 7):
        assert digits(number) == [int(digit) for digit in reversed(str(number))]
