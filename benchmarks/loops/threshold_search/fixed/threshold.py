"""The smallest load that a machine no longer bears."""


def first_failing(loads, bears):
    """The place of the first of ``loads`` for which ``bears`` is false; their number if it bears all.

    It bears every load before that place, and none from there on.
    """
    start, end = 0, len(loads)
    while start < end:
        half = start + (end - start) // 2
        if half < len(loads) and bears(loads[half]):
            start = half + 1
        else:
            end = half
    return start


def highest(loads, bears):
    """The largest load that the machine bears, or None."""
    place = first_failing(loads, bears)
    return loads[place - 1] if place else None
