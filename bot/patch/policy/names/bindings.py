"""What the names of one module stand for: its imports, its scopes, and Python's builtins."""

import ast
import builtins
import sys

from bot.patch.policy.names.modules import DANGEROUS_MODULES
from bot.patch.syntax import every_node

BUILTIN_NAMES = frozenset(dir(builtins)) | {"exit", "quit", "copyright", "credits", "license"}
_BY_NAME = {"getattr", "setattr", "delattr"}
_ASKING = {"get", "pop", "setdefault", "__getitem__"}
_MODULES = sys.stdlib_module_names | DANGEROUS_MODULES


class Bindings:
    """The names of a module; ``scopes`` are those of the functions around the place, the outermost first."""

    def __init__(self, tree: ast.Module, certain: frozenset[str]) -> None:
        self.scopes: list[frozenset[str]] = []
        self._certain = certain
        self._aliases: dict[str, dict[str, None]] = {}
        self._starred: list[str] = []
        self._stored: set[str] = set()
        self._redefined: set[str] = set()
        for node in every_node(tree):
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Store):
                    self._stored.add(node.id)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self._bind(node)
            elif isinstance(node, ast.ClassDef | ast.MatchAs | ast.MatchStar) and node.name:
                self._redefined.add(node.name)

    def _bind(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                bound = alias.asname or alias.name.partition(".")[0]
                meaning = alias.name if alias.asname else bound
            elif alias.name == "*":
                self._starred += [node.module] if node.module and not node.level else []
                continue
            else:
                bound = alias.asname or alias.name
                # What a module of the project hands on by the name of another is taken for that other.
                meaning = f"{node.module}.{alias.name}" if node.level == 0 else f".{alias.name}"
            self._aliases.setdefault(bound, {})[meaning] = None

    def meanings(self, node: ast.expr) -> tuple[str, ...]:
        """The dotted names that ``node`` may stand for; empty where it stands for no name."""
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if (link := self.link(node)) is None:
            return ()
        return tuple(f"{head}.{link[1]}" for head in self.meanings(link[0]) or ("",))

    def link(self, node: ast.expr) -> tuple[ast.expr, str] | None:
        """What the chain's last link hangs on, and its name; None at the chain's beginning."""
        match node:
            case ast.Attribute(value=value, attr=name):
                return value, name
            case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=name), *_]) if (
                self.is_access_by_name(node)
            ):
                return value, str(name)
        return self.item(node)

    def item(self, node: ast.expr) -> tuple[ast.expr, str] | None:
        """Object and name in ``vars(x)["name"]``, ``x.__dict__["name"]`` and ``vars(x).get("name")``."""
        match node:
            case ast.Subscript(value=space, slice=ast.Constant(value=str(name))):
                pass
            case ast.Call(func=ast.Attribute(value=space, attr=method), args=[ast.Constant(value=name), *_]):
                if method not in _ASKING or not isinstance(name, str):
                    return None
            case _:
                return None
        owner = self.owner(space)
        return (owner, name) if owner else None

    def owner(self, node: ast.expr) -> ast.expr | None:
        """The object whose attributes are found in ``node`` by name: ``x`` of ``vars(x)``, ``x.__dict__``."""
        match node:
            case ast.Attribute(value=value, attr="__dict__"):
                return value
            case ast.Call(func=ast.Name() as function, args=[value]):
                return value if self.meanings(function) == ("builtins.vars",) else None
        return None

    def is_access_by_name(self, node: ast.Call) -> bool:
        """Whether it is a call of the builtin ``getattr`` or its like, with an object and a name."""
        if not isinstance(node.func, ast.Name) or node.func.id not in _BY_NAME or len(node.args) < 2:
            return False
        starred = any(isinstance(one, ast.Starred) for one in node.args[:2])
        return not starred and self._name(node.func.id) == (f"builtins.{node.func.id}",)

    def _name(self, name: str) -> tuple[str, ...]:
        if any(name in scope for scope in self.scopes):
            return (name,)
        found = list(self._aliases.get(name, ()))
        if name not in self._certain:
            if name in BUILTIN_NAMES:
                found.append(f"builtins.{name}")
            elif not found and name not in self._stored:
                found += [f"{module}.{name}" for module in self._starred]
        return tuple(found) or (name,)

    def is_builtin(self, node: ast.expr) -> bool:
        """Whether ``node`` is a name of Python's own, which nothing in the module takes for another."""
        if not isinstance(node, ast.Name) or node.id in self._stored | self._redefined:
            return False
        return self._name(node.id) == (f"builtins.{node.id}",)

    def is_imported(self, node: ast.expr) -> bool:
        """Whether the chain that ends with ``node`` begins with an imported name."""
        while (link := self.link(node)) is not None:
            node = link[0]
        if not isinstance(node, ast.Name) or any(node.id in scope for scope in self.scopes):
            return False
        # A module whose import is missing, or hidden in a star, is one all the same.
        if node.id in self._aliases:
            return True
        is_bound = node.id in self._stored or node.id in self._certain
        is_starred = bool(self._starred) and node.id not in BUILTIN_NAMES
        return not is_bound and (node.id in _MODULES or is_starred)
