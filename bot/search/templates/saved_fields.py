"""A field of a class that was added, and that what writes or reads its objects as dictionaries leaves out.

Writing alone changes no object that is read back, and reading alone finds nothing: it takes both.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from bot.patch.syntax import last_name, walk
from bot.search.operators.base import Context, Mutation, together
from bot.search.source import method_of
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project
from bot.search.templates.template import template

# Bounded, since it is looked for in every file, and their lines may be of any length.
_WRITES = r"""(["'])(\w{1,40})\1\s{0,4}:\s{0,4}(?:\w{1,20}\()?\w{1,40}\.\2\b"""
_FACTORIES = {"list": "[]", "dict": "{}", "set": "set()", "tuple": "()"}
_MAX_FILES, _MAX_TEXT = 8, 50_000
_FEW_FILES = 40  # of a project, where a test need not speak of a file by its name
_MAX_MISSING, _MAX_WRITERS, _MAX_READERS = 3, 4, 8


class _Writer(NamedTuple):
    """A dictionary of an object's attributes by their names: ``{"name": item.name, ...}``."""

    context: Context
    node: ast.Dict
    subject: str
    keys: frozenset[str]


class _Field(NamedTuple):
    """A field of a class; ``default`` is code, empty where there is none."""

    name: str
    default: str = ""
    enumeration: str = ""


@template("field not saved", "", "")
def _field_not_saved(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """Writes and reads the field that a dictionary of all the others lacks."""
    writers = (one for context in _files(failure, project) for one in _writers(context))
    for writer in islice(writers, _MAX_WRITERS):
        for found in _classes(writer, project)[:1]:
            fields = _fields(found, project)
            missing = [field for field in fields if field.name not in writer.keys][:_MAX_MISSING]
            if len(missing) == len(fields) or 2 * len(missing) > len(fields):
                continue
            for field in missing:
                written = _written(writer, field)
                why = f"write and read `{field.name}`"
                for read in _read(found.node.name, field, writer.keys, project):
                    yield together(written, *read, weight=0.95, why=why)
                    yield together(*read, weight=0.6, why=f"read `{field.name}`")
                yield written


def _files(failure: Failure, project: Project) -> Iterator[Context]:
    """The files that write fields, those first whose names the failing test speaks of."""
    texts = " ".join(project.sources.get(frame.path, "") for frame in failure.frames)
    words = frozenset(re.findall(r"\w+", texts[:_MAX_TEXT]))
    pattern = re.compile(_WRITES)
    paths = [path for path in project.paths if pattern.search(project.sources[path])]
    named = {path: len(words.intersection(path.removesuffix(".py").split("/"))) for path in paths}
    for path in sorted(paths, key=lambda path: (-named[path], path))[:_MAX_FILES]:
        is_near = named[path] or len(project.paths) <= _FEW_FILES
        if is_near and (context := project.context(path)):
            yield context


def _writers(context: Context) -> Iterator[_Writer]:
    for node in context.source.parents:
        if not isinstance(node, ast.Dict):
            continue
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        subjects = Counter(
            part.value.id
            for key, value in zip(keys, node.values, strict=True)
            for part in walk(value)
            if isinstance(part, ast.Attribute) and part.attr == key and isinstance(part.value, ast.Name)
        )
        names = frozenset(key for key in keys if isinstance(key, str))
        for subject, count in subjects.most_common(1):
            if 2 * count >= len(keys):
                yield _Writer(context, node, subject, names)


def _classes(writer: _Writer, project: Project) -> list[Definition[ast.ClassDef]]:
    """The class of the object that is written: its own, the annotated one, or the one with its name."""
    source = writer.context.source
    if writer.subject == "self":
        owner = source.class_of(writer.node)
        return project.classes(owner.name) if owner else []
    function = source.function_of(writer.node)
    for argument in function.args.args if function else ():
        if argument.arg == writer.subject and argument.annotation is not None:
            return project.classes(last_name(argument.annotation))
    return project.classes("".join(part.capitalize() for part in writer.subject.split("_")))


def _fields(found: Definition[ast.ClassDef], project: Project) -> list[_Field]:
    """The fields that whoever makes an object can give."""
    declared = [part for part in found.node.body if isinstance(part, ast.AnnAssign)]
    if declared:
        named = [(part.target.id, part) for part in declared if isinstance(part.target, ast.Name)]
        return [
            _Field(name, _default(part.value, found.context), _enumeration(part.annotation, project))
            for name, part in named
            if not name.startswith("_")
        ]
    init = method_of(found.node, "__init__")
    if init is None:
        return []
    names = [argument.arg for argument in init.args.args[1:]]
    without: list[ast.expr | None] = [None] * (len(names) - len(init.args.defaults))
    values = [*without, *init.args.defaults]
    return [_Field(name, _default(value, found.context)) for name, value in zip(names, values, strict=True)]


def _default(value: ast.expr | None, context: Context) -> str:
    match value:
        case None:
            return ""
        case ast.Call(func=callee, keywords=[ast.keyword(arg="default_factory", value=ast.Name(id=name))]):
            return _FACTORIES.get(name, "") if last_name(callee) == "field" else ""
        case ast.Call():
            return ""
    return context.code(value)


def _enumeration(annotation: ast.expr, project: Project) -> str:
    """The name of the project's enumeration that a field is of; empty for other types."""
    name = last_name(annotation)
    found = project.classes(name)[:1] if name[:1].isupper() else []
    return name if any("Enum" in last_name(base) for one in found for base in one.node.bases) else ""


def _written(writer: _Writer, field: _Field) -> Mutation:
    context, last = writer.context, writer.node.values[-1]
    value = f"{writer.subject}.{field.name}" + (".value" if field.enumeration else "")
    quote = context.code(next(key for key in writer.node.keys if isinstance(key, ast.Constant)))[0]
    code = f"{quote}{field.name}{quote}: {value}"
    return _appended(last, writer.node, code, context, f"write `{field.name}`")


def _read(owner: str, field: _Field, keys: frozenset[str], project: Project) -> Iterator[list[Mutation]]:
    """What gives the field to each call that makes an object of a dictionary's items."""
    name = re.escape(owner)
    # Its own file calls it `cls`; a widely used class is made in many places, few of them of dictionaries.
    files = project.matching(rf"\b{name}\(|^class {name}\b")
    for context in islice(files, _MAX_READERS):
        for call in context.source.parents:
            if not isinstance(call, ast.Call) or not _makes(call, owner, context):
                continue
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            data = next((name for value in given for name in _read_from(value, keys)), "")
            if not data or any(keyword.arg in {field.name, None} for keyword in call.keywords):
                continue
            code = f"{field.name}={_value(data, field, context)}"
            changes = [_appended(given[-1], call, code, context, f"read `{field.name}`")]
            yield [*_imported(owner, field, context), *changes]


def _makes(call: ast.Call, owner: str, context: Context) -> bool:
    name = last_name(call.func)
    around = context.source.class_of(call) if name == "cls" else None
    return name == owner or (around is not None and around.name == owner)


def _read_from(value: ast.expr, keys: frozenset[str]) -> Iterator[str]:
    """The variables whose items are read by one of ``keys``."""
    for part in walk(value):
        match part:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))) if key in keys:
                yield name
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value=key), *_]
            ) if key in keys:
                yield name


def _value(data: str, field: _Field, context: Context) -> str:
    quote = max("\"'", key=context.source.code.count)
    key = f"{quote}{field.name}{quote}"
    default = field.default + (".value" if field.enumeration and field.default else "")
    read = f"{data}.get({key}, {default})" if default else f"{data}[{key}]"
    return f"{field.enumeration}({read})" if field.enumeration else read


def _imported(owner: str, field: _Field, context: Context) -> Iterator[Mutation]:
    """The enumeration beside the class that the file imports."""
    if field.enumeration and field.enumeration not in context.scopes.known:
        for statement in context.source.tree.body:
            for alias in statement.names if isinstance(statement, ast.ImportFrom) else ():
                if alias.name == owner:
                    end = context.source.segment(alias)[1]
                    yield context.replace(end, end, f", {field.enumeration}")


def _appended(last: ast.expr, whole: ast.expr, code: str, context: Context, why: str) -> Mutation:
    """``code`` behind the last item of a display or call, on a line of its own where the items have one."""
    # Around the only argument stand the parentheses of the call.
    is_only = isinstance(whole, ast.Call) and len(whole.args) + len(whole.keywords) == 1
    end = context.source.segment(last)[1] if is_only else context.source.outer(last)[1]
    lined = last.lineno > whole.lineno
    indent = context.source.newline + " " * _column(last, context) if lined else " "
    return context.replace(end, end, f",{indent}{code}", weight=0.6, why=why)


def _column(node: ast.expr, context: Context) -> int:
    """How far the line is indented on which an item begins."""
    line = context.source.code[context.source.line_start(node.lineno) :]
    return len(line) - len(line.lstrip(" "))
