"""Readings of a sensor, taken together in windows."""


def windows(readings, seconds):
    """Yields (start, values) for readings given as (time, value), in order; empty windows are left out."""
    start, values = None, []
    for time, value in readings:
        begin = time - time % seconds
        if start is not None and begin != start:
            yield start, values
            values.clear()
        start = begin
        values.append(value)


def means(readings, seconds):
    return [(start, sum(values) / len(values)) for start, values in windows(readings, seconds)]


def peaks(readings, seconds, limit):
    """Starts of the windows in which a value lies above the limit."""
    return [start for start, values in windows(readings, seconds) if max(values) > limit]
