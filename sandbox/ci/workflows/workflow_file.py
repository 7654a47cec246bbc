"""Loads a GitHub workflow file as plain values.

The file is untrusted: the safe loader reads it, within limits, and nothing in it is run here. Anchors and
aliases are read as GitHub reads them; since they could make a small file a huge tree, the limits hold for the
file as it would be with every alias written out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import yaml

MAX_FILE = 400_000
"""Bytes of a file that is read."""

MAX_WRITTEN_OUT = 800_000
"""Characters and values of a file that is read, with every alias replaced by what it stands for."""

MAX_DEPTH = 40

_PATH = re.compile(r"\.github/workflows/[^/]+\.ya?ml")


def is_workflow(path: str) -> bool:
    """Whether GitHub takes the file at ``path`` for a workflow."""
    return _PATH.fullmatch(path) is not None


def load_workflow(data: bytes) -> Any:  # noqa: ANN401 - whatever a file holds
    """The file as plain values; None where it cannot be read, or is too large or too deep.

    What an alias stands for is one value in several places: it is to be read, not changed.
    """
    import yaml  # not loaded where no workflow is read

    if len(data) > MAX_FILE:
        return None
    # Written in C where it can be had, which is many times faster.
    chosen = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = data.decode("utf-8")
        depth = 0
        for event in yaml.parse(text, Loader=chosen):
            depth += isinstance(event, yaml.events.CollectionStartEvent)
            depth -= isinstance(event, yaml.events.CollectionEndEvent)
            if depth > MAX_DEPTH:
                return None
        loader = chosen(text)
        node = loader.get_single_node()
        extent = _extent(node, {}) if node else None
        if extent is None or extent.depth > MAX_DEPTH or extent.size > MAX_WRITTEN_OUT:
            return None
        return loader.construct_document(node)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    except (LookupError, AttributeError, TypeError, ArithmeticError):
        return None  # what the library raises for a tag that does not fit its value


class _Extent(NamedTuple):
    """What a node is with every alias written out: values and characters together, and levels."""

    size: int
    depth: int


def _extent(node: yaml.Node, known: dict[int, _Extent | None]) -> _Extent | None:
    """The extent of ``node``; None where it stands within itself. ``known`` are those seen, by identity."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = None  # until it is known: whoever meets it before stands within it
    inside: list[_Extent | None] = [_Extent(len(node.value), 0)]
    if not isinstance(node.value, str):
        # A mapping's value are pairs of nodes.
        parts = (one for each in node.value for one in (each if isinstance(each, tuple) else (each,)))
        inside = [_extent(part, known) for part in parts]
    found = [one for one in inside if one is not None]
    if len(found) == len(inside):
        depth = 1 + max((one.depth for one in found), default=0)
        known[id(node)] = _Extent(1 + sum(one.size for one in found), depth)
    return known[id(node)]
