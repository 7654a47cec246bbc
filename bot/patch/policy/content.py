"""What a change must not bring into a Python file, found by comparing the trees before and after.

Only what is new counts: a file that exits, skips or evaluates already may go on doing so as often as it
did. Code that cheats in ways nobody wrote down here gets past it; held-out tests are for that.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from bot.patch.policy.cheating.answer_tables import answer_tables
from bot.patch.policy.cheating.hidden_failures import hidden_failures
from bot.patch.policy.cheating.hooks import examples, mentions_of_tests, narrowed, traps
from bot.patch.policy.cheating.special_cases import new_special_cases, small_answers
from bot.patch.policy.cheating.taken_names import asks_for_tests, taken_names
from bot.patch.policy.classes.compared import compared_classes
from bot.patch.policy.classes.makers import class_makers
from bot.patch.policy.classes.set_otherwise import set_otherwise
from bot.patch.policy.classes.special_methods import special_methods
from bot.patch.policy.classes.statements import class_statements, made_classes
from bot.patch.policy.dangers import TELLTALE_STRINGS
from bot.patch.policy.files.protected import is_test_path
from bot.patch.policy.finding import CodeFinding, Findings
from bot.patch.policy.names.bindings import BUILTIN_NAMES
from bot.patch.policy.names.scopes import bound_by, own_nodes
from bot.patch.policy.names.uses import Uses, uses
from bot.patch.policy.objects.expressions import namespaces
from bot.patch.policy.objects.foreign import ForeignObjects, foreign_objects
from bot.patch.policy.objects.origins import Origins
from bot.patch.policy.objects.shared_state import shared_state
from bot.patch.syntax import Function, every_node, parsed_once

_TAKEN_NAMES = {"__builtins__", "__class__", "__loader__", "__annotations__"}
_SKIP_VARIABLES = {"__test__", "collect_ignore", "collect_ignore_glob", "pytest_plugins", "pytestmark"}


SETS_ATTRIBUTES, HANDS_ON_CLASSES = "sets attributes", "hands on classes"


@dataclass(slots=True, kw_only=True)
class _Facts:
    """What the rules want to know of one module."""

    uses: Uses
    objects: ForeignObjects = field(default_factory=ForeignObjects)
    findings: Counter[CodeFinding] = field(default_factory=Counter)
    statements: Counter[str] = field(default_factory=Counter)
    examples: Counter[str] = field(default_factory=Counter)
    mentions: Counter[str] = field(default_factory=Counter)
    assertions: int = 0
    raises: int = 0
    tests: int = 0


def content_findings(path: str, old: str, new: str, test_literals: frozenset[object]) -> Findings:
    """What is against the change from ``old`` to ``new`` of a Python file.

    An ``old`` that does not parse counts as empty; a ``new`` that does not is no problem of this rule.
    """
    after = parsed_once(new)
    if after is None:
        return Findings()
    before = parsed_once(old) or ast.Module(body=[], type_ignores=[])
    in_tests = is_test_path(path)
    try:
        was = _facts(before, before, in_tests=in_tests)
        now = _facts(after, before, in_tests=in_tests)
        tables = Findings() if in_tests else answer_tables(before, after, test_literals)
        special = (*new_special_cases(before, after, test_literals), *tables.refused)
        refused = (*_problems(was, now, in_tests=in_tests), *special)
        mentions = sorted(now.mentions - was.mentions)
        found = {one.reason for one in now.findings - was.findings}
        if not in_tests:
            for rule in (special_methods, class_statements, compared_classes, small_answers, narrowed):
                found.update(rule(before, after))
        shown = (*_shown(was, now), *mentions, *tables.shown, *sorted(found))
        parts = {
            *({SETS_ATTRIBUTES} if now.objects.setters or now.objects.unknown - was.objects.unknown else ()),
            *({HANDS_ON_CLASSES} if now.objects.classes - was.objects.classes else ()),
        }
    except RecursionError:
        return Findings(refused=(f"{path} is nested too deeply to be judged",))
    return Findings(
        refused=tuple(f"{path}: {problem}" for problem in refused),
        shown=tuple(f"{path}: {reason}" for reason in shown),
        parts=frozenset(parts),
    )


def _problems(was: _Facts, now: _Facts, *, in_tests: bool) -> Iterator[str]:
    new = (now.uses.refused - was.uses.refused) + (now.statements - was.statements)
    imports = {
        why
        for module, why in now.uses.imports.items()
        # The missing import of what is used already brings nothing new.
        if module not in was.uses.imports and module.partition(".")[0] not in was.uses.roots
    }
    yield from sorted({*new, *imports})
    lost = was.assertions - now.assertions
    # in code, an assertion may become an explicit error
    if lost > (0 if in_tests else max(0, now.raises - was.raises)):
        yield "an assertion was deleted"
    if in_tests and now.tests < was.tests:
        yield "a test was deleted"
    if was.examples - now.examples:
        yield "an example in a docstring, which may be a test, was changed"


def _shown(was: _Facts, now: _Facts) -> Iterator[str]:
    new = now.uses.shown - was.uses.shown
    yield from sorted({*new, *(now.uses.seen - was.uses.seen)})
    changed = {name for why, name, _ in now.uses.calls - was.uses.calls if why not in new}
    yield from (f"other arguments to {name}" for name in sorted(changed))
    if now.examples - was.examples:
        yield "a new example in a docstring, which doctest would run"


@lru_cache(maxsize=16)  # what many a patch is compared with stays among them
def _facts(tree: ast.Module, before: ast.Module, *, in_tests: bool) -> _Facts:
    facts = _Facts(uses=uses(tree, before=before, in_tests=in_tests))
    facts.statements.update(_overwritten_builtins(tree))
    facts.statements.update(() if in_tests else asks_for_tests(tree))
    facts.examples.update(examples(tree))
    facts.mentions.update(() if in_tests else mentions_of_tests(tree))
    if not in_tests:
        origins = Origins(tree, lambda one: one.is_object)
        facts.objects = foreign_objects(tree, origins)
        facts.findings = facts.objects.found + Counter(shared_state(tree, origins))
        for rule in (set_otherwise, made_classes, hidden_failures, namespaces, taken_names, class_makers):
            facts.findings.update(rule(tree))
    nodes = every_node(tree)
    facts.statements.update(one for node in nodes for one in _forbidden_statements(node, in_tests=in_tests))
    facts.statements.update(one for node in nodes if not in_tests for one in traps(node))
    for node in nodes:
        facts.raises += isinstance(node, ast.Raise)
        facts.assertions += _is_assertion(node, in_tests=in_tests)
        facts.tests += isinstance(node, Function) and node.name.startswith("test")
    return facts


def _overwritten_builtins(tree: ast.Module) -> Iterator[str]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            bound = {name for node in own_nodes(statement) for name in bound_by(node)}
            # a module's __doc__ or __all__ is its own
            names = sorted(name for name in bound & BUILTIN_NAMES if not name.startswith("__"))
            yield from (f"the builtin {name} is overwritten" for name in names)


def _forbidden_statements(node: ast.AST, *, in_tests: bool) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) if name in _SKIP_VARIABLES | _TAKEN_NAMES:
            skips = name in _SKIP_VARIABLES
            yield f"new skip or expected failure: {name}" if skips else f"the name {name} is overwritten"
        case ast.Global(names=names) if BUILTIN_NAMES.intersection(names):
            yield "a builtin is overwritten"
        case ast.Delete(targets=targets) if any(
            isinstance(target, ast.Name) and target.id in BUILTIN_NAMES for target in targets
        ):
            yield "a name that hides a builtin is deleted"
        case ast.Constant(value=str(text)) if not in_tests:
            yield from _telltales(text)
        case ast.BinOp(op=ast.Add()) if not in_tests:
            yield from _telltales(_folded(node))
        case ast.FunctionDef(name="__eq__", body=[ast.Return(value=ast.Constant(value=True))]):
            yield "new __eq__ that is always true"


def _folded(node: ast.AST) -> str:
    """The text that string constants give together; empty where anything else takes part."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, other = _folded(left), _folded(right)
            return one + other if one and other else ""
    return ""


def _telltales(text: str) -> Iterator[str]:
    if "PYTEST_" in text.upper() or "PYTEST" in text:
        yield "code asks whether it is under test"
    elif telltale := next((one for one in sorted(TELLTALE_STRINGS) if one in text), ""):
        yield f"new mention of {telltale}"


def _is_assertion(node: ast.AST, *, in_tests: bool) -> bool:
    match node:
        case ast.Assert(test=ast.Constant(value=given) | ast.Tuple(elts=given)):
            return not given
        case ast.Assert():
            return True
        case ast.Call(func=ast.Attribute(attr=name)) if in_tests:
            return name.lower().startswith("assert") or name in {"raises", "warns", "fail"}
    return False
