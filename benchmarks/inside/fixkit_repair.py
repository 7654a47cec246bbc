"""Let fixkit's PyGenProg repair ``project/``, in its environment; the first patch found is written out.

Standard input is not read; the one argument says how many workers evaluate candidates. The parameters are
those of fixkit's own tests: a population of 40 and a mutation rate of 0.06; time alone ends the search.
What would keep it from any success here is changed in its favour. Its own loop looks at what it found only
after a whole generation, and its minimiser raises an exception: here a candidate counts as soon as it is
evaluated, and as it is. Its usual selection divides by the sum of the fitnesses, which is 0 as long as the
one failing test fails: here its random selection takes the place.
"""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from pathlib import Path
from typing import Any

from fixkit.fitness.engine import Worker  # type: ignore[import-not-found]
from fixkit.genetic.selection import RandomSelection  # type: ignore[import-not-found]
from fixkit.localization.coverage import CoverageLocalization  # type: ignore[import-not-found]
from fixkit.repair.pygenprog import PyGenProg  # type: ignore[import-not-found]

MODULE, TESTS, COVERED = "solution.py", "test_solution.py", "solution"
POPULATION, MUTATION_RATE, GENERATIONS = 40, 0.06, 1_000_000
SEED = 0
ENOUGH = 1 - 1e-8


class Watch:
    """Counts what is evaluated, and ends the program with the first candidate that passes all tests."""

    def __init__(self, channel: Any) -> None:  # noqa: ANN401 - a text stream
        self.channel = channel
        self.started = time.perf_counter()
        self.evaluated = 0
        self.lock = threading.Lock()

    def install(self) -> None:
        """Look at each candidate that fixkit's workers evaluate."""
        evaluate = Worker.evaluate

        def watched(worker: Any, candidate: Any, fitness: Any) -> None:  # noqa: ANN401 - fixkit's own
            known = tuple(candidate.mutations) in worker.pre_calculated
            evaluate(worker, candidate, fitness)
            if known:
                return
            with self.lock:
                self.evaluated += 1
                self.write(Path(worker.cwd, MODULE) if candidate.fitness >= ENOUGH else None)

        Worker.evaluate = watched

    def write(self, found: Path | None) -> None:
        """Write what is known so far; with a patch, that is the end."""
        line = {
            "evaluated": self.evaluated,
            "seconds": time.perf_counter() - self.started,
            "patched": found.read_text("utf-8") if found else None,
        }
        self.channel.write(json.dumps(line) + "\n")
        self.channel.flush()
        if found:
            os._exit(0)


def main() -> None:
    """Search until something is found or somebody ends it."""
    random.seed(SEED)
    watch = Watch(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    watch.install()
    repair = PyGenProg.from_source(
        src=Path("project"),
        excludes=[TESTS],
        localization=CoverageLocalization(
            "project", cov=COVERED, metric="Ochiai", tests=[TESTS], out=Path("rep").resolve()
        ),
        population_size=POPULATION,
        max_generations=GENERATIONS,
        w_mut=MUTATION_RATE,
        selection=RandomSelection(),
        workers=int(sys.argv[1]),
        out=Path("rep").resolve(),
    )
    repair.repair()


if __name__ == "__main__":
    main()
