"""Python in a reply, fenced or bare: a whole file, or functions and classes that replace their namesakes.

A fence is a whole file when its path is named, or only one source exists, and it defines every
top-level name that the file has. Otherwise its definitions replace the ones that exist exactly once. It
does not merge: statements beside definitions and imports make a fence unclear.
"""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.policy.files.protected import is_test_path
from bot.patch.replies.artefacts import plain_characters, without_numbers
from bot.patch.replies.definitions import (
    Named,
    ReplyDefinition,
    Scope,
    definition_edits,
    is_test_name,
    top_level_names,
    unindented,
)
from bot.patch.replies.fences import Fence, fences
from bot.patch.replies.paths import new_path_in_line, path_in_line
from bot.patch.syntax import parsed, syntax_problem
from bot.patch.text import MAX_EDITS, NumberedSource, Sources

# A reply holds a few fences; each may cost a look at every source.
MAX_FENCES = 20

# Docstrings, calls, asserts and main guards beside definitions are examples of use.
_EXAMPLES = (ast.Expr, ast.Assert, ast.If)
_OLD_NAME = re.compile(r"^(?:async\s+def|def|class)\s+(\w+)", re.MULTILINE)
_PYTHON_INFO = re.compile(r"(?:(?:python|py|python3|py3)\b.*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Code:
    lines: list[str]
    tree: ast.Module
    label: str
    info: str

    def path(self, sources: Sources) -> str | None:
        named = path_in_line(self.label, sources) or path_in_line(self.info, sources)
        return named or (path_in_line(self.lines[0], sources) if self.lines[0].startswith("#") else None)


# Where bare code begins, and what cannot begin a line of it.
_BARE_DEFINITION = re.compile(r"^\s*(?:async def|def|class) \w+", re.MULTILINE)
_BARE_START = re.compile(r"(?:async def|def|class) \w+|@\w|(?:import|from) \w")


def read_code(reply: str, sources: Sources) -> Patch | None:
    """The patch that the reply's code describes; None when there is no Python code.

    Fences that repeat what the sources hold already are passed over.

    Raises:
        PatchError: what the code is to replace is not clear.
    """
    found = fences(reply)[:MAX_FENCES] or _bare_code(reply)
    codes = [code for fence in found if (code := _code(fence)) is not None]
    if not codes:
        broken = next((fence for fence in found if _BARE_DEFINITION.search(fence.body)), None)
        if broken is None:
            return None
        problem = syntax_problem("the reply's code", "\n".join(unindented(broken.body.split("\n"))))
        raise PatchError(problem or "the code in the reply is incomplete")
    everywhere = Scope(sources)
    changing: dict[SpanEdit, None] = {}
    problems: list[PatchError] = []
    for code in codes:
        try:
            edits = list(_edits(code, sources, everywhere))
            changes = bool(apply(Patch(edits=tuple(edits)), sources))
        except PatchError as error:
            problems.append(error)
            continue
        if changes:
            _refuse_versions(edits, changing)
            changing |= dict.fromkeys(edits)  # said twice, meant once
    # snippets beside the real answer are common: they matter only when nothing else is there
    if problems and not changing:
        raise problems[0]
    return Patch(edits=tuple(changing))


def _refuse_versions(edits: list[SpanEdit], before: Collection[SpanEdit]) -> None:
    """Refuse a second version of what an earlier fence replaces."""
    for edit in edits:
        for other in before:
            apart = edit.path != other.path or edit.end <= other.start or other.end <= edit.start
            if edit != other and not apart:
                raise PatchError("the reply gives two versions of the same code: answer with one")


def _code(fence: Fence) -> _Code | None:
    if not _PYTHON_INFO.fullmatch(fence.info) or not fence.body.strip():
        return None
    lines = fence.body.strip("\n").split("\n")
    # as it is, then without what was copied from the way it was shown
    plain = plain_characters(fence.body).strip("\n").split("\n")
    for attempt in (lines, *(other for other in (without_numbers(lines), plain) if other != lines)):
        tree = parsed("\n".join(unindented(attempt)) + "\n")
        if tree is not None and tree.body:
            info = fence.info.partition(" ")[2]
            return _Code(lines=attempt, tree=tree, label=fence.before, info=info)
    return None


def _bare_code(reply: str) -> list[Fence]:
    """Code without a fence: from a definition to the last line that can belong to it."""
    lines = reply.replace("\r\n", "\n").split("\n")
    start = next((at for at, line in enumerate(lines) if _BARE_START.match(line.lstrip(" \t"))), None)
    if start is None:
        return []
    margin = len(lines[start]) - len(lines[start].lstrip(" \t"))
    end = start
    for at in range(start, len(lines)):
        line = lines[at]
        inside = line[: margin + 1].strip() == "" or _BARE_START.match(line.lstrip(" \t"))
        if line.strip() and not inside and not line.lstrip().startswith((")", "]", "}", "#")):
            break
        end = at + 1 if line.strip() else end
    before = next((line for line in reversed(lines[:start]) if line.strip()), "")
    return [Fence(info="", body="\n".join(lines[start:end]), before=before)]


def _edits(code: _Code, sources: Sources, everywhere: Scope) -> Iterator[SpanEdit]:
    path = code.path(sources)
    whole = path or (next(iter(sources)) if len(sources) == 1 else None)
    if whole is not None and _is_whole_file(code, sources[whole]):
        source = NumberedSource(whole, sources[whole])
        yield source.replace(1, len(source), code.lines) if len(source) else source.insert(0, code.lines)
        return
    definitions = [
        ReplyDefinition(node=node, lines=code.lines) for node in code.tree.body if isinstance(node, Named)
    ]
    if len(definitions) > MAX_EDITS:
        raise PatchError(f"{len(definitions)} definitions are too many, at most {MAX_EDITS} are read")
    scope = everywhere if path is None else Scope({path: sources[path]})
    definitions = _without_tests(definitions, scope, path)
    if any(scope.places(definition.node.name) for definition in definitions):
        yield from definition_edits(definitions, _imports(code), scope)
        return
    created = new_path_in_line(code.label) or new_path_in_line(code.info)
    if created is None or created in sources:
        names = ", ".join(definition.node.name for definition in definitions[:3])
        raise PatchError(
            f"the code defines {names}, which no file holds: repeat the function to be changed, with its name"
            if names
            else "the code is no function, class or file: repeat the whole function that is to be changed"
        )
    yield NumberedSource(created, "").insert(0, code.lines)


def _without_tests(
    definitions: list[ReplyDefinition], scope: Scope, path: str | None
) -> list[ReplyDefinition]:
    """``definitions`` without the tests that a model repeats from its prompt, unless it names a test's file.

    Raises:
        PatchError: nothing but tests is there.
    """
    if path is not None and is_test_path(path):
        return definitions
    meant = [
        definition
        for definition in definitions
        if not is_test_name(definition.node.name)
        or not all(is_test_path(place.path) for place in scope.places(definition.node.name))
    ]
    if definitions and not meant:
        raise PatchError("the reply only repeats a test: answer with the function that is wrong, corrected")
    return meant


def _is_whole_file(code: _Code, text: str) -> bool:
    """Whether ``code`` is meant to be all of the file, beyond defining all that the file does.

    Where both consist of definitions and imports, replacing these one by one leaves what stands around them.
    """
    old = parsed(text)
    # a file that does not parse still shows its definitions
    names = set(_OLD_NAME.findall(text)) if old is None else top_level_names(old)
    if not names <= top_level_names(code.tree) or not (names or not text.strip()):
        return False
    parts = (*_EXAMPLES, Named, ast.Import, ast.ImportFrom)
    return old is None or not names or not all(isinstance(node, parts) for node in code.tree.body)


def _imports(code: _Code) -> list[ast.stmt]:
    """The imports beside the definitions.

    Raises:
        PatchError: another statement stands there that the definitions may need.
    """
    imports: list[ast.stmt] = []
    for node in code.tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(node)
        elif not isinstance(node, (Named, *_EXAMPLES)):
            raise PatchError(f"line {node.lineno} of the code is neither a definition nor an import")
    return imports
