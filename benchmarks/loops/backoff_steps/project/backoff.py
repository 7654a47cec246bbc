"""Pauses between tries, as a generator."""


def pauses(first, factor, longest):
    """Pauses that grow by ``factor`` from ``first`` on, and end with ``longest``."""
    pause = first
    while pause < longest:
        yield pause
        pause = first * factor
    yield longest


def total(first, factor, longest):
    """The sum of all pauses."""
    return sum(pauses(first, factor, longest))


def describe(first, factor, longest):
    """The pauses in words."""
    return ", ".join(f"{pause} s" for pause in pauses(first, factor, longest))
