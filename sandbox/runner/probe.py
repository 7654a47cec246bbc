"""The inside of a probe: how several versions of some functions answer the same inputs.

The tests are run once, on the version that lies in the workspace, and what the functions are called with is
kept. Then a fork for each version brings it in and calls the functions with these inputs and with small
variations of them. Where the arguments cannot be kept that happens during the call (``probe_live``). What it
says is for comparing versions that pass the same tests; it decides on no test, and a version that lies about
itself can do no more than be chosen, and then be proved or refuted elsewhere.
"""

from __future__ import annotations

import copy
import os
import signal
from functools import partial
from time import monotonic  # a test may freeze those of the module
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import probe_examples
from .probe_call import CALL_S, outcome_of
from .probe_forks import PATIENCE, forked, limited
from .probe_inputs import Input, make_inputs, promised_values
from .probe_live import LiveCalls
from .probe_outcome import Outcome, ended_outcome, timeout_outcome
from .probe_recorder import CallRecorder
from .probe_variant import LoadedVariant, UnfitVariant, code_at

INPUTS_S = 1.0
VERSION_SHARE = 0.25  # of the seconds for all
TIMEOUTS = 3
Body = Callable[[Dict[str, Any], Any], Tuple[int, Dict[str, Any]]]


class _Silence:
    """Takes the tests' reports and forgets them: this run is no verdict."""

    fd = None  # nobody reads where it was at work

    def send(self, _event: Dict[str, Any], hold: bool = False) -> None:
        """Forget it."""

    def phase(self, _limit: float) -> None:
        """Not sent."""


def run(body: Body, order: Dict[str, Any], wire: Any) -> Tuple[int, Dict[str, Any]]:
    """Record while ``body`` runs the tests of ``order``, then try each version; see ``server``."""
    probe = order["probe"]
    root = os.path.realpath(probe["root"])
    join = partial(os.path.join, root)
    versions = [{join(path): text for path, text in version.items()} for version in probe["versions"]]
    targets = [(join(path), str(name)) for path, name in probe["targets"]]
    live = LiveCalls(versions, targets)
    recorder = CallRecorder(_keys(versions[0], targets), live.try_out)
    recorder.start()
    try:
        body(order, _Silence())
    finally:
        recorder.stop()
    signal.setitimer(signal.ITIMER_REAL, 0)
    player = _Player(recorder, versions, targets, probe["examples"])
    inputs = [[i.call.target, i.parent, i.near, i.text] for i in player.inputs]
    wire.send({"t": "inputs", "inputs": inputs + live.inputs(len(inputs))})
    seconds = float(probe["seconds"])
    end = monotonic() + seconds
    for number in range(len(versions)):
        # Each has its part of what is left: what is known of one version alone compares nothing.
        left = max(0.0, end - monotonic()) / (len(versions) - number)
        until = monotonic() + min(left, VERSION_SHARE * seconds)
        answer = player.play(number, until)
        answer["outcomes"] += live.outcomes[number]
        wire.send(dict(answer, t="version", number=number))
    return 0, {}


def _keys(files: Dict[str, str], targets: List[Tuple[str, str]]) -> Dict[Tuple[str, str, int], int]:
    keys = {}
    for number, (file, qualname) in enumerate(targets):
        code = code_at(files.get(file, ""), file, qualname)
        if code is not None:
            keys[(file, code.co_name, code.co_firstlineno)] = number
    return keys


class _Player:
    """Has the versions play the same inputs, each in forks of this process."""

    def __init__(
        self,
        recorder: CallRecorder,
        versions: List[Dict[str, str]],
        targets: List[Tuple[str, str]],
        examples: List[Dict[str, Any]],
    ) -> None:
        self._versions, self._examples, self._targets = versions, examples, targets
        self._loaded = LoadedVariant(versions[0])
        self._functions = {
            target: function
            for target, code in recorder.codes.items()
            for function in [self._loaded.function(code)]
            if function is not None
        }
        calls = [call for call in recorder.calls if call.target in self._functions]
        self.inputs: List[Input] = []
        names = [name for _, name in targets]
        promised = {target: promised_values(function) for target, function in self._functions.items()}
        limited(INPUTS_S, lambda: make_inputs(calls, names, promised, inputs=self.inputs))

    def play(self, number: int, until: float) -> Dict[str, Any]:
        """What version ``number`` came to by then: outcomes by input, examples, or a ``problem``."""
        outcomes: List[Optional[Outcome]] = [None] * len(self.inputs)
        answer: Dict[str, Any] = {"outcomes": outcomes, "examples": [], "problem": ""}
        position, stuck, began = 0, 0, monotonic()
        while stuck < TIMEOUTS and monotonic() < until:
            lines, ended = forked(partial(self._act, number, position), until)
            for kind, place, value in filter(_is_sound, lines):
                if kind == "outcome" and 0 <= place < len(outcomes):
                    outcomes[place] = value
                    stuck += value[0] == "timeout"
                    position = max(position, place + 1)
                elif kind == "begin":
                    began, position = value, max(position, place)
                elif kind == "examples":
                    answer["examples"] = value
                elif kind == "problem":
                    answer["problem"] = str(value)[:200]
            if ended or position >= len(self.inputs) or answer["problem"]:
                break
            # It ended or hangs where no signal reaches it: nothing is known of this input but that.
            if monotonic() < until:
                outcomes[position] = ended_outcome()
            elif monotonic() - began > PATIENCE * CALL_S:
                outcomes[position] = timeout_outcome()
            position, stuck = position + 1, stuck + 1
        return answer

    def _act(self, number: int, position: int, write: Callable[[Any], None]) -> None:
        """In the fork: bring the version in, then call."""
        try:
            for file, text in self._versions[number].items():
                self._loaded.bring_in(file, text)
        except UnfitVariant as reason:
            write(["problem", 0, str(reason)])
            return
        if position == 0 and self._examples:
            write(["examples", 0, self._examine()])
        stuck = 0
        for place in range(position, len(self.inputs)):
            write(["begin", place, monotonic()])
            outcome = self._call(self.inputs[place], 1 if stuck else PATIENCE)
            if outcome is None:
                continue  # nothing can be said of it
            write(["outcome", place, outcome])
            stuck += outcome[0] == "timeout"
            if stuck >= TIMEOUTS:
                return

    def _examine(self) -> List[str]:
        found: List[str] = []
        for example in self._examples:
            file = self._targets[example["target"]][0]
            space = self._loaded.space(file)
            verdicts = ["unknown"]
            if space is not None:
                limited(2 * CALL_S, partial(_judge, example, space, verdicts))
            found.append(verdicts[-1])
        return found

    def _call(self, entry: Input, patience: int) -> Optional[Outcome]:
        function, call = self._functions[entry.call.target], entry.call
        return outcome_of(function, lambda: copy.deepcopy((call.positional, call.named)), patience)


def _judge(example: Dict[str, Any], space: Dict[str, Any], verdicts: List[str]) -> None:
    verdicts.append(probe_examples.judge(example, space))


def _is_sound(line: Any) -> bool:
    if not (isinstance(line, list) and len(line) == 3 and isinstance(line[1], int)):
        return False
    if line[0] == "outcome":
        value = line[2]
        return isinstance(value, list) and len(value) == 4 and all(isinstance(part, str) for part in value)
    return line[0] in ("examples", "problem") or (line[0] == "begin" and isinstance(line[2], float))
