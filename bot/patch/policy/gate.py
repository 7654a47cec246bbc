"""The policy gate: default deny, with the reasons in words that a proposer can learn from.

It judges what a patch would do to the project, not whether it repairs anything. What is neither known to be
harmless nor refused goes to a person, with a warning. It is a filter against cheating and collateral damage,
not a sandbox: code that gets past it still runs isolated. Symlinks and mode changes need no rule, since a
patch cannot express them. docs/policy.md says what it promises and what it cannot.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from bot.domain import Patch
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.diff import lines_apart
from bot.patch.globs import matches
from bot.patch.policy.content import HANDS_ON_CLASSES, SETS_ATTRIBUTES, content_findings
from bot.patch.policy.files.formatted import only_formatted
from bot.patch.policy.files.helpers_of_tests import helper
from bot.patch.policy.files.hidden_characters import hidden_problems, identifier_findings
from bot.patch.policy.files.protected import (
    PROTECTED,
    TESTS,
    creation_problem,
    is_plain_source,
    is_python,
    is_test_path,
    kind_problem,
    name_problem,
)
from bot.patch.policy.finding import Findings, Witnessed
from bot.patch.policy.names.imports import new_imports
from bot.patch.policy.names.modules_as_values import handed_on, modules_as_values
from bot.patch.syntax import syntax_problem
from bot.patch.text import Sources, is_encodable

__all__ = ["PROTECTED", "Judgement", "Policy", "is_test_path", "judge", "syntax_problem"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a patch may touch.

    ``allow`` holds glob patterns that lift the protection of the files they match: ``**`` spans
    directories, and a pattern without a slash matches a name at any depth. It lifts nothing else.
    ``frozen`` are paths, no patterns, of files that are not what the patch will be applied to. With
    ``formats_tests`` a file that is protected as a test may get another form: only a formatter's patch needs
    that, for a test may read its own text or line numbers.
    """

    max_files: int = 5
    max_changed_lines: int = 60
    max_changed_characters: int = 20_000
    allow: tuple[str, ...] = ()
    protected: tuple[str, ...] = PROTECTED
    frozen: frozenset[str] = frozenset()
    formats_tests: bool = False

    def is_frozen(self, path: str) -> bool:
        """Whether ``path`` is one of ``frozen``, or lies below one."""
        if not self.frozen:
            return False
        above = (path[:at] for at, letter in enumerate(path) if letter == "/")
        return path in self.frozen or any(one in self.frozen for one in above)

    def may_change(self, path: str) -> bool:
        """Whether a patch may touch an existing file at ``path``."""
        allowed = not matches(path, self.protected) or matches(path, self.allow)
        return allowed and not self.is_frozen(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the policy says of a patch.

    Attributes:
        refused: why it is not made; empty when it is allowed.
        shown: why a person has to see it before anything is done with it; such a patch is never committed.
        witnesses: project files that the patch does not touch, and without which ``shown`` would say more.
    """

    refused: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()


def judge(
    patch: Patch,
    sources: Sources,
    policy: Policy,
    *,
    test_literals: frozenset[object] = frozenset(),
    paths: Collection[str] = (),
) -> Judgement:
    """What the policy says of ``patch``. Never raises.

    Args:
        patch: what is proposed, against ``sources``.
        sources: the project's files; a path that is not among them would be created.
        policy: the limits and lists, from the base branch's configuration only.
        test_literals: values that occur in the tests (lists as tuples); a branch that returns or
            compares against one of them special-cases the test's own input.
        paths: those of files that the project has beside ``sources``.
    """
    if names := tuple(_path_problems(patch, sources, policy, paths)):
        return Judgement(refused=names)
    try:
        changed, lines = _applied(patch, sources, policy)
    except PatchError as error:
        return Judgement(refused=(str(error),))
    refused, shown = list(_size_problems(len(changed), lines, policy)), list[str]()
    witnesses, parts = set[str](), set[str]()
    for path, text in sorted(changed.items()):
        found = _source_findings(path, sources.get(path), text, test_literals)
        refused += found.refused
        parts |= found.parts
        shown += [*_path_reasons(path, text, sources), *found.shown]
        in_project: list[Witnessed] = []
        if is_python(path) and not is_test_path(path):
            refused += handed_on(path, text, sources)
            in_project.append(modules_as_values(path, text, sources, paths))
            in_project += [] if found.refused else [new_imports(path, text, sources)]
        if path in sources and is_plain_source(path):
            in_project.append(helper(path, sources))
        for one in in_project:
            shown += one.reasons
            witnesses.update(one.witnesses)
    if parts >= {SETS_ATTRIBUTES, HANDS_ON_CLASSES}:  # in whichever files
        shown.append("attributes of something unknown are set, and classes of other modules are handed on")
    return Judgement(
        refused=tuple(dict.fromkeys(refused)),
        shown=tuple(dict.fromkeys(shown)),
        witnesses=tuple(sorted(witnesses - {"", *changed})),
    )


def _path_problems(patch: Patch, sources: Sources, policy: Policy, paths: Collection[str]) -> Iterator[str]:
    for path in patch.paths:
        if problem := name_problem(path):
            yield problem
        elif _is_protected(path, patch, sources, policy):
            yield f"{path} is protected: tests, configuration and build files are not to be changed"
        elif policy.is_frozen(path):
            yield f"{path} is not to be changed: where the patch is applied, it is another file"
        elif (path not in sources and (problem := creation_problem(path, {*sources, *paths}))) or (
            path in sources and (problem := kind_problem(path)) and not matches(path, policy.allow)
        ):
            yield problem


def _is_protected(path: str, patch: Patch, sources: Sources, policy: Policy) -> bool:
    """Whether the patch may not do what it does to ``path``."""
    if not matches(path, policy.protected) or matches(path, policy.allow):
        return False
    old, others = sources.get(path), set(policy.protected) - set(TESTS)
    if old is None or not policy.formats_tests or not is_python(path) or matches(path, others):
        return True
    try:
        return not only_formatted(old, apply(patch, {path: old, **sources}).get(path, old))
    except PatchError:
        return True


def _applied(patch: Patch, sources: Sources, policy: Policy) -> tuple[Mapping[str, str], int]:
    """The new texts by path, and how many lines change; what is too long is not parsed, which takes long."""
    changed = apply(patch, sources)
    lines = lines_apart(changed, sources)
    if (characters := sum(map(len, lines))) > policy.max_changed_characters:
        limit = f"at most {policy.max_changed_characters} are allowed"
        raise PatchError(f"the changed lines have {characters} characters, {limit}")
    return changed, len(lines)


def _path_reasons(path: str, text: str, sources: Sources) -> Iterator[str]:
    if path not in sources:
        yield f"{path} is a new file"
    elif not is_python(path):
        yield f"{path} is data, not code"
    elif not text.strip():
        yield f"{path} loses all that it holds"


def _size_problems(files: int, lines: int, policy: Policy) -> Iterator[str]:
    if not files:
        yield "the patch changes nothing"
    if files > policy.max_files:
        yield f"the patch touches {files} files, at most {policy.max_files} are allowed"
    if lines > policy.max_changed_lines:
        yield f"the patch changes {lines} lines, at most {policy.max_changed_lines} are allowed"


def _source_findings(path: str, old: str | None, new: str, literals: frozenset[object]) -> Findings:
    if not is_encodable(new):
        return Findings(refused=(f"the new text of {path} is not valid Unicode",))
    if "\0" in new or "\0" in (old or ""):
        return Findings(refused=(f"{path} is binary",))
    hidden = tuple(hidden_problems(path, old or "", new))
    if not is_python(path):
        return Findings(refused=hidden)
    if problem := syntax_problem(path, new):
        return Findings(refused=(problem,))
    confusable, foreign = identifier_findings(old or "", new)
    found = content_findings(path, old or "", new, literals)
    return Findings(
        refused=(
            *hidden,
            *(f"{path}: the new name {name!a} can be taken for another" for name in confusable),
            *found.refused,
        ),
        shown=(*found.shown, *(f"{path}: the new name {name!a} is not Latin" for name in foreign)),
        parts=found.parts,
    )
