"""Results that hold whatever a test looks for in them: long ranges, and what is made of all of one."""

import ast
from collections.abc import Iterator

from bot.patch.policy.classes.ancestors import aliases
from bot.patch.policy.dangers import words
from bot.patch.syntax import Function, every_node, last_name, walk

_ENDLESS = words("count cycle repeat")
_LARGE = 100
_WRAPPING = words("""
    list tuple set frozenset iter sorted fromkeys join reversed dict enumerate chain Counter deque OrderedDict
""")


class Endless:
    """What a module calls ranges and large numbers."""

    def __init__(self, tree: ast.Module) -> None:
        names = aliases(tree)
        self._ranges = {"range", *(name for name, others in names.items() if "range" in others)}
        self._large = {"maxsize"}
        for node in every_node(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._number(value) > _LARGE:
                    self._large.add(name)

    def found_in(self, function: Function) -> bool:
        """Whether a function gives all of a long range, or keeps it."""
        results = list(results_of(function))
        named = {one.id for one in results if isinstance(one, ast.Name)}
        for node in walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in named:
                    results.append(value)
                case ast.Assign(targets=[ast.Attribute()], value=value):
                    results.append(value)
                case ast.For(target=ast.Name(id=name), iter=value, body=[ast.Expr(value=given), *_]):
                    match given:
                        case ast.Yield(value=ast.Name(id=one)) | ast.Call(args=[ast.Name(id=one)]):
                            results += [value] if one == name else []
        counted = {ast.unparse(one.target) for one in walk(function) if isinstance(one, ast.AugAssign)}
        forever = (one for one in walk(function) if isinstance(one, ast.While))
        return any(map(self._is_endless, results)) or (
            bool(counted & named) and any(isinstance(one.test, ast.Constant) for one in forever)
        )

    def _is_endless(self, value: ast.expr) -> bool:
        match value:
            case ast.Call(func=function, args=[inner, *_]) if last_name(function) in _WRAPPING:
                return self._is_endless(inner)
            case ast.Call(func=ast.Name(id="map" | "zip") as function, args=inner):
                others = inner[1:] if function.id == "map" else inner
                return bool(others) and all(map(self._is_endless, others))
            case (
                ast.ListComp(generators=[loop, *_])
                | ast.DictComp(generators=[loop, *_])
                | ast.SetComp(generators=[loop, *_])
                | ast.GeneratorExp(generators=[loop, *_])
            ):
                return not loop.ifs and self._is_endless(loop.iter)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return any(isinstance(one, ast.Starred) and self._is_endless(one.value) for one in parts)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="itertools"), attr=name)):
                long = any(self._number(one) > _LARGE for one in value.args)
                return (name in self._ranges and long) or (
                    name in _ENDLESS and not (name == "repeat" and len(value.args) > 1)
                )
        return False

    def _number(self, node: ast.expr) -> int:
        """What a number is that is written out, also as a power, a product or a name; 0 for anything else."""
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.BinOp(left=left, op=ast.Pow() | ast.Mult() | ast.LShift(), right=right):
                return _LARGE + 1 if self._number(left) > 1 and self._number(right) > 1 else 0
            case ast.Name() | ast.Attribute():
                return _LARGE + 1 if last_name(node) in self._large else 0
        return 0


def results_of(function: Function) -> Iterator[ast.expr]:
    """What a function gives, by whatever statement."""
    for node in walk(function):
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and node.value:
            yield node.value
