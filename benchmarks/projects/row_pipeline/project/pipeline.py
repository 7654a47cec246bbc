"""Rows that flow through stages, one at a time."""


class Pipeline:
    """Stages are functions from an iterable of rows to an iterable of rows."""

    def __init__(self, *stages):
        self.stages = stages

    def __or__(self, stage):
        return Pipeline(*self.stages, stage)

    def __call__(self, rows):
        flow = iter(rows)
        for stage in self.stages:
            flow = stage(rows)
        return flow


def where(**wanted):
    def stage(rows):
        return (row for row in rows if all(row.get(key) == value for key, value in wanted.items()))

    return stage


def compute(name, function):
    def stage(rows):
        for row in rows:
            yield {**row, name: function(row)}

    return stage


def share(name, of):
    """Adds each row's part of the whole."""

    def stage(rows):
        whole = sum(row[of] for row in rows)
        for row in rows:
            yield {**row, name: row[of] / whole if whole else 0}

    return stage


def first(count):
    def stage(rows):
        for _, row in zip(range(count), rows):
            yield row

    return stage
