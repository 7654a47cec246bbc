"""Which commands of a script an ``if`` lets through, as far as that is known without running it. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MAX_DEPTH = 50
"""Conditions within conditions that are followed; deeper ones let everything through."""

_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
# Variables that a runner sets: what they hold is not known here.
_OF_THE_RUNNER = re.compile(
    r"GITHUB_|RUNNER_|ACTIONS_|INPUT_|CI$|HOME$|PATH$|PWD$|USER$|SHELL$|OSTYPE$|LANG$|TMPDIR$|\d|_$"
)
_EQUAL, _DIFFERENT = frozenset({"=", "=="}), frozenset({"!="})


@dataclass(slots=True)
class _Branch:
    """An ``if``: the ``truth`` of its condition, whether one before was true, and whether commands run."""

    truth: bool | None = None
    done: bool = False
    runs: bool = True
    in_condition: bool = True


@dataclass(slots=True)
class Conditions:
    """Follows ``if``, ``elif``, ``else`` and ``fi`` through a script, command by command."""

    _around: list[_Branch] = field(default_factory=list)
    _ignored: int = 0

    def passes(self, words: Sequence[str], *, joined: bool, known: Mapping[str, str]) -> bool:
        """Whether the command ``words`` may run; ``joined`` by ``&&`` or ``||`` to the next one.

        ``known`` are the variables that have a value; one of the project's own without one is empty.
        """
        first = words[0] if words else ""
        if first == "if":
            self._enter(words[1:], joined=joined, known=known)
        elif first == "fi":
            self._leave()
        elif self._around and not self._ignored:
            self._go_on(first, words, joined=joined, known=known)
        return all(branch.runs for branch in self._around)

    def _enter(self, words: Sequence[str], *, joined: bool, known: Mapping[str, str]) -> None:
        if len(self._around) >= MAX_DEPTH or self._ignored:
            self._ignored += 1
        else:
            self._around.append(_Branch(truth=None if joined else truth(words, known)))

    def _leave(self) -> None:
        if self._ignored:
            self._ignored -= 1
        elif self._around:
            self._around.pop()

    def _go_on(self, first: str, words: Sequence[str], *, joined: bool, known: Mapping[str, str]) -> None:
        branch = self._around[-1]
        if first == "then":
            branch.in_condition = False
            branch.runs = branch.truth is not False and not branch.done
        elif first in {"elif", "else"}:
            branch.done = branch.done or branch.truth is True
            branch.runs = not branch.done
            branch.in_condition = first == "elif"
            branch.truth = (None if joined else truth(words[1:], known)) if branch.in_condition else None
        elif branch.in_condition:
            branch.truth = None  # the condition has several commands


def truth(words: Sequence[str], known: Mapping[str, str]) -> bool | None:
    """Whether the condition ``words`` holds; None where that is not known."""
    if words and words[0] == "!":
        holds = truth(words[1:], known)
        return None if holds is None else not holds
    if len(words) > 1 and (words[0], words[-1]) in {("[", "]"), ("[[", "]]")}:
        return _tested(words[1:-1], known)
    return _tested(words[1:], known) if words and words[0] == "test" else None


def _tested(words: Sequence[str], known: Mapping[str, str]) -> bool | None:
    """What a test says; an empty word may be missing."""
    if words and words[0] == "!":
        holds = _tested(words[1:], known)
        return None if holds is None else not holds
    if words and words[0] in {"-n", "-z"} and len(words) <= 2:
        value = _value(words[1], known) if len(words) > 1 else ""
        return None if value is None else bool(value) == (words[0] == "-n")
    if len(words) <= 1:
        value = _value(words[0], known) if words else ""
        return None if value is None else bool(value)
    at = next((at for at, word in enumerate(words) if word in _EQUAL | _DIFFERENT), -1)
    if at < 0 or at > 1 or len(words) - at > 2:
        return None
    left = _value(words[0], known) if at else ""
    right = _value(words[-1], known) if at < len(words) - 1 else ""
    if left is None or right is None or set("*?[") & set(right):
        return None
    return (left == right) == (words[at] in _EQUAL)


def _value(word: str, known: Mapping[str, str]) -> str | None:
    if "$" not in word:
        return None if "`" in word or word.startswith("-") else word
    found = _VARIABLE.fullmatch(word)
    if not found:
        return None
    name = found[1] or found[2]
    return known.get(name, None if _OF_THE_RUNNER.match(name) else "")
