"""Names of a module that a test would take for others, where it imports everything.

``from shop import *`` brings ``math`` into a test, whatever the module calls so.
"""

import ast
import sys
from collections.abc import Iterator

from bot.patch.policy.dangers import words
from bot.patch.policy.finding import CodeFinding
from bot.patch.policy.names.bindings import BUILTIN_NAMES
from bot.patch.policy.names.scopes import bound_by, own_nodes
from bot.patch.syntax import last_name, walk

_HELPERS = words("approx raises isclose allclose pytest unittest mock patch warns assert_allclose")
_NAMES = frozenset(
    one for one in (*sys.stdlib_module_names, *BUILTIN_NAMES, *_HELPERS) if not one.startswith("_")
)
_FRAMEWORKS = ("pytest", "unittest", "py.test")


def taken_names(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each name of the module that hides another."""
    for statement in tree.body:
        match statement:
            case ast.Assign(value=ast.Constant(value=None)):
                continue  # what is missing
        for name in _NAMES.intersection(_bound(statement)):
            yield CodeFinding(f"the name {name} is taken by the module", name)


def asks_for_tests(tree: ast.Module) -> Iterator[str]:
    """What reads the arguments of the program, and names a test framework."""
    for node in tree.body:
        parts = node.body if isinstance(node, ast.ClassDef) else [node]
        for part in parts:
            inside = list(walk(part))
            said = {id(one.value) for one in inside if isinstance(one, ast.Expr)}
            names = {last_name(one) for one in inside if isinstance(one, ast.Attribute | ast.Name)}
            texts = (one.value for one in inside if isinstance(one, ast.Constant) and id(one) not in said)
            named = any(name in text for text in texts if isinstance(text, str) for name in _FRAMEWORKS)
            if named and names & {"argv", "orig_argv"}:
                yield "code asks whether it is under test"


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of the module binds anew; an import under its own name binds none."""
    for node in own_nodes(statement):
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for one in names:
                    if one.asname and one.asname != one.name.rpartition(".")[2]:
                        yield one.asname
            case _:
                yield from bound_by(node)
