"""Changes that several fix templates make: a name throughout, a parameter, an import, a call around it."""

import ast
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from bot.search.nearness import shared_ends
from bot.search.operators.base import Context, Mutation, together
from bot.search.operators.logic import conditions
from bot.search.precedence import AND
from bot.search.source import Function
from bot.search.templates.project import Definition, Project, Spot

_DEFINES = re.compile(r"(?:async[\s\\]+)?(?:def|class)[\s\\]+(\w+)")
_MOST = 5


def renamed(nodes: list[ast.Name], code: str, context: Context, weight: float) -> Mutation:
    """The same text in place of several names."""
    changes = (context.put(node, code) for node in nodes)
    return together(*changes, weight=weight, why=f"use `{code}` instead of `{nodes[0].id}`")


def add_parameter(function: Function, code: str, context: Context, *, first: bool, weight: float) -> Mutation:
    """One more parameter, before the others or after the last that takes no default."""
    source, start = context.source, _parameters_start(function, context)
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    why = f"add the parameter `{code}`"
    any_there = bool(plain or arguments.vararg or arguments.kwonlyargs or arguments.kwarg)
    required = len(plain) - len(arguments.defaults)
    last: ast.AST
    if plain and not first and ("=" in code or "*" in code or not arguments.defaults):
        last = arguments.defaults[-1] if arguments.defaults else plain[-1]
    elif plain and not first and required:
        last = plain[required - 1]
    else:
        return context.replace(start, start, f"{code}, " if any_there else code, weight=weight, why=why)
    end = source.segment(last)[1]
    return context.replace(end, end, f", {code}", weight=weight, why=why)


def _parameters_start(function: Function, context: Context) -> int:
    """Where the parameters begin: after the parenthesis that opens them."""
    source, start = context.source, _name_span(function, context)[1]
    # Since Python 3.12 those of types, which may hold brackets, come between.
    for part in getattr(function, "type_params", ()):
        start = source.offset(part.end_lineno, part.end_col_offset)
    return source.code.index("(", start) + 1


def _name_span(node: Function | ast.ClassDef, context: Context) -> tuple[int, int]:
    """Where the name stands that a definition gives: the text may spell it otherwise than ``ast`` does."""
    source = context.source
    found = _DEFINES.match(source.code, source.offset(node.lineno, node.col_offset))
    assert found is not None
    return found.span(1)


def modules_for(path: str, spot: Spot, project: Project) -> Iterator[str]:
    """How the spot's file may name the module at ``path``: as its neighbours do, relative or absolute."""
    target, own = project.dotted(path), project.dotted(spot.context.source.path)
    inside = spot.context.source.path.endswith("__init__.py")
    package = own if inside else own[:-1]
    shared = shared_ends(package, target)[0]
    relative = "." * (len(package) - shared + 1) + ".".join(target[shared:]) if package and shared else ""
    imports = (node for node in spot.context.source.statements if isinstance(node, ast.ImportFrom))
    absolute = ".".join(target)
    found = (relative, absolute) if any(node.level for node in imports) else (absolute, relative)
    yield from filter(None, found)


def definition_renamed(found: Definition[Any], name: str, weight: float) -> Mutation:
    """The definition, and every use of its name in its file, under another name."""
    context, old = found.context, found.node.name
    changes = [context.replace(*_name_span(found.node, context), name)]
    for node in context.source.parents:
        if isinstance(node, ast.Name) and node.id == old and found.owner is None:
            changes.append(context.put(node, name))
        elif isinstance(node, ast.Attribute) and node.attr == old and found.owner is not None:
            changes.append(context.rename(node, name))
    return together(*changes, weight=weight, why=f"rename `{old}` to `{name}`")


def bare(node: ast.expr, context: Context) -> str:
    """The code of an expression, a generator's without its parentheses."""
    code = context.code(node)
    return code[1:-1] if isinstance(node, ast.GeneratorExp) else code


def wrapped(node: ast.expr, call: str, context: Context, weight: float) -> Mutation:
    """``call(...)`` around an expression."""
    return context.put(node, f"{call}({bare(node, context)})", weight=weight)


def suffixed(node: ast.expr, suffix: str, context: Context, weight: float) -> Mutation:
    """An expression with an attribute, call or subscript after it."""
    return context.put(node, context.operand(node) + suffix, weight=weight)


def decorators(found: Definition[Function]) -> set[str]:
    """The names of a definition's decorators, without their arguments."""
    return {found.context.code(part).partition("(")[0] for part in found.node.decorator_list}


def decorated(found: Definition[Function], decorator: str, weight: float) -> Mutation:
    """A definition with one more decorator, above the others."""
    source = found.context.source
    start = source.segment(found.node)[0]
    indent = source.indent_of(found.node) or ""
    code = f"{decorator}{source.newline}{indent}"
    return found.context.replace(start, start, code, weight=weight, why=f"add `{decorator}`")


def close(name: str, names: Iterable[str], *, cutoff: float = 0.6) -> list[str]:
    """Names that ``name`` may be a slip of, likeliest first, ``name`` itself left out.

    Same letters in another case or with other underscores come first, then a difference of letters by
    difflib's ratio (Ratcliff and Obershelp's gestalt matching), then a name that holds the other as a word.
    """
    pool = [other for other in dict.fromkeys(names) if other != name]
    exact = [other for other in pool if _bare(other) == _bare(name)]
    similar = get_close_matches(name, pool, n=_MOST, cutoff=cutoff)
    words = set(name.strip("_").split("_"))
    holding = [other for other in pool if len(name) > 2 and (words & set(other.strip("_").split("_")))]
    return list(dict.fromkeys((*exact, *similar, *holding)))[:_MOST]


def _bare(name: str) -> str:
    return name.lower().replace("_", "")


def asked_first(node: ast.expr, clause: str, context: Context, weight: float) -> Iterator[Mutation]:
    """``clause and ...`` before the part of a condition that ``node`` belongs to."""
    part = node
    for above in context.source.ancestors(node):
        if part in conditions(above) or (isinstance(above, ast.BoolOp) and part in above.values):
            code = f"{clause} and {context.operand(part, AND)}"
            yield context.put(part, code, level=AND, weight=weight, why=f"only if `{clause}`")
            return
        if not isinstance(above, ast.expr):
            return
        part = above
