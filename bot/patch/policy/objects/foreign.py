"""What code does to objects and classes that are not its own: sets, hands on, reaches into.

A class of the standard library is one for all that is loaded: the tests, pytest and the runner as well. By
its name, its change is refused (the rules of names). Here are the ways on which it has no name:
``type(x).run = f``, a variable, a parameter, ``type(sys.stdin.buffer.raw)("file", "w")``. A method may set
what it likes of its own object and class.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.patch.policy.dangers import words
from bot.patch.policy.finding import CodeFinding
from bot.patch.policy.names.bindings import BUILTIN_NAMES
from bot.patch.policy.names.modules import is_standard
from bot.patch.policy.names.scopes import Function, own_names
from bot.patch.policy.objects.expressions import ANCESTORS, chain, class_of, set_attributes
from bot.patch.policy.objects.origins import Origins
from bot.patch.syntax import Function as Definition
from bot.patch.syntax import children, every_node, last_name

_CHANGING_ITEMS = words("""
    update pop popitem setdefault clear append extend insert remove sort reverse add discard __setitem__
    __delitem__ __ior__ __iadd__
""")
# Classes of the standard library that are written in Python, and named like functions.
_LOWER_CLASSES = words("""
    closing suppress nullcontext cached_property partialmethod singledispatchmethod shlex finalize excel
    excel_tab unix_dialect scheduler local
""")
# Classes that are written in C: their attributes cannot be set.
_UNCHANGEABLE = words("""
    Decimal date datetime time timedelta timezone tzinfo OrderedDict defaultdict deque partial StringIO
    BytesIO array SimpleNamespace NoneType FunctionType MethodType ModuleType MappingProxyType GeneratorType
    Struct
""")
_TAKING = words("field ib attrib add_argument option argument Column cast TypeVar NewType Optional Union")
_ASKING = words("isinstance issubclass hasattr super cast")
_READERS = words("isinstance issubclass str repr id hash print format type getattr hasattr callable")
_SAYING = words("format get error debug warning info append")
# What objects of the standard library keep inside: files, sockets, and what is deleted at their end.
_INNER = words("""
    _ssock _csock _selector _sock _sock_connect _closer _finalizer _TemporaryFileArgs _default_executor
    _sock_accept _sock_connect_cb _add_reader _add_writer _make_socket_transport
""")
_HARMLESS = words("daemon propagate")
_OF_CLASSES = words("staticmethod classmethod abstractmethod property cached_property")
_SETTABLE = words("setter cached_property")
_WRAPPING = (
    *(ast.Tuple, ast.List, ast.Set, ast.Starred, ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Dict),
    *(ast.Subscript, ast.Await, ast.YieldFrom),
)


@dataclass(slots=True)
class ForeignObjects:
    """What one module does to what is not its own: ``found`` is for a person.

    ``unknown`` are attributes set of what the module does not know; ``classes`` are classes that it hands on.
    Either is common. Together, in one patch, they may be the change of such a class. ``setters`` says that a
    function of the module sets an attribute whose name it is given.
    """

    found: Counter[CodeFinding] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    setters: bool = False
    classes: Counter[str] = field(default_factory=Counter)


def foreign_objects(tree: ast.Module, objects: Origins) -> ForeignObjects:
    """What ``tree`` does to them; ``objects`` are those of the standard library."""
    reader = _Reader(tree, objects)
    reader.read(tree, above=tree, own=frozenset())
    return reader.result


class _Reader:
    def __init__(self, tree: ast.Module, objects: Origins) -> None:
        self.result = ForeignObjects()
        self._objects = objects
        self._things = Origins(tree, lambda one: not one.made)  # classes, modules and what these have
        classes = [node for node in every_node(tree) if isinstance(node, ast.ClassDef)]
        functions = [(node.name, one) for node in classes for one in node.body if isinstance(one, Definition)]
        self._methods = {one.name for _, one in functions}
        decorated = [(one, decorator) for _, one in functions for decorator in one.decorator_list]
        self._settable = {one.name for one, decorator in decorated if last_name(decorator) in _SETTABLE}
        made = (one.args.args for one, decorator in decorated if last_name(decorator) == "classmethod")
        self._classes = {"cls", *(one[0].arg for one in made if one)}
        self._unbound = {
            (owner, one.name)
            for owner, one in functions
            if one.args.args and not _OF_CLASSES.intersection(map(last_name, one.decorator_list))
        }
        stored: list[tuple[str, str]] = []
        for node in every_node(tree):
            match node:
                case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Store()):
                    stored.append((owner, name))
        self._of_objects = self._methods | {name for owner, name in stored if owner == "self"}
        self._private = self._of_objects | {name for owner, name in stored if owner == "cls"}

    def read(self, node: ast.AST, *, above: ast.AST, own: frozenset[str]) -> None:
        """Read ``node`` and what is below it; ``own`` are the names of the objects of the methods around."""
        if isinstance(node, Function):
            own = own_names(node, own, in_class=isinstance(above, ast.ClassDef))
        for base, name in set_attributes(node):
            self._judge(base, name, own)
        for reason in (*self._changed_items(node, own), *self._taken(node, above, own)):
            self._show(reason, above)
        if isinstance(node, ast.Attribute):
            for reason in self._inside(node):
                self._show(reason, above)
        for name in self._given_away(node):
            self._show(f"a class of the standard library is handed to what may change it: {name}", node)
        for value in _handed_on(node):
            if (known := self._class_of_others(value)) is not None:
                self.result.classes[known] += 1
        for child in children(node):
            self.read(child, above=node, own=own)

    def _show(self, reason: str, code: ast.AST) -> None:
        self.result.found[CodeFinding(reason, ast.dump(code))] += 1

    def _judge(self, base: ast.expr, name: str, own: frozenset[str]) -> None:
        """Judge an attribute that is set."""
        parts = list(chain(base))
        root, origin = parts[-1], self._objects.of(base)
        is_own = isinstance(root, ast.Name) and root.id in own
        of_type = any(class_of(one) is not None for one in parts)
        if any(isinstance(one, ast.Attribute) and one.attr in ANCESTORS for one in parts):
            what = "of a class above another"
        elif is_own and (of_type or not isinstance(base, ast.Attribute)):
            # of its own object, or of the class of that: where the name is no object's, it is harmless
            of_class = of_type or (isinstance(root, ast.Name) and root.id in self._classes)
            what = "of what the own class's objects have" if of_class and name in self._of_objects else ""
        elif of_type:
            what = "of the class of something"
        elif isinstance(root, ast.Name) and root.id in self._objects.imported:
            # The standard library's are refused by their names.
            what = "" if is_standard(self._objects.imported[root.id]) else "of what another module has"
        elif self._things.of(base) is not None:
            what = "of what may be a class of others"
        else:
            what = ""
            self.result.unknown[ast.dump(base) + name] += 1
            self.result.setters = self.result.setters or (name == "?" and not is_own)
            if origin is not None and name not in _HARMLESS:
                what = f"of an object of {origin.name}"
            elif name in self._methods - self._settable and not is_own:
                what = "of a method"
        if what:
            reason = f"a change {what}: {ast.unparse(base)[:40]}.{name}"
            self.result.found[CodeFinding(reason, "")] += 1

    def _changed_items(self, node: ast.AST, own: frozenset[str]) -> Iterator[str]:
        """What changes the items of something that another module has, by a name of the own."""
        match node:
            case (
                ast.Subscript(value=base, ctx=ast.Store() | ast.Del())
                | ast.AugAssign(target=ast.Name() as base)
            ):
                pass
            case ast.Call(func=ast.Attribute(value=base, attr=method)) if method in _CHANGING_ITEMS:
                pass
            case _:
                return
        root = list(chain(base))[-1]
        if isinstance(root, ast.Name) and root.id not in own | self._objects.imported.keys():
            origin = self._things.of(root)
            if origin is not None and "." in origin.name:
                yield "a change of what belongs to another module"

    def _taken(self, node: ast.AST, above: ast.AST, own: frozenset[str]) -> Iterator[str]:
        """Classes that are taken from objects, methods from classes, and standard streams that are closed."""
        owner = class_of(node)
        if owner is not None and not _only_reads(above, node) and self._is_odd(owner, above, node):
            yield "a class is taken from an object and used"
        match node:
            case ast.Call(args=[ast.Name(id="type"), *others]) if any(map(self._objects.of, others)):
                yield "a class is taken from an object and used"
            case ast.Call(func=ast.Attribute(value=stream, attr="close" | "detach")):
                origin = self._objects.of(stream)
                if origin is not None and origin.name.partition(".")[0] == "sys":
                    yield "a standard stream is closed"
            case ast.MatchClass(kwd_attrs=names) if "__class__" in names:
                yield "a class is taken from an object and used"
            case ast.Attribute(value=owner, attr=method):
                known = isinstance(owner, ast.Name) and (owner.id, method) in self._unbound
                of_type = class_of(owner) is not None and method in self._methods
                given = above.args[:1] if isinstance(above, ast.Call) and above.func is node else []
                bound = any(isinstance(one, ast.Name) and one.id in own for one in given)
                if (known or of_type) and not bound:
                    yield f"{ast.unparse(node)} is taken from its class, and may be given any object"

    def _is_odd(self, owner: ast.expr, above: ast.AST, node: ast.AST) -> bool:
        """Whether the class of ``owner`` may do more than to make an object of the project."""
        name = last_name(owner)
        like_class = name[:1].isupper() and not name.isupper()
        if self._objects.of(owner) or self._things.of(owner) or like_class or class_of(owner):
            return True
        if not isinstance(above, ast.Call) or above.func is not node:
            return False
        return name == "cls" or len(above.args) == 3 or isinstance(owner, ast.Lambda)

    def _inside(self, node: ast.Attribute) -> Iterator[str]:
        name, origin = node.attr, self._objects.of(node.value)
        if name in self._private or not name.startswith("_") or name.startswith("__"):
            return
        # loggers keep no files there, and adapters of them are common
        of_library = origin is not None and origin.name.partition(".")[0] != "logging"
        if name in _INNER or of_library:
            yield f"{name} reaches inside of an object of {origin.name if origin else 'the standard library'}"

    def _given_away(self, node: ast.AST) -> Iterator[str]:
        """Classes of the standard library that a function of the project, or an unknown one, is given."""
        if not isinstance(node, ast.Call):
            return
        root, name = list(chain(node.func))[-1], last_name(node.func)
        if isinstance(root, ast.Name):
            name = name or root.id
            standard = is_standard(self._objects.imported.get(root.id, "?"))
            if name in _TAKING or standard or (root is node.func and root.id in BUILTIN_NAMES):
                return
        for value in (*node.args, *(one.value for one in node.keywords)):
            known = self._class_of_others(value)
            first, _, last = (known or "?").partition(".")
            standard = is_standard(self._objects.imported.get(first, "?"))
            if known and standard and (last or first).rpartition(".")[2] not in _UNCHANGEABLE:
                yield known

    def _class_of_others(self, node: ast.AST) -> str | None:
        """The dotted name of a class that is imported, where ``node`` is one; None for anything else."""
        if isinstance(node, _WRAPPING):
            found = (self._class_of_others(one) for one in children(node))
            return next((one for one in found if one), None)
        if not isinstance(node, ast.Name | ast.Attribute):
            return None
        root, last = list(chain(node))[-1], last_name(node)
        if not isinstance(root, ast.Name) or root.id not in self._objects.imported:
            return None
        is_class = last in _LOWER_CLASSES or (
            last[:1].isupper() and not last.isupper() and not last.endswith(("Error", "Exception", "Warning"))
        )
        return ast.unparse(node) if is_class else None


def _only_reads(above: ast.AST, node: ast.AST) -> bool:
    match above:
        case ast.Attribute(attr=name):
            return name not in {"__new__", "__call__", "__init__"}
        case ast.Compare() | ast.FormattedValue() | ast.BinOp(op=ast.Mod()) | ast.Expr():
            return True
        case ast.Subscript(slice=key):
            return key is node
        case ast.Call(func=function) if function is not node:
            return last_name(function) in (_READERS if isinstance(function, ast.Name) else _SAYING)
    return False


def _handed_on(node: ast.AST) -> Iterator[ast.AST]:
    """The values that ``node`` hands to something else, which may change them."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in _ASKING:
            return
        case ast.Call(args=arguments, keywords=keywords):
            yield from (*arguments, *(one.value for one in keywords))
        case ast.Dict(values=values):
            yield from values
        case (
            ast.Assign(value=value)
            | ast.NamedExpr(value=value)
            | ast.AnnAssign(value=ast.expr() as value)
            | ast.Return(value=ast.expr() as value)
            | ast.Yield(value=ast.expr() as value)
            | ast.YieldFrom(value=value)
            | ast.For(iter=value)
            | ast.comprehension(iter=value)
        ):
            yield value
