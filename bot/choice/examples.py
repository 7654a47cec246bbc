"""Examples that a docstring gives: evidence of what was meant, whether or not the tests run them.

Read are ``doctest`` sessions, and lines that call the function and name its answer: ``f(2) == 4``,
``f(2) -> 4``, ``f(2) # 4``, ``f(2) returns 4``. Nothing is run here.
"""

import ast
import doctest
import re
from collections.abc import Container, Iterator, Mapping, Sequence

from bot.choice.targets import definitions
from bot.patch.syntax import MISSING, literal_value, parsed
from sandbox.probes import ProbeExample, ProbeTarget

MAX_EXAMPLES = 20
MAX_CHARACTERS = 500
_ARROW = re.compile(
    r"\s*(?:==>|=>|-->|->|==|➞|→|⇒|#\s*(?:=>|->)?|(?:should\s+)?(?:return|give|yield|equal)s?:?)\s*"
)
_TRAILING = re.compile(r"[\s.,;]+$")


def examples(sources: Mapping[str, str], targets: Sequence[ProbeTarget]) -> tuple[ProbeExample, ...]:
    """The examples in the docstrings of ``targets``, of their classes and of their modules."""
    found: dict[ProbeExample, None] = {}
    for number, target in enumerate(targets):
        tree = parsed(sources[target.path])
        if tree is None:
            continue
        short = target.name.rpartition(".")[2]
        for text in _docstrings(tree, target.name):
            for example in (*_sessions(text, number, short), *_equations(text, number, short)):
                found.setdefault(example)
    return tuple(found)[:MAX_EXAMPLES]


def _docstrings(tree: ast.Module, name: str) -> Iterator[str]:
    nodes: list[ast.Module | ast.ClassDef | ast.FunctionDef] = [tree]
    nodes += [node for found, node in definitions(tree) if found == name]
    owner = name.rpartition(".")[0].rpartition(".")[2]
    nodes += [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == owner]
    for node in nodes:
        if text := ast.get_docstring(node):
            yield text


def _sessions(text: str, target: int, name: str) -> Iterator[ProbeExample]:
    """One session for each ``>>>`` example that calls ``name``, with the steps before that prepare it.

    A step that prints prepares what follows where it may change an object: ``stack.pop()``.
    """
    try:
        steps = [step for step in doctest.DocTestParser().parse(text) if isinstance(step, doctest.Example)]
    except ValueError:
        return
    before, bound = "", set[str]()
    for step in steps:
        lines = step.source.rstrip("\n").split("\n")
        source = "".join(f"{'... ' if at else '>>> '}{line}\n" for at, line in enumerate(lines))
        if not step.want:
            before += source
            bound |= _bound(step.source)
            continue
        if re.search(rf"\b{re.escape(name)}\b", before + step.source):
            session = f"{before}{source}{step.want}"
            if len(session) <= MAX_CHARACTERS:
                yield ProbeExample(target=target, session=session)
        if not step.exc_msg and _changes(step.source, bound):
            before += f">>> _ = ({source.removeprefix('>>> ')}... )\n"


def _bound(source: str) -> set[str]:
    nodes = ast.walk(parsed(source) or ast.Module([], []))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _changes(source: str, bound: Container[str]) -> bool:
    """Whether a step may change what a name of the session stands for: it calls its method, or ``next``."""
    match parsed(source):
        case ast.Module(
            body=[
                ast.Expr(
                    ast.Call(func=ast.Attribute(value=ast.Name(id=name)))
                    | ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=name), *_])
                )
            ]
        ):
            return name in bound
    return False


def _equations(text: str, target: int, name: str) -> Iterator[ProbeExample]:
    for line in text.splitlines():
        if ">>>" in line or len(line) > MAX_CHARACTERS:
            continue
        for match in re.finditer(rf"(?<![\w.]){re.escape(name)}\(", line):
            expression = _call(line[match.start() :])
            arrow = _ARROW.match(line, match.start() + len(expression))
            expected = _expression(line[arrow.end() :]) if expression and arrow else ""
            if expected:
                yield ProbeExample(target=target, expression=expression, expected=expected)


def _call(text: str) -> str:
    """The call at the beginning of ``text``: the shortest part that is an expression; empty where none is."""
    parts = (text[: match.end()] for match in re.finditer(r"\)", text))
    return next((part for part in parts if parsed(part)), "")


def _expression(text: str) -> str:
    """The literal at the beginning of ``text``; empty where there is none."""
    text = _TRAILING.sub("", text.strip().strip("`"))
    words = text.split()
    for count in range(len(words), 0, -1):
        candidate = _TRAILING.sub("", " ".join(words[:count]).strip("`"))
        if literal_value(candidate) is not MISSING:
            return candidate
    return ""
