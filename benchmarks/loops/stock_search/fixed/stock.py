"""Find articles in a list that is sorted by number."""


def position(numbers, wanted):
    """The place of ``wanted`` in the sorted ``numbers``, or where it would be inserted."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def contains(numbers, wanted):
    """Whether ``wanted`` is among the sorted ``numbers``."""
    place = position(numbers, wanted)
    return place < len(numbers) and numbers[place] == wanted


def missing(numbers, wanted):
    """Those of ``wanted`` that are not among the sorted ``numbers``."""
    return [number for number in wanted if not contains(numbers, number)]
