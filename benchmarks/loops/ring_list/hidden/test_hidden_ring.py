from ring import length, ring


def test_lengths():
    for count in range(1, 9):
        assert length(ring([str(number) for number in range(count)])) == count
