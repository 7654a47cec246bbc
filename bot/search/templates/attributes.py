"""Attributes that an object does not have: misspelt, never set, or asked of the wrong object."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation
from bot.search.operators.statements import inserted, is_docstring
from bot.search.similar_names import close
from bot.search.source import Function
from bot.search.templates.changes import put_like, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.members import members_of, method, misspelt_init, renamed_member
from bot.search.templates.none_values import assignments, nothing_fixes
from bot.search.templates.project import Definition, Project
from bot.search.templates.template import Template, template

_BUILTIN: dict[str, type] = {
    kind.__name__: kind
    for kind in (str, list, dict, set, tuple, int, float, bytes, frozenset, bool, complex, range)
}
_CALLABLE = frozenset({"function", "method", "builtin_function_or_method", "method_descriptor"})
_LAZY = frozenset(
    [
        "generator",
        "map",
        "filter",
        "zip",
        "dict_keys",
        "dict_values",
        "dict_items",
        "enumerate",
        "reversed",
        "range",
    ]
)
# Other languages' and other types' words for the same thing.
_WORDS: dict[tuple[str, str], str] = {
    ("list", "push"): "append", ("list", "add"): "append", ("list", "length"): "__len__",
    ("set", "append"): "add", ("set", "push"): "add", ("set", "extend"): "update", ("str", "trim"): "strip",
    ("str", "toLowerCase"): "lower", ("str", "toUpperCase"): "upper", ("str", "contains"): "__contains__",
    ("str", "indexOf"): "find", ("str", "length"): "__len__", ("dict", "has_key"): "__contains__",
    ("dict", "iteritems"): "items", ("dict", "itervalues"): "values", ("dict", "iterkeys"): "keys",
    ("dict", "add"): "update", ("dict", "append"): "update", ("str", "substring"): "__getitem__",
    ("list", "contains"): "__contains__", ("list", "size"): "__len__", ("list", "addAll"): "extend",
    ("list", "appendleft"): "insert", ("dict", "put"): "__setitem__", ("list", "popleft"): "pop",
    ("list", "update"): "extend", ("tuple", "append"): "__add__",
}  # fmt: skip


def _no_attribute(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    owner, name = match.group(1).rpartition(".")[2], match.group(2)
    places = [
        (spot, node) for spot in project.seen(failure) for node in spot.of(ast.Attribute) if node.attr == name
    ]
    classes = project.classes(owner)
    for spot, node in places[:1]:
        if owner == "NoneType":
            yield from nothing_fixes(node.value, spot, project)
        elif classes:
            for found in classes:
                yield from _misspelt(node, found, spot.context, project)
            yield from _or_none(node, spot.context)
        else:
            yield from _of_other(node, owner, spot.context)
    for found in classes[:2]:
        yield from _never_set(name, found, project)
        if not any(project.may_change(spot.context.source.path) for spot, _ in places):
            yield from renamed_member(name, found)


def _or_none(node: ast.Attribute, context: Context) -> Iterator[Mutation]:
    """None for an attribute that is read before anybody has set it."""
    called = getattr(context.source.parents.get(node), "func", None) is node
    if isinstance(node.ctx, ast.Load) and not called:
        code = f'getattr({context.code(node.value)}, "{node.attr}", None)'
        yield context.put(node, code, weight=0.57)


def _of_other(node: ast.Attribute, owner: str, context: Context) -> Iterator[Mutation]:
    """The attribute asked of something that is no class of the project's."""
    if owner in _BUILTIN:
        yield from _of_builtin(node, owner, context)
    elif owner in _CALLABLE:
        yield suffixed(node.value, "()", context, 0.98)
    elif owner == "coroutine":
        yield context.put(node.value, f"(await {context.code(node.value)})", weight=1.0)
    if owner in _LAZY:
        # What changes in place has to be a list where it is made: a copy's change is lost.
        if isinstance(node.value, ast.Name):
            for made in assignments(node.value, context)[:2]:
                yield wrapped(made.value, "list", context, 0.97)
        yield wrapped(node.value, "list", context, 0.95)
    if owner not in _BUILTIN:
        yield from _like_others(node, context)


def _end(node: ast.Attribute, context: Context) -> tuple[int, int]:
    end = context.source.segment(node)[1]
    return end - len(node.attr), end


def _of_builtin(node: ast.Attribute, owner: str, context: Context) -> Iterator[Mutation]:
    """The attribute asked of a value of a built-in type."""
    names = [name for name in dir(_BUILTIN[owner]) if not name.startswith("_")]
    for rank, other in enumerate(close(node.attr, names)):
        yield context.replace(*_end(node, context), other, weight=0.97 - 0.06 * rank)
    word = _WORDS.get((owner, node.attr), "")
    call = context.source.parents.get(node)
    if word and not word.startswith("__"):
        yield context.replace(*_end(node, context), word, weight=1.0)
    if isinstance(call, ast.Call) and node is call.func:
        yield from _as_operation(call, node, word, context)
        if node.attr in {"encode", "decode", "items", "tolist", "keys"} and owner != "dict":
            yield put_like(call, node.value, context, 0.98)
    elif word == "__len__":
        yield context.put(node, f"len({context.code(node.value)})", weight=1.0)
    yield from _other_collection(node, owner, context)
    if owner == "dict":
        yield context.put(node, f'{context.operand(node.value)}["{node.attr}"]', weight=0.9)
    for other, weight in (("str", 0.85), ("list", 0.6), ("dict", 0.5), ("set", 0.5)):
        if owner != other and hasattr(_BUILTIN[other], node.attr):
            decoding = (
                f"{context.operand(node.value)}.decode()" if owner == "bytes" and other == "str" else ""
            )
            code = decoding or f"{other}({context.code(node.value)})"
            yield context.put(node.value, code, weight=weight)
    if owner in {"list", "tuple"}:
        yield suffixed(node.value, "[0]", context, 0.5)
        yield suffixed(node.value, "[-1]", context, 0.35)


_MAKES = {
    "add": "set()",
    "append": "[]",
    "extend": "[]",
    "setdefault": "{}",
    "items": "{}",
    "discard": "set()",
}


def _other_collection(node: ast.Attribute, owner: str, context: Context) -> Iterator[Mutation]:
    """``seen = {}`` that should be a set: the collection begins as the wrong one."""
    name = context.code(node.value)
    for part in context.scopes.region(node):
        if isinstance(part, (ast.Assign, ast.AnnAssign)) and part.value is not None and node.attr in _MAKES:
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            empty = context.code(part.value) in {"{}", "[]", "()", "set()", "dict()", "list()", "''", '""'}
            if empty and any(context.code(target) == name for target in targets):
                yield context.put(part.value, _MAKES[node.attr], weight=0.99 if owner == "dict" else 0.9)


def _as_operation(call: ast.Call, node: ast.Attribute, word: str, context: Context) -> Iterator[Mutation]:
    """``d.has_key(k)`` as ``k in d``, and the like."""
    owner = context.operand(node.value)
    first = context.code(call.args[0]) if call.args else ""
    if word == "__contains__" and first:
        yield context.put(call, f"{context.operand(call.args[0], 6)} in {owner}", level=5, weight=1.0)
    elif word == "__len__":
        yield context.put(call, f"len({context.code(node.value)})", weight=1.0)
    elif word == "insert" and first:
        yield context.put(call, f"{owner}.insert(0, {first})", weight=1.0)
    elif word == "pop":
        yield context.put(call, f"{owner}.pop(0)", weight=1.0)
    elif word == "__add__" and first:
        yield context.put(call, f"{owner} += ({first},)", level=0, weight=0.95)
    elif word == "__setitem__" and len(call.args) == 2:
        code = f"{owner}[{first}] = {context.code(call.args[1])}"
        yield context.replace(*context.source.segment(call), code, weight=0.95)
    elif node.attr in {"append", "add"} and first and not word:
        yield context.put(call, f"{owner} += {first}", level=0, weight=0.7)


def _misspelt(
    node: ast.Attribute, found: Definition, context: Context, project: Project
) -> Iterator[Mutation]:
    """A member of the class, or of one above it, that has a similar name."""
    names = [name for each in (found, *project.bases(found)) for name in members_of(each)]
    for rank, other in enumerate(close(node.attr, names)):
        yield context.replace(*_end(node, context), other, weight=0.97 - 0.05 * rank)
    parent = context.source.parents.get(node)
    if isinstance(node.value, ast.Name) and node.value.id == "self":
        known = context.scopes.variables(node)
        defined = {signature.name for signature in context.scopes.callables}
        if node.attr in known or (node.attr in defined and isinstance(parent, ast.Call)):
            yield context.put(node, node.attr, weight=0.85)


def _like_others(node: ast.Attribute, context: Context) -> Iterator[Mutation]:
    """Nothing is known of the object: attributes of similar names that the file uses elsewhere."""
    for rank, other in enumerate(close(node.attr, context.scopes.attribute_names)):
        yield context.replace(*_end(node, context), other, weight=0.9 - 0.06 * rank)


def _never_set(name: str, found: Definition, project: Project) -> Iterator[Mutation]:
    """The object that lacks what its ``__init__`` should have set."""
    context, init = found.context, method(found, "__init__")
    if init is not None:
        parameters = [arg.arg for arg in (*init.args.args, *init.args.kwonlyargs)]
        for other in (name, name.lstrip("_")):
            if other in parameters:
                yield from inserted(init.body[-1], f"self.{name} = {other}", context, weight=0.96)
        for node in ast.walk(init):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name:
                yield context.put(node, f"self.{name}", weight=0.97)
        yield from _base_asked(name, init, found, project)
        others = [
            node.value
            for node in ast.walk(found.node)
            if isinstance(node, ast.Assign)
            and any(isinstance(t, ast.Attribute) and t.attr == name for t in node.targets)
        ]
        values = ("None", "[]", "0", "{}", '""') if others else ("[]", "{}", "0", "None")
        for rank, value in enumerate(values):
            code = f"self.{name} = {value}"
            yield from inserted(init.body[-1], code, context, weight=0.62 - 0.04 * rank)
    else:
        yield from misspelt_init(found)


def _base_asked(name: str, init: Function, found: Definition, project: Project) -> Iterator[Mutation]:
    """A base's ``__init__``, which sets the attribute, called before anything else is done."""
    context = found.context
    calls = [node for node in ast.walk(init) if isinstance(node, ast.Call)]
    work = [statement for statement in init.body if not is_docstring(statement)]
    if not work or any("super" in context.code(call) for call in calls):
        return
    parameters = [arg.arg for arg in (*init.args.args, *init.args.kwonlyargs)]
    for base in project.bases(found):
        base_init = method(base, "__init__")
        if base_init is not None and name in members_of(base):
            call_text = f"super().__init__({_passed(base_init, parameters)})"
            yield from inserted(work[0], call_text, context, weight=0.99, before=True)


def _passed(init: Function, parameters: list[str]) -> str:
    """The arguments for a base's ``__init__`` from the parameters of the same names."""
    names = [arg.arg for arg in init.args.args[1:]]
    required = len(names) - len(init.args.defaults)
    given = [name for rank, name in enumerate(names) if name in parameters or rank < required]
    # After one that is left out, the others have to be named.
    return ", ".join(name if names[rank] == name else f"{name}={name}" for rank, name in enumerate(given))


def _of_type(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """Asked of the class: a slip, an instance that was not made, the class of a module of the same name."""
    owner, name = match.group(1).rpartition(".")[2], match.group(2)
    for spot in project.spots(failure):
        context = spot.context
        for node in [node for node in spot.of(ast.Attribute) if node.attr == name][:1]:
            if name == owner:
                yield context.put(node, context.code(node.value), weight=0.97)
            for found in project.classes(owner):
                yield from _misspelt(node, found, context, project)
            if isinstance(node.value, ast.Name):
                yield context.put(node.value, f"{node.value.id}()", weight=0.7)
                if node.value.id == "cls":
                    yield context.put(node.value, "self", weight=0.5)
            return
    for found in project.classes(owner)[:2]:
        yield from renamed_member(name, found)


TEMPLATES: tuple[Template, ...] = (
    template(
        "missing attribute",
        "AttributeError",
        r"^'(?:[\w.]+\.)?(\w+)' object has no attribute '(\w+)'",
        _no_attribute,
    ),
    template(
        "class attribute", "AttributeError", r"type object '([\w.]+)' has no attribute '(\w+)'", _of_type
    ),
)
