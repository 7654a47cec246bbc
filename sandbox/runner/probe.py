"""The inside of a probe: how several versions of some functions answer the same inputs.

The tests are run once, on the version that lies in the workspace, and what the functions are called with is
kept. Then a fork for each version brings it in and calls the functions with these inputs and with small
variations of them. What it says is for comparing versions that pass the same tests; it decides on no test,
and a version that lies about itself can do no more than be chosen, and then be proved or refuted elsewhere.
"""

from __future__ import annotations

import copy
import json
import os
import select
import signal
from functools import partial
from time import monotonic, process_time  # a test may freeze those of the module
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import probe_examples
from .frames import write_all
from .probe_inputs import Input, make_inputs, promised_values
from .probe_outcome import Outcome, canonical, ended_outcome, raised_outcome, timeout_outcome, value_outcome
from .probe_recorder import CallRecorder
from .probe_variant import LoadedVariant, UnfitVariant, code_at

CALL_S = 0.1
PATIENCE = 3  # times a limit: what waits, but hardly computes, may be waiting for a processor
INPUTS_S = 1.0
VERSION_SHARE = 0.25  # of the seconds for all
TIMEOUTS = 3
OUTPUT_LIMIT_BYTES = 1 << 20
Body = Callable[[Dict[str, Any], Any], Tuple[int, Dict[str, Any]]]
Lines = List[List[Any]]


class CallTooLong(BaseException):
    """Raised in a call that takes too long."""


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
    recorder = CallRecorder(_keys(versions[0], targets))
    recorder.start()
    try:
        body(order, _Silence())
    finally:
        recorder.stop()
    signal.setitimer(signal.ITIMER_REAL, 0)
    player = _Player(recorder, versions, targets, probe["examples"])
    inputs = [[i.call.target, i.parent, i.near, i.text] for i in player.inputs]
    wire.send({"t": "inputs", "inputs": inputs})
    seconds = float(probe["seconds"])
    end = monotonic() + seconds
    for number in range(len(versions)):
        until = min(end, monotonic() + VERSION_SHARE * seconds)
        wire.send(dict(player.play(number, until), t="version", number=number))
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
        _limited(INPUTS_S, lambda: self.inputs.extend(make_inputs(calls, names, promised)))

    def play(self, number: int, until: float) -> Dict[str, Any]:
        """What version ``number`` came to by then: outcomes by input, examples, or a ``problem``."""
        outcomes: List[Optional[Outcome]] = [None] * len(self.inputs)
        answer: Dict[str, Any] = {"outcomes": outcomes, "examples": [], "problem": ""}
        position, stuck = 0, 0
        while stuck < TIMEOUTS and monotonic() < until:
            lines, ended = _forked(partial(self._act, number, position), until)
            for kind, place, value in filter(_is_sound, lines):
                if kind == "outcome" and 0 <= place < len(outcomes):
                    outcomes[place] = value
                    stuck += value[0] == "timeout"
                    position = max(position, place + 1)
                elif kind == "examples":
                    answer["examples"] = value
                elif kind == "problem":
                    answer["problem"] = str(value)[:200]
            if ended or position >= len(self.inputs) or answer["problem"]:
                break
            # It ended or hangs where no signal reaches it: nothing is known of this input but that.
            outcomes[position] = timeout_outcome() if monotonic() >= until else ended_outcome()
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
                _limited(2 * CALL_S, partial(_judge, example, space, verdicts))
            found.append(verdicts[-1])
        return found

    def _call(self, entry: Input, patience: int) -> Optional[Outcome]:
        function = self._functions[entry.call.target]
        outcome: List[Optional[Outcome]] = []

        def call() -> None:
            positional, named = copy.deepcopy((entry.call.positional, entry.call.named))
            arguments = [*positional, named] if named else list(positional)
            before = canonical(arguments)
            try:
                result = function(*positional, **named)
                outcome.append(value_outcome(result, before, arguments))
            except (CallTooLong, MemoryError):
                raise
            except BaseException as error:  # foreign code may raise anything
                outcome.append(raised_outcome(error))

        in_time = _limited(CALL_S, call, patience)
        return outcome[0] if outcome and in_time else timeout_outcome()


def _judge(example: Dict[str, Any], space: Dict[str, Any], verdicts: List[str]) -> None:
    verdicts.append(probe_examples.judge(example, space))


def _limited(limit: float, call: Callable[[], Any], patience: int = PATIENCE) -> bool:
    """Call; False when it took longer than ``limit`` seconds or could not be ended well.

    On a busy machine a short call takes long: one that computed for less than half of the time may take
    ``patience`` limits.
    """
    patient_until, used = monotonic() + patience * limit, process_time()

    def ring(_signum: int, _frame: Any) -> None:
        if process_time() - used >= limit / 2 or monotonic() >= patient_until:
            raise CallTooLong

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, limit, limit)  # again and again: the first may be swallowed
    try:
        try:
            call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException:  # TooLong, or what foreign code made of it
        return False
    return True


def _is_sound(line: Any) -> bool:
    if not (isinstance(line, list) and len(line) == 3 and isinstance(line[1], int)):
        return False
    if line[0] == "outcome":
        value = line[2]
        return isinstance(value, list) and len(value) == 4 and all(isinstance(part, str) for part in value)
    return line[0] in ("examples", "problem")


def _forked(act: Callable[[Callable[[Any], None]], None], until: float) -> Tuple[Lines, bool]:
    """What ``act`` wrote in a fork of this process, and whether it came to its end in time."""
    read_fd, write_fd = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read_fd)
            act(lambda value: write_all(write_fd, json.dumps(value).encode() + b"\n"))
            write_all(write_fd, b"end\n")
        finally:
            os._exit(0)
    os.close(write_fd)
    try:
        data = b"".join(_read_until(read_fd, until))
    finally:
        os.close(read_fd)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    *complete, _rest = data.split(b"\n")
    return [line for raw in complete for line in _parsed(raw)], b"end" in complete


def _read_until(fd: int, until: float) -> Iterator[bytes]:
    total = 0
    while total < OUTPUT_LIMIT_BYTES:
        wait = until - monotonic()
        if wait <= 0 or not select.select([fd], [], [], wait)[0]:
            return
        chunk = os.read(fd, 1 << 16)
        if not chunk:
            return
        total += len(chunk)
        yield chunk


def _parsed(raw: bytes) -> Iterator[Any]:
    try:
        yield json.loads(raw.decode())
    except (ValueError, RecursionError):
        pass  # not what ``_act`` writes, or the end mark
