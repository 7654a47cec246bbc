"""A model's reply as a candidate, or as an attempt that says what was wrong with it.

Where the model was shown one function and asked for the whole of it, that function is taken out of the reply,
whatever stands around it. Any other reply is read by the ladder of ``bot.patch.replies.parse``.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.agent.model.briefing.target import Target
from bot.agent.state import RepairContext
from bot.domain import Attempt, Candidate, Flaw, Patch, SpanEdit, Verdict
from bot.errors import EmptyPatch, PatchError
from bot.patch.apply import apply, from_sources
from bot.patch.replies.definitions import Named, ReplyDefinition, Scope, definition_edits, docstring_of
from bot.patch.replies.fences import fences
from bot.patch.replies.parse import parse_reply
from bot.patch.syntax import Function, closure, parsed, syntax_problem
from bot.patch.text import NumberedSource, Sources, split_lines

NO_PATCH = Patch(edits=())
MAX_CHARACTERS = 100_000
_THINKING = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)


class Flawed(Exception):
    """A reply that cannot be run, and why: a value for the loop."""

    def __init__(self, flaw: Flaw, reason: str) -> None:
        super().__init__(reason)
        self.flaw = flaw


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a reply answers: in which turn, and about which function; None where any edit will do.

    ``explanation`` stands where the reply gives none. ``keeps_signature``: the function takes what it took.
    ``path`` is the file that the model was shown: what names no other is looked for there first.
    """

    turn: int
    target: Target | None = None
    path: str = ""
    explanation: str = ""
    keeps_signature: bool = True


def read(
    text: str, asked: Asked, context: RepairContext, *, model: str, cut: bool = False
) -> Candidate | Attempt:
    """The candidate that a reply makes, or the attempt that it is in vain.

    ``cut`` says that the reply ended at its length limit.
    """
    try:
        patch, explanation = _patch(text[:MAX_CHARACTERS], asked, context, cut=cut)
    except RecursionError:
        return _in_vain(Flawed(Flaw.SYNTAX, "the code is nested too deeply"), asked, model)
    except Flawed as flawed:
        return _in_vain(flawed, asked, model)
    said = explanation or asked.explanation or "a model's rewrite"
    return Candidate(patch=patch, origin=model, explanation=said, turn=asked.turn)


def _in_vain(flawed: Flawed, asked: Asked, model: str) -> Attempt:
    nothing = Candidate(patch=NO_PATCH, origin=model, explanation=f"a reply: {flawed.flaw}", turn=asked.turn)
    return Attempt(candidate=nothing, verdict=Verdict.REJECTED, detail=str(flawed), flaw=flawed.flaw)


def _patch(text: str, asked: Asked, context: RepairContext, *, cut: bool) -> tuple[Patch, str]:
    answer = _THINKING.sub("", text)
    if asked.target is not None and (chunk := function_in(answer, asked.target)) is not None:
        if cut and answer.rstrip().endswith(chunk.rstrip()):
            raise Flawed(Flaw.CUT, "the function broke off: answer with the function alone")
        return _replacement(chunk, answer, asked.target, asked, context.sources), ""
    try:
        reply = parse_reply(text, context.sources, shown=(asked.path,))
    except PatchError as error:
        if cut:
            broke_off = "the reply was too long and broke off: answer with the code alone"
            raise Flawed(Flaw.CUT, broke_off) from error
        flaw = Flaw.UNCHANGED if isinstance(error, EmptyPatch) else Flaw.UNREADABLE
        raise Flawed(flaw, str(error)) from error
    for path, new in apply(reply.patch, context.sources).items():
        old = context.sources.get(path, "")
        if path.endswith(".py") and (problem := syntax_problem(path, new)) and not syntax_problem(path, old):
            raise Flawed(Flaw.SYNTAX, problem)
    return reply.patch, reply.explanation


def function_in(answer: str, target: Target) -> str | None:
    """The lines of the function named as ``target`` is in a reply, from its ``def`` on; None without one.

    It ends where the next line is indented no deeper than its ``def``: what follows, prose or examples, is
    none of its business. Where it occurs several times, the last one that is complete is meant: models think
    aloud.
    """
    bodies = [fence.body for fence in fences(answer)]
    found = [chunk for body in (bodies or [answer]) for chunk in _chunks(body, target.node.name)]
    if not found and bodies:
        found = list(_chunks(answer, target.node.name))
    whole = [chunk for chunk in found if parsed(_dedented(chunk)) is not None]
    best = whole or found
    return best[-1] if best else None


def _chunks(body: str, name: str) -> Iterator[str]:
    lines = body.replace("\r\n", "\n").split("\n")
    head = re.compile(rf"\s*(?:async\s+)?def\s+{re.escape(name)}\s*\(")
    for at, line in enumerate(lines):
        if not head.match(line):
            continue
        indent = len(_indent(line))
        end = at + 1
        closed = line.rstrip().endswith(":")
        while end < len(lines):
            following = lines[end]
            if following.strip() and len(_indent(following)) <= indent:
                if closed or not following.lstrip().startswith(")"):
                    break
                closed = True
            closed = closed or following.rstrip().endswith(":")
            end += 1
        yield "\n".join(lines[at:end]).rstrip()


def _replacement(chunk: str, answer: str, target: Target, asked: Asked, sources: Sources) -> Patch:
    """The patch that puts ``chunk`` in the target's place.

    Raises:
        Flawed: it does not parse, takes other arguments, or says what stood there before.
    """
    code = _dedented(chunk)
    tree = parsed(code)
    node = tree.body[0] if tree and tree.body else None
    if tree is None or not isinstance(node, Function):
        raise Flawed(Flaw.SYNTAX, syntax_problem("the reply", code) or "the reply is no function")
    kind_differs = type(node) is not type(target.node)
    if asked.keeps_signature and (kind_differs or _arguments(node) != _arguments(target.node)):
        raise Flawed(Flaw.SIGNATURE, f"the function must be called as before: {target.head}")
    if _bare(node) == _bare(target.node):
        raise Flawed(Flaw.UNCHANGED, "this is the function as it was, and it is wrong")
    source = NumberedSource(target.path, sources[target.path])
    edits = [
        source.replace(target.node.lineno, target.end, _placed(code, node, target)),
        *_imports(answer, target, sources),
    ]
    changed = apply(Patch(edits=tuple(edits)), sources)
    if problem := syntax_problem(target.path, changed.get(target.path, "")):
        raise Flawed(Flaw.SYNTAX, problem)
    return from_sources(sources, changed)


def _placed(code: str, node: Function, target: Target) -> list[str]:
    """The lines of the new function at the old one's indentation, with the old docstring.

    A model is asked for code: that it leaves the documentation out does not mean that it should go.
    """
    lines = code.split("\n")
    old, new = docstring_of(target.node), docstring_of(node)
    statements = node.body[1:] if new else node.body
    shown = target.text.split("\n")
    indent = _indent(shown[target.node.lineno - target.start])
    if old is not None and statements and statements[0].lineno > node.lineno:
        own = shown[old.lineno - target.start : (old.end_lineno or old.lineno) - target.start + 1]
        kept = [line.rstrip("\r").removeprefix(indent) for line in own]
        # Of a docstring, the indentation of its first line alone has to fit what follows.
        kept[0] = _indent(lines[statements[0].lineno - 1]) + kept[0].lstrip()
        head = lines[: node.body[0].lineno - 1]
        rest = lines[(new.end_lineno or new.lineno) if new else node.body[0].lineno - 1 :]
        lines = [*head, *kept, *rest]
    return [indent + line if line.strip() else line for line in lines]


def _imports(answer: str, target: Target, sources: Sources) -> Iterator[SpanEdit]:
    """What the reply imports and defines beside the function, where the file has no such thing."""
    for fence in fences(answer):
        body = fence.body.strip("\n")
        tree = parsed(body + "\n")
        if tree is None or not any(
            isinstance(node, Named) and node.name == target.node.name for node in tree.body
        ):
            continue
        imports: list[ast.stmt] = [one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
        scope = Scope({target.path: sources[target.path]})
        own = [node for node in tree.body if isinstance(node, Named)]
        names = {one.name: {n.id for n in ast.walk(one) if isinstance(n, ast.Name)} for one in own}
        used = closure(target.node.name, names)  # not the tests that models add
        helpers = [node for node in own if node.name in used and not scope.places(node.name)]
        helpers += [node for node in own if node.name == target.node.name]
        if not imports and len(helpers) < 2:
            return
        definitions = [ReplyDefinition(node=node, lines=body.split("\n")) for node in helpers]
        try:
            edits = list(definition_edits(definitions, imports, scope))
        except PatchError:
            return
        yield from (edit for edit in edits if edit.start == edit.end)
        return


def _arguments(node: Function) -> list[str]:
    """The names of the arguments, with how they are passed; defaults and annotations may change."""
    own = node.args
    return [
        *(f"{argument.arg}/" for argument in own.posonlyargs),
        *(argument.arg for argument in own.args),
        f"*{own.vararg.arg if own.vararg else ''}",
        *(argument.arg for argument in own.kwonlyargs),
        f"**{own.kwarg.arg if own.kwarg else ''}",
    ]


def _bare(node: Function) -> list[str]:
    """The code of a function without its documentation and its annotations."""
    body = node.body[1:] if docstring_of(node) else node.body
    defaults = (*node.args.defaults, *filter(None, node.args.kw_defaults))
    return [ast.dump(one) for one in (*body, *defaults)]


def _dedented(chunk: str) -> str:
    indent = _indent(chunk)
    return "".join(line.removeprefix(indent) for line in split_lines(chunk))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]
