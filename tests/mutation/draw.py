"""Which mutants are tried: a seeded sample of those that can make a difference."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from benchmarks.seeded.mutants import Mutant, mutants

SPARE = 0.3
"""Drawn beyond each one wanted, since some change nothing but an annotation."""


def drawn(modules: Mapping[str, str], *, seed: str, count: int, cache: Path) -> list[Mutant]:
    """Up to ``count`` mutants of ``modules`` (text by path), the same ones for the same seed.

    Raises:
        MachineError: the tool that draws them cannot be installed or fails.
    """
    every = mutants(modules, seed=seed, count=count + int(count * SPARE), cache=cache)
    return list(islice(different(every, modules), count))


def different(every: Iterator[Mutant], modules: Mapping[str, str]) -> Iterator[Mutant]:
    """Those of ``every`` that change more than annotations, which at most a pydantic model evaluates."""
    plain = {path: _without_annotations(text) for path, text in modules.items()}
    for mutant in every:
        if _without_annotations(mutant.apply(modules[mutant.path])) != plain[mutant.path]:
            yield mutant


def _without_annotations(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)


def function_lines(text: str, line: int) -> range | None:
    """The lines of the innermost function around ``line``, from 1 on; None where any test may matter.

    That is the module's or a class's own code, which runs on import, and a function that remembers its
    results: whoever is given a remembered one does not run it.
    """
    around = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and min((one.lineno for one in node.decorator_list), default=node.lineno) <= line <= node.end_lineno
    ]
    if not around or any("cache" in ast.unparse(one) for node in around for one in node.decorator_list):
        return None
    innermost = max(around, key=lambda node: node.lineno)
    return range(innermost.body[0].lineno, innermost.end_lineno + 1)
