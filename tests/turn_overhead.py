"""``python tests/turn_overhead.py``: what a turn of each strategy takes outside of the model and the tests.

Both of these answer at once here, out of memory; checkpoints are written as in a real run.
What the first turns take that no later one does, imports above all, is left out: the seconds of a short run
are subtracted from those of a long one.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import click

TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS / "unit" / "agent"), str(TESTS.parent)]

from agent_support import FILES, PATH  # noqa: E402
from fakes.progress import FakeProgress  # noqa: E402
from fakes.testbed import FakeTestbeds  # noqa: E402

from bot.agent.checkpoint import RunStore  # noqa: E402
from bot.domain import Usage  # noqa: E402
from bot.engine import repair  # noqa: E402
from bot.ports import Completion  # noqa: E402
from bot.request import Budget, RepairRequest  # noqa: E402

SHORT, LONG = 5, 45
STRATEGIES = ("reflect", "react", "tools")


class Wrong:
    """``ports.ChatBackend``: another wrong repair each time."""

    model, context_tokens = "scripted", 0

    def __init__(self, strategy: str) -> None:
        self._strategy, self._asked = strategy, 0

    def complete(self, messages: object, **_options: object) -> Completion:
        """A plan and edits in turn for ``react``, a function for the others."""
        self._asked += 1
        text = f"```python\ndef total(a, b):\n    return a * b + {self._asked}\n```"
        if self._strategy == "react":
            edit = '{"op":"replace","path":"%s","start":2,"end":2,"lines":["    return a * %d"]}'
            text = f'{{"edits":[{edit % (PATH, self._asked)}]}}' if self._asked % 2 == 0 else "plus"
        usage = Usage(calls=1, prompt_tokens=200, completion_tokens=20)
        return Completion(text=text, usage=usage, model=self.model)


def seconds(strategy: str, turns: int) -> float:
    """Seconds of a run of ``turns`` turns, none of which repairs anything."""
    with tempfile.TemporaryDirectory() as directory, RunStore(Path(directory)).open("run") as checkpointer:
        started = time.perf_counter()
        result = repair(
            RepairRequest(strategy=strategy, budget=Budget(attempts=turns)),
            sources=FILES,
            testbeds=FakeTestbeds.of(FILES),
            progress=FakeProgress(),
            clock=time.monotonic,
            backends=lambda _remaining: [Wrong(strategy)],
            checkpointer=checkpointer,
        )
        taken = time.perf_counter() - started
    assert result.turns == turns, result
    return taken


def main() -> None:
    """Print a line for each strategy."""
    for strategy in STRATEGIES:
        a_turn = (seconds(strategy, LONG) - seconds(strategy, SHORT)) / (LONG - SHORT)
        click.echo(f"{strategy}: {1000 * a_turn:.0f} ms a turn outside of model and tests")


if __name__ == "__main__":
    main()
