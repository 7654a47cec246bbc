"""Calls that cannot be kept for later: they are tried at once, each version in a fork of its own.

A fork is a copy of everything: of arguments that ``copy`` refuses, such as what holds a lock or an open file,
and of what a function within a function sees of the one around it.
"""

from __future__ import annotations

import sys
import types
from functools import partial
from itertools import islice
from time import monotonic  # a test may freeze those of the module
from typing import Any, Callable, Dict, List, Optional, Tuple

from .probe_call import outcome_of
from .probe_forks import forked
from .probe_inputs import describe, variations
from .probe_outcome import Outcome, canonical
from .probe_recorder import NESTED, Call
from .probe_variant import LoadedVariant, UnfitVariant, code_at, compiled

CALLS, VARIED = 5, 4
SECONDS, CALL_SECONDS = 2.0, 0.7
"""For all such calls, and for one with all versions: the test that makes it has to wait."""
Files = Dict[str, str]


class LiveCalls:
    """Tries calls of the functions ``targets`` (file, name) of ``versions`` while they are made."""

    def __init__(self, versions: List[Files], targets: List[Tuple[str, str]]) -> None:
        self._versions, self._targets = versions, targets
        self._seen: "set[str]" = set()
        self._spent = 0.0
        self._inputs: List[Tuple[int, int, bool, str]] = []  # target, first of its call, near, text
        self.outcomes: List[List[Optional[Outcome]]] = [[] for _ in versions]

    def inputs(self, before: int) -> List[List[Any]]:
        """The calls as ``probe`` sends them, where as many others stand ``before`` them."""
        return [[target, before + parent, near, text] for target, parent, near, text in self._inputs]

    def try_out(self, call: Call, frame: Any) -> None:
        """Have each version answer ``call``, which ``frame`` is about to begin, and variations of it."""
        known = sum(
            parent == place
            for place, (target, parent, _, _) in enumerate(self._inputs)
            if target == call.target
        )
        if known >= CALLS or self._spent > SECONDS:
            return
        text = "%d %s" % (call.target, canonical(call[1:]))
        if text in self._seen:
            return
        self._seen.add(text)
        started = monotonic()
        self._add(call, frame, started + CALL_SECONDS)
        self._spent += monotonic() - started

    def _add(self, call: Call, frame: Any, until: float) -> None:
        name = self._targets[call.target][1]
        calls = [(call, True), *islice(variations(call), VARIED)]
        for version in self._versions:
            for file, text in version.items():
                compiled(text, file)  # once, before the forks
        lines, _ = forked(partial(self._play, [one for one, _ in calls], frame, until), until)
        found: Dict[int, Dict[int, Optional[Outcome]]] = {}
        for place, number, outcome in filter(_is_sound, lines):
            found.setdefault(place, {})[number] = outcome
        first = len(self._inputs)
        for place, (one, near) in enumerate(calls):
            answers = found.get(place, {})
            if len(answers) < len(self._versions) or not any(answers.values()):
                return  # what is known of some versions alone compares nothing
            self._inputs.append((call.target, first, near, describe(one, name)))
            for number, outcomes in enumerate(self.outcomes):
                outcomes.append(answers.get(number))

    def _play(self, calls: List[Call], frame: Any, until: float, write: Callable[[Any], None]) -> None:
        """In a fork: each call by each version, in forks of this one."""
        sys.setprofile(None)
        loaded = LoadedVariant(self._versions[0])
        for place, call in enumerate(calls):
            for number in range(len(self._versions)):
                lines, _ = forked(partial(self._answer, number, call, frame, loaded), until)
                write([place, number, lines[0] if lines else None])

    def _answer(
        self, number: int, call: Call, frame: Any, loaded: LoadedVariant, write: Callable[[Any], None]
    ) -> None:
        try:
            for file, text in self._versions[number].items():
                loaded.bring_in(file, text)
        except UnfitVariant:
            return
        function = self._function(number, call.target, frame)
        outcome = function and outcome_of(function, lambda: (call.positional, call.named), 1)
        if outcome:
            write(outcome)

    def _function(self, number: int, target: int, frame: Any) -> Optional[types.FunctionType]:
        """The function of version ``number``, which sees what ``frame`` sees of the functions around it.

        None where that version would have made something else of them.
        """
        file, qualname = self._targets[target]
        first, text = (self._versions[one].get(file, "") for one in (0, number))
        code = code_at(text, file, qualname)
        around = qualname.split(".")[:-1]
        while around and code is not None and code.co_flags & NESTED:
            olds, news = (code_at(one, file, ".".join(around)) for one in (first, text))
            if olds is None or news is None or _own(olds) != _own(news):
                return None
            around.pop()
        if code is None or any(name not in frame.f_locals for name in code.co_freevars):
            return None
        cells = tuple(_cell(frame.f_locals[name]) for name in code.co_freevars)
        return types.FunctionType(code, frame.f_globals, code.co_name, None, cells)


def _own(code: types.CodeType) -> List[Any]:
    """What a function does, those within it apart."""
    plain = [one for one in code.co_consts if not isinstance(one, types.CodeType)]
    return [code.co_code, code.co_names, code.co_varnames, code.co_freevars, repr(plain)]


def _is_sound(line: Any) -> bool:
    if not (isinstance(line, list) and len(line) == 3 and all(isinstance(one, int) for one in line[:2])):
        return False
    outcome = line[2]
    if outcome is None:
        return True
    return isinstance(outcome, list) and len(outcome) == 4 and all(isinstance(one, str) for one in outcome)


def _cell(value: Any) -> Any:
    cells = (lambda: value).__closure__
    assert cells is not None
    return cells[0]
