from stock import contains, position


def test_every_place():
    numbers = list(range(0, 100, 3))
    for wanted in range(-2, 104):
        assert position(numbers, wanted) == sum(number < wanted for number in numbers)
        assert contains(numbers, wanted) == (wanted in numbers)
