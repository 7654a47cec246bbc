"""Expands a call of nox into what its session installs and runs, by the syntax tree of ``noxfile.py``.

Nothing of the file is run. Values are followed as far as they are literals, constants of the module, or
dependency groups; helpers that get the session are followed as well. What only a run knows is left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from sandbox.ci.commands import Command, ToolInvocation, inside
from sandbox.formats import literal, parsed

MAX_DEPTH = 4
"""Helpers within helpers that are followed."""

MAX_COMMANDS = 200
_TESTING = re.compile(r"test|unit|pytest", re.IGNORECASE)
_NOT_TESTING = re.compile(
    r"doc|lint|typ|mypy|cover|build|release|download|integration|e2e|downstream|system|bench|import|mindeps|"
    r"minimal|oldest|lowest|emscripten|pyodide|wheel|sdist|smoke|template",
    re.IGNORECASE,
)
# What a session calls, and with which words that begins.
_CALLS: dict[str, tuple[str, ...]] = {
    "install": ("pip", "install"),
    "conda_install": ("conda", "install"),
    **dict.fromkeys(("run", "run_always", "run_install"), ()),
}


def expand(call: ToolInvocation) -> list[Command]:
    """What a call of nox installs and runs; empty where that is not known."""
    directory, asked = call.directory, call.variables.get("NOXSESSION")
    named = [value for option, value in pairwise(call.words) if option in {"-f", "--noxfile"}]
    tree = parsed(call.files.get(inside(directory, ["noxfile.py", *named][-1]), b""))
    if tree is None:
        return []
    module = _Module.of(tree)
    wanted = [re.split(r"[-(]", name)[0] for name in _named(call.words) or ([asked] if asked else [])]
    chosen = [name for name in wanted if name in module.sessions] or _testing_session(module)
    found = []
    for name in chosen:
        session = module.sessions[name]
        variables = tuple(module.environment(session))
        found.append(
            Command(words=("nox", "-s", name), directory=directory, environment=variables, fresh=True)
        )
        reading = _Session(module, call.python, directory, variables)
        found += islice(reading.commands(session, {}, 0), MAX_COMMANDS)
    return found


def _named(words: Sequence[str]) -> list[str]:
    """The sessions that ``-s`` names."""
    named: list[str] = []
    taking = False
    for word in words:
        if word == "--":
            break
        if word in {"-s", "--session", "--sessions", "-e"}:
            taking = True
        elif word.startswith(("--session=", "--sessions=")):
            named.append(word.partition("=")[2])
        elif word.startswith("-"):
            taking = False
        elif taking:
            named.append(word)
    return named


def _testing_session(module: _Module) -> list[str]:
    names = [name for name in module.sessions if _TESTING.search(name) and not _NOT_TESTING.search(name)]
    default = [name for name in module.defaults if name in names]
    return [*default, *sorted(names, key=lambda name: (name not in {"test", "tests"}, len(name)))][:1]


@dataclass(frozen=True, slots=True)
class _Module:
    """Functions and constants of the file; ``sessions`` by the name that nox gives them."""

    functions: Mapping[str, ast.FunctionDef]
    sessions: Mapping[str, ast.FunctionDef]
    constants: Mapping[str, ast.expr]
    defaults: tuple[str, ...]

    @classmethod
    def of(cls, tree: ast.Module) -> _Module:
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        sessions: dict[str, ast.FunctionDef] = {}
        for function in functions.values():
            for decorator in function.decorator_list:
                called, keywords = decorator, list[ast.keyword]()
                if isinstance(decorator, ast.Call):
                    called, keywords = decorator.func, decorator.keywords
                if ast.unparse(called).rpartition(".")[2] == "session":
                    name = next((literal(k.value) for k in keywords if k.arg == "name"), None)
                    sessions[name if isinstance(name, str) else function.name] = function
        constants: dict[str, ast.expr] = {}
        defaults: tuple[str, ...] = ()
        for node in tree.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            value = getattr(node, "value", None)
            if isinstance(target, ast.Name) and isinstance(value, ast.expr):
                constants[target.id] = value
            elif target is not None and ast.unparse(target) == "nox.options.sessions" and value is not None:
                held = literal(value)
                defaults = tuple(map(str, held)) if isinstance(held, list | tuple) else ()
        return cls(functions, sessions, constants, defaults)

    def environment(self, function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
        """The variables that a session sets: ``session.env["NAME"] = "value"``."""
        for node in ast.walk(function):
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
                continue
            target, value = node.targets[0], literal(node.value)
            name = literal(target.slice)
            is_set = ast.unparse(target.value).endswith(".env")
            if is_set and isinstance(name, str) and isinstance(value, str):
                yield name, value


@dataclass(frozen=True, slots=True)
class _Session:
    """Reads the calls of one session, in the order in which they stand."""

    module: _Module
    python: str
    directory: str
    environment: tuple[tuple[str, str], ...]

    def commands(
        self, function: ast.FunctionDef, bound: Mapping[str, ast.expr], depth: int
    ) -> Iterator[Command]:
        known = {**self.module.constants, **_local_constants(function), **bound}
        session = function.args.args[0].arg if function.args.args else ""
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
        for node in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
            called = node.func
            if isinstance(called, ast.Attribute) and ast.unparse(called.value) == session:
                if called.attr in _CALLS:
                    words = (*_CALLS[called.attr], *self._words(node.args, known))
                    if words:
                        yield Command(words=words, directory=self.directory, environment=self.environment)
                elif called.attr == "notify" and depth < MAX_DEPTH and node.args:
                    notified = self.module.sessions.get(str(literal(node.args[0])))
                    if notified is not None and _TESTING.search(notified.name):
                        yield from self.commands(notified, {}, depth + 1)
            elif isinstance(called, ast.Name) and called.id in self.module.functions and depth < MAX_DEPTH:
                helper = self.module.functions[called.id]
                if any(isinstance(one, ast.Name) and one.id == session for one in node.args):
                    yield from self.commands(helper, _bound(helper, node, known), depth + 1)

    def _words(self, nodes: Sequence[ast.expr], known: Mapping[str, ast.expr], depth: int = 0) -> list[str]:
        """The words of a command line that ``nodes`` give; what is not known is left out."""
        words: list[str] = []
        for node in nodes:
            inner = node.value if isinstance(node, ast.Starred) else node
            if isinstance(inner, ast.Name) and inner.id in known and depth < MAX_DEPTH:
                value = known[inner.id]
                rest = {name: held for name, held in known.items() if name != inner.id}
                words += self._words([value], rest, depth + 1)
            elif isinstance(inner, ast.List | ast.Tuple | ast.Set):
                words += self._words(inner.elts, known, depth)
            elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                words.append(inner.value)
            elif isinstance(inner, ast.JoinedStr):
                text = self._joined(inner, known)
                words += [text] if text else []
            elif isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Add):
                words += self._words([inner.left, inner.right], known, depth)
            elif isinstance(inner, ast.IfExp):
                words += self._words([inner.body], known, depth)
            elif isinstance(inner, ast.Call):
                words += self._call(inner, known, depth)
        return words

    def _call(self, node: ast.Call, known: Mapping[str, ast.expr], depth: int) -> list[str]:
        name = ast.unparse(node.func).rpartition(".")[2]
        if name == "dependency_groups":
            groups = self._words(node.args[1:], known, depth)
            return [word for group in groups for word in ("--group", group)]
        if name in {"str", "list", "tuple", "Path", "fspath"} and node.args:
            return self._words(node.args[:1], known, depth)
        return []

    def _joined(self, node: ast.JoinedStr, known: Mapping[str, ast.expr]) -> str:
        """An f-string whose parts are all known; empty where one is not."""
        parts: list[str] = []
        for value in node.values:
            inner = value.value if isinstance(value, ast.FormattedValue) else value
            is_python = ast.unparse(inner).endswith(".python")
            held = [self.python] if is_python else self._words([inner], known, MAX_DEPTH - 1)
            if len(held) != 1:
                return ""
            parts += held
        return "".join(parts)


def _local_constants(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Names that the function binds, to all that it adds to them: a list that grows is one list."""
    found: dict[str, ast.expr] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name), *_], value=value):
                pass
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                pass
            case ast.Call(
                func=ast.Attribute(attr="append" | "extend", value=ast.Name(id=name)), args=[value, *_]
            ):
                if name not in found:
                    continue
            case _:
                continue
        found[name] = ast.BinOp(left=found[name], op=ast.Add(), right=value) if name in found else value
    return found


def _bound(helper: ast.FunctionDef, call: ast.Call, known: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """The parameters of ``helper`` with the arguments of ``call``."""
    names = [argument.arg for argument in helper.args.args]
    bound = dict(zip(names[1:], call.args[1:], strict=False))
    bound |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    return {
        name: known.get(value.id, value) if isinstance(value, ast.Name) else value
        for name, value in bound.items()
    }
