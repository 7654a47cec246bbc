"""Special names that are bound in another way than by a definition, which alone has a form to be read."""

import ast
from collections.abc import Iterator

from bot.patch.policy.classes.special_methods import PLAIN, SPECIAL
from bot.patch.policy.dangers import words
from bot.patch.policy.finding import CodeFinding
from bot.patch.syntax import children, every_node, walk

_DATA = (ast.Constant, ast.List, ast.Tuple, ast.JoinedStr)
_SHOWN = words("__repr__ __str__ __unicode__ __html__")


def set_otherwise(tree: ast.Module) -> Iterator[CodeFinding]:
    """Special names that are bound in another way than by a definition."""
    said_only = {id(one) for node in every_node(tree) for one in _texts(node)}
    facts = {id(node) for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, _DATA)}
    for above in every_node(tree):
        for node in children(above):
            if id(node) in said_only or (isinstance(node, ast.Name) and id(above) in facts):
                continue
            for name in _named(node):
                if SPECIAL.fullmatch(name) and name not in PLAIN | _SHOWN:
                    yield CodeFinding(f"{name} is set from outside", name + ast.dump(above))


def _named(node: ast.AST) -> Iterator[str]:
    """What a node binds, or says as a string."""
    match node:
        case (
            ast.Name(id=name, ctx=ast.Store() | ast.Del())
            | ast.Attribute(attr=name, ctx=ast.Store() | ast.Del())
        ):
            yield name
        case ast.ClassDef(name=name) | ast.keyword(arg=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case ast.Constant(value=str(text)):
            yield from text.split(".")


def _texts(node: ast.AST) -> Iterator[ast.AST]:
    """The strings that name an attribute to ask for it, or stand by themselves."""
    match node:
        case ast.Expr(value=ast.Constant() as text):
            yield text
        case ast.Call(func=ast.Name(id="getattr" | "hasattr")) | ast.Compare():
            yield from (one for one in walk(node) if isinstance(one, ast.Constant))
