"""A tank that is emptied by a pump, hour by hour."""


def hours_to_empty(level, pumped, inflow=0):
    """Full hours until the tank is empty.

    Raises:
        ValueError: it never will be.
    """
    if pumped <= inflow:
        raise ValueError("the pump is too weak")
    hours = 0
    while level > 0:
        level += inflow
        level += pumped
        hours += 1
    return hours


def levels(level, pumped):
    """The level after each hour until the tank is empty."""
    found = []
    while level > 0:
        level = max(0, level - pumped)
        found.append(level)
    return found
