"""Expands a job's matrix into its combinations, as GitHub does.

Source: GitHub Docs, "Running variations of jobs in a workflow".
"""

import math
from collections.abc import Mapping
from itertools import product

from sandbox.ci.workflows.expression_values import Value, as_text
from sandbox.ci.workflows.expressions import value_of

MAX_COMBINATIONS = 256
"""Combinations of one matrix: GitHub allows no more."""

MAX_PRODUCT = 4_096
"""Combinations before any is excluded; of a larger matrix, the first one stands for all."""

MAX_COMPARED = 20_000
"""Combinations that are compared with an entry of ``exclude`` or ``include``, one counted for each pair."""

Combination = dict[str, Value]


def combinations(matrix: object, contexts: Mapping[str, Value]) -> tuple[Combination, ...]:
    """The combinations of ``matrix``; one empty combination where it has none that can be read.

    An axis that only another job's outputs give has no values.
    """
    table = value_of(matrix, contexts) if isinstance(matrix, str) else matrix
    if not isinstance(table, dict):
        return ({},)
    axes: dict[str, list[Value]] = {}
    for name, values in table.items():
        held = _read(values, contexts)
        if name not in {"include", "exclude"} and isinstance(held, list) and held:
            axes[as_text(name)] = held
    found = _product(axes)
    excluded = [entry for entry in _entries(table.get("exclude"), contexts) if entry]
    excluded = excluded[: MAX_COMPARED // max(1, len(found))]
    found = [one for one in found if not any(_covers(one, entry) for entry in excluded)]
    includes = _entries(table.get("include"), contexts)[: MAX_COMPARED // max(1, len(found))]
    return tuple(_with_includes(found, includes, axes)[:MAX_COMBINATIONS]) or ({},)


def _product(axes: Mapping[str, list[Value]]) -> list[Combination]:
    if math.prod(map(len, axes.values())) > MAX_PRODUCT:
        return [{name: values[0] for name, values in axes.items()}]
    return [dict(zip(axes, chosen, strict=True)) for chosen in product(*axes.values()) if axes]


def _with_includes(
    found: list[Combination], includes: list[Combination], axes: Mapping[str, list[Value]]
) -> list[Combination]:
    """Each include extends the combinations whose own values it keeps; else it is one more combination."""
    extended = [dict(one) for one in found]
    added: list[Combination] = []
    for entry in includes:
        own = {name: value for name, value in entry.items() if name in axes}
        fitting = [at for at, one in enumerate(found) if _covers(one, own)]
        for at in fitting:
            extended[at].update(entry)
        if not fitting:
            added.append(dict(entry))
    return extended + added


def _entries(value: object, contexts: Mapping[str, Value]) -> list[Combination]:
    held = _read(value, contexts)
    entries = [entry for entry in held if isinstance(entry, dict)] if isinstance(held, list) else []
    return [{as_text(name): part for name, part in entry.items()} for entry in entries]


def _read(value: object, contexts: Mapping[str, Value]) -> Value:
    """``value`` with the expressions in it evaluated."""
    if isinstance(value, str):
        return value_of(value, contexts)
    if isinstance(value, list):
        return [_read(item, contexts) for item in value]
    if isinstance(value, dict):
        return {name: _read(item, contexts) for name, item in value.items()}
    return value


def _covers(combination: Combination, entry: Combination) -> bool:
    return all(name in combination and _same(combination[name], value) for name, value in entry.items())


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return all(name in one and _same(one[name], value) for name, value in other.items())
    if isinstance(one, dict | list) or isinstance(other, dict | list):
        return bool(one == other)
    return as_text(one) == as_text(other)
