"""Names and expressions: the wrong one among those that could stand there.

"Change identifier used" is the single commonest pattern of SStuBs (Karampatsis & Sutton, MSR 2020) and of
PySStuBs (Kamienski et al., MSR 2021); HumanEvalPack calls it "variable misuse". Names that do not exist are
the fix templates' business. That a fix is already written elsewhere carries GenProg (Le Goues et al. 2012):
most one-line fixes consist of code that the same file holds (Martinez et al., ICSE 2014).
"""

import ast
import builtins
from collections.abc import Iterator

from bot.patch.syntax import walk
from bot.search.kinds import Kind
from bot.search.kinship import alike, kinship
from bot.search.operators.base import Context, Mutation, operator
from bot.search.roles import fit
from bot.search.source import attribute_of_self, is_read, names_in

_MOST = 16  # variables tried in one place
_READ_ELSEWHERE = 0.6  # what a variable weighs that is in use while another one is not
_INGREDIENTS = (ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.Compare, ast.BoolOp)
_STATEMENTS = (ast.Return, ast.Assign, ast.AugAssign, ast.If, ast.While, ast.For)
_PLACES = (*_STATEMENTS, ast.Call, ast.keyword, ast.Compare, ast.BinOp, ast.BoolOp, ast.IfExp, ast.Subscript)
_MAX_NEAR = 10  # ingredients tried in one place
_MAX_ELSEWHERE = 4  # of them from other functions


def alternatives(node: ast.expr, context: Context) -> Iterator[tuple[str, float]]:
    """Variables that could stand in the node's place, likeliest first."""
    own = context.code(node)
    kind = context.scopes.kind(node)
    module = set(context.scopes.module_variables)
    unread = context.scopes.unread(node)
    for name in context.scopes.variables(node)[:_MOST]:
        if name != own:
            other = context.scopes.kind_of_name(name, node)
            unlike = Kind.UNKNOWN not in {kind, other} and kind is not other
            # A variable that nobody reads is the one that somebody forgot.
            forgotten = 1.0 if not unread or name in unread else _READ_ELSEWHERE
            yield name, (0.35 if unlike else 1.0) * (0.5 if name in module else 1.0) * forgotten


@operator("variable", prior=0.75, kinds=(ast.Name,))
def variable_swap(node: ast.Name, context: Context) -> Iterator[Mutation]:
    """Another variable in scope."""
    if not isinstance(node.ctx, ast.Load) or context.source.is_called(node):
        return
    if not _is_variable(node, context):
        return
    for name, weight in alternatives(node, context):
        likely = fit(name, node, context) * kinship(node.id, name, node, context) * alike(node.id, name)
        yield context.put(node, name, weight=weight * likely)


def _is_variable(node: ast.Name, context: Context) -> bool:
    """Whether a name that is read may be a slip: no module, no class, not the object itself."""
    parent = context.source.parents[node]
    if node.id in {"self", "cls"}:
        return not isinstance(parent, ast.Attribute)
    handled = isinstance(parent, ast.ExceptHandler) and parent.type is node
    known = node.id in context.scopes.variables(node) or (node.id.islower() and hasattr(builtins, node.id))
    return known and not handled


@operator("attribute", prior=0.6, kinds=(ast.Attribute,))
def attribute_swap(node: ast.Attribute, context: Context) -> Iterator[Mutation]:
    """Another attribute of ``self``, or of any object that the file reads attributes of."""
    if context.source.is_called(node):
        return
    owner = node.value.id if isinstance(node.value, ast.Name) else ""
    on_self = owner == "self"
    members = [] if on_self else context.once(_members, context.source.tree).get(owner, [])
    names = context.scopes.self_attributes(node) if on_self else context.scopes.attribute_names
    if owner in context.scopes.modules:
        names = ()
    nearest = sorted(names, key=lambda name: -alike(node.attr, name))[:_MOST]
    for name in dict.fromkeys([*members[:_MOST], *nearest]):
        if name != node.attr:
            why = f"use `.{name}` instead of `.{node.attr}`"
            weight = 1.0 if on_self or name in members else 0.3
            likely = kinship(node.attr, name, node, context) * alike(node.attr, name)
            yield context.rename(node, name, weight=weight * likely, why=why)


def _members(tree: ast.AST, context: Context) -> dict[str, list[str]]:
    """By the name of an object or class what its body sets, then what the file reads: ``State.PAID``."""
    found: dict[str, list[str]] = {}
    for part in walk(tree):
        match part:
            case ast.ClassDef(name=name, body=body):
                own = [one for one in body if isinstance(one, ast.Assign)]
                names = [to.id for one in own for to in one.targets if isinstance(to, ast.Name)]
                found[name] = [*names, *found.get(name, [])]
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                if not context.source.is_called(part):
                    found.setdefault(name, []).append(attribute)
    return {name: list(dict.fromkeys(members)) for name, members in found.items()}


@operator("self attribute", prior=0.5, kinds=(ast.Name, ast.Attribute))
def self_attribute(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``x`` where ``self.x`` was meant, and the other way round."""
    if isinstance(node, ast.Attribute):
        if attribute_of_self(node) and node.attr in context.scopes.variables(node):
            yield context.put(node, node.attr, weight=0.8)
        return
    assert isinstance(node, ast.Name)
    function = context.source.function_of(node)
    names = context.scopes.self_attributes(node) + context.scopes.methods(node)
    if function is None or [arg.arg for arg in function.args.args[:1]] != ["self"]:
        return
    if node.id in names:
        yield context.put(node, f"self.{node.id}")
    elif isinstance(node.ctx, ast.Load) and _is_variable(node, context):
        for name in context.scopes.self_attributes(node)[:6]:
            yield context.put(node, f"self.{name}", weight=0.3 * fit(f"self.{name}", node, context))


@operator("attribute of another", prior=0.4, kinds=(ast.Name,))
def attribute_of_another(node: ast.Name, context: Context) -> Iterator[Mutation]:
    """``request.url`` for ``url``: what another variable has under the same name."""
    if not is_read(node) or context.source.is_called(node) or node.id not in context.scopes.attribute_names:
        return
    if not _is_variable(node, context):
        return
    for name in context.scopes.variables(node)[:_MOST]:
        if name not in {node.id, "self", "cls"}:
            yield context.put(node, f"{name}.{node.id}", weight=0.8)


@operator("function for attribute", prior=0.35, kinds=(ast.Attribute,))
def function_for_attribute(node: ast.Attribute, context: Context) -> Iterator[Mutation]:
    """``key_of(field)`` for ``field.name``: what a function of the file finds out about an object."""
    if not isinstance(node.value, ast.Name) or not is_read(node) or context.source.is_called(node):
        return
    around = context.source.function_of(node)
    for found in context.scopes.functions:
        if found.at_least == 1 and found.name != getattr(around, "name", "") and node.value.id != "self":
            yield context.put(node, f"{found.name}({node.value.id})", weight=0.8)


@operator("reuse", prior=0.25, kinds=(*_INGREDIENTS, ast.Name, ast.Constant))
def expression_reuse(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """Another expression of the function, or of the file where it means something here."""
    parent = context.source.parents[node]
    if not is_read(node) or not isinstance(parent, _PLACES) or context.source.is_called(node):
        return
    for part, weight in _ingredients(node, context):
        yield context.put_like(node, part, weight=weight)


def _ingredients(node: ast.expr, context: Context) -> Iterator[tuple[ast.expr, float]]:
    own, kind = context.code(node), context.scopes.kind(node)
    found = context.once(_expressions, context.source.function_of(node) or context.source.tree)
    near = sorted(found.items(), key=lambda item: abs(item[1].lineno - node.lineno))
    for code, part in [item for item in near if item[0] != own and "\n" not in item[0]][:_MAX_NEAR]:
        other = context.scopes.kind(part)
        alike = type(part) is type(node) or (other is kind and kind is not Kind.UNKNOWN)
        inside = code in own or own in code
        yield part, (1.0 if alike else 0.5) * (0.7 if inside else 1.0)
    yield from _from_elsewhere(node, context, {own, *found})


def _expressions(owner: ast.AST, context: Context) -> dict[str, ast.expr]:
    """The expressions of a function or module that may be of use elsewhere in it, by their text."""
    found: dict[str, ast.expr] = {}
    for part in context.scopes.region_of(owner):
        used = is_read(part) and not isinstance(context.source.parents.get(part), ast.Expr)
        if isinstance(part, _INGREDIENTS) and used and not context.source.is_called(part):
            found.setdefault(context.code(part), part)
    return found


def _from_elsewhere(node: ast.expr, context: Context, seen: set[str]) -> Iterator[tuple[ast.expr, float]]:
    """Expressions of the same shape from other functions of the file, where all their names are known."""
    if not isinstance(node, _INGREDIENTS):
        return
    names = {*context.scopes.variables(node), *context.scopes.outer_names, "self"}
    count = 0
    for part in context.scopes.expressions.get(type(node), ()):
        code = context.code(part)
        if code in seen or "\n" in code:
            continue
        read = set(names_in(part))
        if read and read <= names and not isinstance(context.source.parents[part], ast.Expr):
            seen.add(code)
            count += 1
            yield part, 0.35
        if count >= _MAX_ELSEWHERE:
            return
