"""Truth: emptiness taken for absence, one side normalised and the other not, cases that must differ.

"Missing null check" and conditions too wide lead BugsInPy's fix patterns (Widyasari et al. 2020) and TBar's
(Liu et al., ISSTA 2019). Operators and clauses themselves are in ``logic`` and ``comparisons``.
"""

import ast
from collections.abc import Iterator

from bot.search.kinds import SEQUENCES, Kind
from bot.search.operators.base import Context, Mutation, Operator
from bot.search.operators.logic import conditions
from bot.search.precedence import AND, COMPARE

_READ = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


class IdentityForTruth(Operator[ast.AST]):
    """``if not x`` where 0 and "" are values like any other: ``if x is None``."""

    name = "identity for truth"
    prior = 0.5
    kinds = (ast.If, ast.While, ast.IfExp, ast.comprehension, ast.BoolOp)

    def _mutate(self, node: ast.AST, context: Context) -> Iterator[Mutation]:
        if isinstance(node, ast.BoolOp):
            yield from self._of_clauses(node, context)
            return
        for test in conditions(node):
            yield from self._of_test(test, context)

    def _of_clauses(self, node: ast.BoolOp, context: Context) -> Iterator[Mutation]:
        for value in node.values:
            yield from self._of_test(value, context)
        if isinstance(node.op, ast.Or) and len(node.values) == 2 and isinstance(node.values[0], _READ):
            code, other = context.code(node.values[0]), context.operand(node.values[1], 2)
            chosen = f"{code} if {code} is not None else {other}"
            parent = context.source.parents[node]
            decides = node in conditions(parent) or isinstance(parent, (ast.BoolOp, ast.UnaryOp))
            if not decides:
                yield context.put(node, chosen, level=1, weight=0.9)

    def _of_test(self, test: ast.expr, context: Context) -> Iterator[Mutation]:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, _READ):
            yield context.put(test, f"{context.code(test.operand)} is None", level=COMPARE)
        elif isinstance(test, (ast.Name, ast.Attribute, ast.Subscript)):
            yield context.put(test, f"{context.code(test)} is not None", level=COMPARE)


class NormaliseBoth(Operator[ast.Compare]):
    """Texts compared as they are, where case or white space should not matter."""

    name = "normalise both"
    prior = 0.35
    kinds = (ast.Compare,)

    def _mutate(self, node: ast.Compare, context: Context) -> Iterator[Mutation]:
        right = node.comparators[0]
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
            return
        kinds = {context.scopes.kind(node.left), context.scopes.kind(right)}
        if (
            not isinstance(node.left, _READ)
            or not isinstance(right, _READ)
            or not kinds <= {Kind.STR, Kind.UNKNOWN}
        ):
            return
        sides = {context.code(node.left).rpartition(".")[2], context.code(right).rpartition(".")[2]}
        for suffix, weight in (
            (".lower()", 1.0),
            (".strip()", 0.8),
            (".strip().lower()", 0.5),
            (".upper()", 0.3),
        ):
            if suffix.lstrip(".") in sides:
                continue
            edits = (
                *context.put(node.left, context.operand(node.left) + suffix).edits,
                *context.put(right, context.operand(right) + suffix).edits,
            )
            yield Mutation(edits=edits, weight=weight, explanation=f"compare both sides after `{suffix}`")


class DistinctClause(Operator[ast.AST]):
    """Two loops over the same things that should not meet the same one twice."""

    name = "distinct clause"
    prior = 0.4
    kinds = (ast.If, ast.comprehension)

    def _mutate(self, node: ast.AST, context: Context) -> Iterator[Mutation]:
        targets = []
        for above in (node, *context.source.ancestors(node)):
            if isinstance(above, (ast.For, ast.comprehension)) and isinstance(above.target, ast.Name):
                targets.append(above.target.id)
            elif isinstance(above, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
                targets += [
                    clause.target.id for clause in above.generators if isinstance(clause.target, ast.Name)
                ]
        names = list(dict.fromkeys(targets))[:2][::-1]
        if len(names) == 2:
            clause = f"{names[0]} != {names[1]}"
            for test in conditions(node)[:1]:
                if names[0] not in context.code(test) or "!=" not in context.code(test):
                    yield context.put(test, f"{clause} and {context.operand(test, AND)}", level=AND)


class BoundsClause(Operator[ast.AST]):
    """An index asked about without knowing that it is there."""

    name = "bounds clause"
    prior = 0.35
    kinds = (ast.If, ast.While, ast.IfExp)

    def _mutate(self, node: ast.AST, context: Context) -> Iterator[Mutation]:
        for test in conditions(node):
            own = context.code(test)
            for part in ast.walk(test):
                if not isinstance(part, ast.Subscript) or isinstance(
                    part.slice, (ast.Slice, ast.Tuple, ast.Constant)
                ):
                    continue
                owner, index = context.code(part.value), context.code(part.slice)
                kind = context.scopes.kind(part.value)
                rest = context.operand(test, AND)
                options = [(f"{index} in {owner}", 0.6)] if kind in {Kind.DICT, Kind.UNKNOWN} else []
                if kind in SEQUENCES:
                    options += [
                        (f"{index} < len({owner})", 1.0),
                        (f"{index} >= 0", 0.8),
                        (f"{index} > 0", 0.5),
                    ]
                for clause, weight in options:
                    if clause not in own:
                        yield context.put(test, f"{clause} and {rest}", level=AND, weight=weight)
                break


# Types that code often forgets beside the one that it asks for.
_BESIDE = {"int": "(int, float)", "float": "(int, float)", "list": "(list, tuple)", "tuple": "(list, tuple)",
           "str": "(str, bytes)", "dict": "(dict, list)", "set": "(set, frozenset)"}  # fmt: skip


class TypeClause(Operator[ast.Call]):
    """``isinstance`` that takes too few types, or takes a bool for a number."""

    name = "type clause"
    prior = 0.4
    kinds = (ast.Call,)

    def _mutate(self, node: ast.Call, context: Context) -> Iterator[Mutation]:
        if getattr(node.func, "id", "") != "isinstance" or len(node.args) != 2:
            return
        kinds = context.code(node.args[1])
        if kinds in _BESIDE:
            yield context.put(node.args[1], _BESIDE[kinds], weight=0.8)
        if kinds in {"int", "(int, float)"}:
            extra = f"{context.code(node)} and not isinstance({context.code(node.args[0])}, bool)"
            yield context.put(node, extra, level=AND)
