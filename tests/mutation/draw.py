"""Which mutants are tried: a seeded sample of the small changes that can be made inside of functions.

What stands outside, such as a table, a pattern, a limit or a default, is not changed: a process that has it
already would not see it. Nor are texts, annotations and what is said with an error.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef

OPPOSITES: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Mult,),
    ast.Div: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A module with one change: the bytes ``start`` to ``end`` of its text became ``replacement``."""

    path: str
    function: str  # its qualified name
    first: int  # its first line, that of a decorator where there is one
    line: int
    kind: str
    start: int
    end: int
    replacement: str

    def apply(self, text: str) -> str:
        """The mutated module."""
        raw = text.encode()
        return (raw[: self.start] + self.replacement.encode() + raw[self.end :]).decode()


def drawn(modules: Mapping[str, str], *, seed: str, count: int) -> list[Mutant]:
    """Up to ``count`` mutants of ``modules`` (text by path), the same ones for the same seed.

    A module is drawn, then a kind of change, then a place, so that neither a large module nor a common kind
    is most of the sample.
    """
    dice = random.Random(seed)
    left: dict[str, dict[str, list[Mutant]]] = {}
    for path, text in sorted(modules.items()):
        for mutant in every(path, text):
            left.setdefault(path, {}).setdefault(mutant.kind, []).append(mutant)
    found: list[Mutant] = []
    while left and len(found) < count:
        path = dice.choice(list(left))
        kind = dice.choice(list(left[path]))
        places = left[path][kind]
        mutant = places.pop(dice.randrange(len(places)))
        if _is_another_program(modules[path], mutant.apply(modules[path])):
            found.append(mutant)
        if not places:
            del left[path][kind]
        if not left[path]:
            del left[path]
    return found


def every(path: str, text: str) -> Iterator[Mutant]:
    """All changes of a module, some of which may not compile."""
    starts = [0]
    for line in text.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    for name, function in _functions(ast.parse(text), ""):
        first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        for node in _inside(function):
            for kind, place, replacement in _changes(node):
                yield Mutant(
                    path=path,
                    function=name,
                    first=first,
                    line=place.lineno,
                    kind=kind,
                    start=starts[place.lineno - 1] + place.col_offset,
                    end=starts[place.end_lineno - 1] + place.end_col_offset,
                    replacement=replacement,
                )


def _functions(tree: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, Function]]:
    """The functions that no other function holds."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, Function):
            yield prefix + node.name, node


def _inside(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, but for annotations, errors' texts and the parts of f-strings."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):  # where its parts stand is not known
            continue
        if isinstance(node, ast.expr | ast.stmt):
            yield node
        if isinstance(node, ast.Raise):
            continue
        left_out = {id(getattr(node, "annotation", None)), id(getattr(node, "returns", None))}
        waiting += [child for child in ast.iter_child_nodes(node) if id(child) not in left_out]


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """The kind of a change, what is changed, which is ``node`` or a part of it, and the new text."""
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield "condition", test, f"(not ({ast.unparse(test)}))"
        case ast.Return(value=ast.expr()):
            yield "return", node, "return None"
        case ast.Break():
            yield "jump", node, "continue"
        case ast.Continue():
            yield "jump", node, "break"
        case ast.Expr(value=ast.Constant()):  # a docstring
            return
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise():
            yield "statement", node, "pass"
        case ast.expr():
            yield from ((kind, node, f"({ast.unparse(other)})") for kind, other in _expressions(node))


def _expressions(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The kind of a change, and what stands in place of ``node``."""
    match node:
        case ast.Compare():
            yield from (("comparison", other) for other in _compared(node))
        case ast.BoolOp(op=operator, values=values):
            yield from (
                ("logic", ast.BoolOp(op=other(), values=values)) for other in OPPOSITES[type(operator)]
            )
            for value in values:
                rest = [one for one in values if one is not value]
                yield "logic", ast.BoolOp(op=operator, values=rest)
        case ast.BinOp(left=left, op=operator, right=right):
            for other in OPPOSITES.get(type(operator), ()):
                yield "arithmetic", ast.BinOp(left=left, op=other(), right=right)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "sign", operand
        case ast.Constant(value=bool(value)):
            yield "number", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "number", ast.Constant(value + 1)
            yield "number", ast.Constant(value - 1)


def _compared(node: ast.Compare) -> Iterator[ast.Compare]:
    for number, operator in enumerate(node.ops):
        for other in OPPOSITES.get(type(operator), ()):
            changed = [*node.ops[:number], other(), *node.ops[number + 1 :]]
            yield ast.Compare(left=node.left, ops=changed, comparators=node.comparators)


def _is_another_program(before: str, after: str) -> bool:
    """Whether ``after`` compiles and is not ``before`` in other words."""
    try:
        return ast.dump(ast.parse(after)) != ast.dump(ast.parse(before))
    except SyntaxError:
        return False
