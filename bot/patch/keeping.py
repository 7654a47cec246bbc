"""What an expression keeps of the values that it is made from.

``(self.amount, self.unit.lower())`` keeps both attributes, ``self.amount * 0`` keeps none. What is kept
nowhere has no part in a comparison. An expression that is not listed keeps nothing.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.patch.dangers import words

Sources = frozenset[str]
NOTHING: Sources = frozenset()
OF_TYPE = words("__class__ __doc__ __module__ __qualname__ __name__ __slots__ denominator imag")
"""Attributes that say little of an object: many have the same."""

_CONVERSIONS = words(
    """
    list tuple dict set frozenset sorted str repr int float complex bytes bytearray memoryview iter reversed
    next vars asdict astuple copy deepcopy enumerate zip getattr fspath cast chain islice hash as_tuple
    abs round replace from_iterable array asarray attrgetter partial hex ord chr ascii format_datetime
    """
)
_OF_SECOND = words("map filter cast starmap")
_LOSSY = words(
    """
    count index bit_length bit_count isdigit isalpha isalnum isupper islower isspace isnumeric isdecimal
    isidentifier isprintable istitle startswith endswith __len__ __class__ __sizeof__ __bool__ conjugate
    is_integer isdisjoint issubset issuperset clear
    """
)
_LINEAR = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.BitXor)


@dataclass(frozen=True, slots=True)
class Keeping:
    """How expressions are read: ``own`` is the object, ``known`` is what the local names keep.

    An attribute of the object is a source that begins with a dot. ``strict`` says that arithmetic keeps
    nothing.
    """

    own: str = ""
    known: Mapping[str, Sources] = field(default_factory=dict)
    strict: bool = False

    def of(self, node: ast.expr | None) -> Sources:
        """The sources that ``node`` keeps."""
        match node:
            case ast.Name(id=name):
                return frozenset({"."}) if self.own and name == self.own else self.known.get(name, NOTHING)
            case ast.Attribute(value=value, attr=attribute):
                return self._of_attribute(value, attribute)
            case ast.Subscript(value=value, slice=key):
                return NOTHING if _is_part(key) else self.of(value)
            case ast.Call():
                return self._of_call(node)
            case ast.BinOp():
                return self._of_arithmetic(node)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return self._of_any(parts)
            case ast.Dict(values=parts) | ast.JoinedStr(values=parts):
                return self._of_any(parts)
            case ast.FormattedValue(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                return self.of(value)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=value):
                return self.of(value)
        return self._of_choice(node)

    def _of_choice(self, node: ast.expr | None) -> Sources:
        match node:
            case ast.BoolOp(op=ast.Or(), values=[first, *_]):
                return self.of(first)
            case ast.BoolOp(op=ast.And(), values=[*others, last]):
                constant = any(isinstance(one, ast.Constant) for one in others)
                return NOTHING if constant else self.of(last)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                if found := missing(test):
                    present = self.of(orelse if found[1] else body)
                    if self.of(found[0]) and self.of(found[0]) <= present:
                        return present
                return self.of(body) & self.of(orelse)
            case (
                ast.ListComp(elt=value, generators=loops)
                | ast.SetComp(elt=value, generators=loops)
                | ast.GeneratorExp(elt=value, generators=loops)
                | ast.DictComp(value=value, generators=loops)
            ):
                known = dict(self.known)
                for loop in loops:
                    inner = Keeping(self.own, known, self.strict)
                    known.update(dict.fromkeys(bound_names(loop.target), inner.of(loop.iter)))
                within = Keeping(self.own, known, self.strict)
                return within.of(value) | (within.of(node.key) if isinstance(node, ast.DictComp) else NOTHING)
        return NOTHING

    def _of_any(self, parts: Iterable[ast.expr | None]) -> Sources:
        return NOTHING.union(*(self.of(one) for one in parts))

    def _of_attribute(self, value: ast.expr, attribute: str) -> Sources:
        special = attribute.startswith("__") and attribute.endswith("__") and attribute != "__dict__"
        if attribute in OF_TYPE or special:
            return NOTHING
        if isinstance(value, ast.Name) and self.own and value.id == self.own:
            return frozenset({f".{attribute}"})
        return self.of(value)

    def _of_arithmetic(self, node: ast.BinOp) -> Sources:
        if isinstance(node.op, ast.Mod) and _is_text(node.left):
            return self.of(node.right)
        texts = any(isinstance(one, ast.JoinedStr) or _is_text(one) for one in (node.left, node.right))
        if (self.strict and not texts) or ast.dump(node.left) == ast.dump(node.right):
            return NOTHING
        left, right = self.of(node.left), self.of(node.right)
        if left and right:
            return left | right
        if not isinstance(node.op, _LINEAR) or _is_zero(node.left) or _is_zero(node.right):
            return left | right if isinstance(node.op, ast.Add | ast.Sub) else NOTHING
        return left | right

    def _of_call(self, call: ast.Call) -> Sources:
        given = [*call.args, *(one.value for one in call.keywords)]
        match call.func:
            case ast.Name(id=name) if name in _OF_SECOND or name in _CONVERSIONS or _is_class(name):
                every = name in {"zip", "chain", "replace"} or _is_class(name)
                first = 1 if name in _OF_SECOND else 0
                return self._of_any(given if every else given[first : first + 1])
            case ast.Name(id="range"):
                plain = all(self.of(one) or _is_small(one) for one in given)
                return self._of_any(given) if plain else NOTHING
            case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__"):
                return self._of_any(given)
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
                return frozenset({"."}) | self._of_any(given)
            case ast.Attribute(value=value, attr=name):
                if isinstance(value, ast.Name) and self.own and value.id == self.own:
                    return frozenset({f".{name}"}) | self._of_any(given)
                if found := self.of(value):
                    return NOTHING if name in _LOSSY else found | self._of_any(given)
                known = name in _CONVERSIONS or _is_class(name) or name in {"join", "format", "get"}
                return self._of_any(given) if known else NOTHING
        return NOTHING


def missing(test: ast.expr) -> tuple[ast.expr, bool] | None:
    """What a condition only asks for whether it was given, and whether it holds where it was not."""
    match test:
        case ast.Name() | ast.Attribute():
            return test, False
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            found = missing(inner)
            return found and (found[0], not found[1])
        case ast.Compare(
            left=ast.Name() | ast.Attribute() as left,
            ops=[ast.Is() | ast.IsNot() as operator],
            comparators=[right],
        ) if _is_none(right):
            return left, isinstance(operator, ast.Is)
    return None


def bound_names(target: ast.AST | None) -> list[str]:
    """The local names that an assignment to ``target`` binds."""
    nodes = ast.walk(target) if target else ()
    return [one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _is_none(node: ast.expr) -> bool:
    """Whether it is None, or a constant that stands for what is missing."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.isupper() or (isinstance(node, ast.Constant) and node.value is None)


def _is_class(name: str) -> bool:
    return name == "cls" or name.lstrip("_")[:1].isupper()


def _is_part(key: ast.expr) -> bool:
    """Whether a subscript cuts something off."""
    return isinstance(key, ast.Slice) and not (key.lower is key.upper is None)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _is_small(node: ast.expr) -> bool:
    return ast.unparse(node) in {"0", "1", "2", "-1", "-2"}
