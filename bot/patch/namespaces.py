"""What is done with ``vars(x)`` and ``x.__dict__``, by which an attribute is reached through its name.

A copy of a namespace is a dictionary like any other, and nobody can follow which of its names is read. So a
person sees every use that is of no harmless form: an item of a constant name, a comparison, the names alone,
and what a method does with its own object.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding

_ASKING = words("get pop setdefault __contains__")
_NAMES_ONLY = words("list tuple set frozenset sorted len bool str repr iter any all hash id print format")
_OF_NAMES = words("keys __len__ __repr__")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TYPES = words("type object super")


def namespaces(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each use of a namespace that a person has to see."""
    yield from _Reader().read(tree)


class _Reader:
    def __init__(self) -> None:
        self._above: list[ast.AST] = []
        self._own: list[frozenset[str]] = [frozenset()]

    def read(self, node: ast.AST) -> Iterator[CodeFinding]:
        """What is to be seen in ``node`` and below it."""
        owned = _owned(node, self._above, self._own[-1])
        self._own.append(owned)
        value = namespace_of(node)
        if (value is not None and not self._is_harmless(node, value)) or self._is_by_name(node):
            around = self._above[-1] if self._above else node
            yield CodeFinding("a new use of vars or __dict__ that may read any attribute", ast.dump(around))
        self._above.append(node)
        for child in ast.iter_child_nodes(node):
            yield from self.read(child)
        self._above.pop()
        self._own.pop()

    def _is_harmless(self, node: ast.AST, value: ast.expr) -> bool:
        parent = self._above[-1] if self._above else None
        match parent:
            case ast.Subscript(value=space) if space is node and not _is_getattr(node):
                # What a constant names is judged by its name, and a computed one by ``dotted_names``.
                return True
            case ast.Attribute(attr=attribute) if attribute in _OF_NAMES:
                return True
            case ast.Attribute(attr=attribute) if attribute in _ASKING:
                return self._asks_by_a_constant() or self._is_own(value)
            case ast.Compare() | ast.FormattedValue() | ast.UnaryOp(op=ast.Not()) | ast.Expr():
                return True
            case ast.Call(func=ast.Name(id=name)) if name in _NAMES_ONLY and parent.func is not node:
                return True
            case ast.For() | ast.comprehension() if parent.iter is node:
                return True
        return self._is_own(value) and not self._is_read_at_once()

    def _is_by_name(self, node: ast.AST) -> bool:
        """Whether a pattern or a string names a namespace, for a function that takes it from an object."""
        parent = self._above[-1] if self._above else None
        match node:
            case ast.MatchClass(kwd_attrs=names):
                return "__dict__" in names
            case ast.Constant(value=str(text)) if "__dict__" in text.split("."):
                if isinstance(parent, ast.Call):
                    return not (
                        isinstance(parent.func, ast.Name) and parent.func.id in {"hasattr", "getattr"}
                    )
                return not isinstance(parent, ast.Tuple | ast.List | ast.Set | ast.Compare | ast.Expr)
        return False

    def _asks_by_a_constant(self) -> bool:
        call = self._above[-2] if len(self._above) > 1 else None
        first = call.args[0] if isinstance(call, ast.Call) and call.args else None
        return isinstance(first, ast.Constant)

    def _is_own(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Name) and value.id in self._own[-1]

    def _is_read_at_once(self) -> bool:
        """Whether a copy of the namespace is asked for a computed name in the same expression."""
        for above in reversed(self._above):
            match above:
                case ast.Subscript(slice=key) if not isinstance(key, ast.Constant):
                    return True
                case ast.Attribute(attr=attribute) if attribute in _ASKING:
                    return True
                case ast.stmt():
                    return False
        return False


def _owned(node: ast.AST, above: list[ast.AST], before: frozenset[str]) -> frozenset[str]:
    """The names of a method's own object; ``before`` are those around ``node``."""
    if isinstance(node, ast.ClassDef):
        return frozenset()
    if not isinstance(node, _Function | ast.Lambda):
        return before
    arguments = [*node.args.posonlyargs, *node.args.args]
    named = {one.arg for one in arguments}
    if isinstance(node, ast.Lambda) or not (above and isinstance(above[-1], ast.ClassDef)):
        return before - named
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)
    return frozenset(one.arg for one in arguments[:1]) if not static else frozenset()


def _is_getattr(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"


def namespace_of(node: ast.AST) -> ast.expr | None:
    """What ``node`` is the namespace of; None where it is none."""
    match node:
        case ast.Attribute(value=value, attr="__dict__", ctx=ast.Load()):
            return value
        case ast.Call(func=ast.Name(id="vars"), args=[value]):
            return value
        case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value="__dict__"), *_]):
            return value
        case ast.Attribute(value=value, attr="__dict__"):
            return value
    return None
