"""Draw mutants with cosmic-ray, in its environment: a line of JSON for each, in an order that a seed decides.

Standard input holds the ``seed``, the ``count`` and the ``modules`` (text by path). A module is drawn, then a
family of operators, then an operator of it, then a place: so that neither a large module nor a family with
many members is most of the sample.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast  # type: ignore[import-not-found]
from cosmic_ray.mutating import mutate_code  # type: ignore[import-not-found]
from cosmic_ray.plugins import get_operator, operator_names  # type: ignore[import-not-found]

# Draws in vain, one after another, after which the modules count as used up.
PATIENCE = 2_000


def families() -> dict[str, list[str]]:
    """The operators that need no argument, by what the part of their names before an underscore says."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(operator_names()):
        if not get_operator(name).arguments():
            found[name.rpartition("/")[2].partition("_")[0]].append(name)
    return dict(found)


def draw(modules: Mapping[str, str], seed: str) -> Iterator[dict[str, Any]]:
    """Distinct mutants that compile and differ from the module as a program, until none is left."""
    dice = random.Random(seed)  # noqa: S311 - a sample, not a secret
    groups = families()
    trees = {path: get_ast(text) for path, text in modules.items()}
    counts: dict[tuple[str, str], int] = {}
    seen: set[tuple[str, str]] = set()
    in_vain = 0
    while in_vain < PATIENCE:
        in_vain += 1
        path = dice.choice(sorted(modules))
        operator = dice.choice(groups[dice.choice(sorted(groups))])
        if (path, operator) not in counts:
            instance = get_operator(operator)()
            counts[path, operator] = sum(
                len(list(instance.mutation_positions(node))) for node in ast_nodes(trees[path])
            )
        if not counts[path, operator]:
            continue
        occurrence = dice.randrange(counts[path, operator])
        text = mutated(modules[path], operator, occurrence)
        if text is None or (path, text) in seen or not differs(modules[path], text):
            continue
        seen.add((path, text))
        in_vain = 0
        yield {"path": path, "operator": operator, "occurrence": occurrence, "text": text}


def mutated(text: str, operator: str, occurrence: int) -> str | None:
    """``text`` with one place changed; None where ``operator`` counts a place that it cannot change."""
    try:
        changed: str | None = mutate_code(text, get_operator(operator)(), occurrence)
    except AttributeError:  # the exception replacer and a dotted name after ``except``
        return None
    return changed


def differs(before: str, after: str) -> bool:
    """Whether ``after`` is a program, and another one."""
    try:
        return ast.dump(ast.parse(before)) != ast.dump(ast.parse(after))
    except (SyntaxError, ValueError):
        return False


def main() -> None:
    """Read the order, write the mutants."""
    order = json.load(sys.stdin)
    for number, mutant in enumerate(draw(order["modules"], order["seed"]), start=1):
        sys.stdout.write(json.dumps(mutant) + "\n")
        if number >= order["count"]:
            return


if __name__ == "__main__":
    main()
