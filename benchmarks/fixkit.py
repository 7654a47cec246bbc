"""The same tasks for fixkit (PyPI), a GenProg-style repair of Python (Le Goues et al., TSE 2012), to compare.

It runs in an environment of its own inside a sandbox like the one that Regreen's candidates run in, and its
patches are judged as Regreen's are.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import inside
from benchmarks.harness import judged, reference_lines
from benchmarks.humanevalfix import MODULE
from benchmarks.runfile import Row
from benchmarks.tasks import Grader, Trial
from benchmarks.tools import environment
from bot.config import sources
from sandbox import owner
from sandbox.base import Limits, SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.snapshot import Snapshot, take

# The oldest that it says it works with: with newer ones it cannot be imported.
TOOL = ("fixkit==0.0.1", "sflkit==0.2.16", "tests4py==0.0.7")
PROGRAM = Path(inside.__file__).with_name("fixkit_repair.py")
# It imports pandas and matplotlib, which map far more memory than they use.
LIMITS = Limits(memory_mib=8192)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixkit:
    """What is done to a task: fixkit for ``seconds`` with ``workers``, then the judges.

    ``options`` are of ``regreen fix``; they say in which sandbox its patch is judged.
    """

    python: Path
    seconds: float
    workers: int
    options: Mapping[str, Any] = field(default_factory=dict)
    grader: Grader | None = None

    @classmethod
    def installed(cls, *, cache: Path, **fields: Any) -> Fixkit:  # noqa: ANN401 - this class' fields
        """With fixkit in an environment below ``cache``.

        Raises:
            MachineError: it cannot be installed.
        """
        return cls(python=environment(TOOL, directory=cache / "tools"), **fields)

    def __call__(self, trial: Trial) -> Row:
        """See ``tasks.Work``."""
        task = trial.task
        with tempfile.TemporaryDirectory(prefix=owner.mark() + "bench-") as directory:
            project = task.lay_out(Path(directory, task.name.replace("/", "-")))
            snapshot = take(project)
            started = time.perf_counter()
            last, problem = self._repair(snapshot)
            seconds = time.perf_counter() - started
            row: dict[str, Any] = {
                "outcome": "patched" if last.get("patched") else "no_patch",
                "reason": problem,
                "first": None,
                "attempts": last.get("evaluated", 0),
                "seconds": round(seconds, 3),
                "reference_lines": reference_lines(task, snapshot),
                "plausible": False,
                "correct": False,
            }
            if not last.get("patched"):
                return row
            settings = sources.load({"project": project, **self.options})
            patched = {MODULE: str(last["patched"])}
            return {
                **row,
                "first": {"attempts": last["evaluated"], "seconds": round(seconds, 3)},
                **judged(task, patched, snapshot, settings, grader=self.grader),
            }

    def _repair(self, snapshot: Snapshot) -> tuple[Mapping[str, Any], str]:
        """The last line that the program wrote, and why it ended without a patch."""
        spec = SandboxSpec(python=str(self.python), limits=LIMITS)
        files = {f"project/{path}": data for path, data in snapshot.files.items()}
        with BubblewrapProvider().open(spec) as sandbox:
            done = sandbox.exec(
                [str(self.python), "repair.py", str(self.workers)],
                timeout_s=self.seconds,
                environment={
                    "PATH": f"{self.python.parent}:/usr/bin:/bin",
                    "HOME": "/tmp",  # noqa: S108 - the sandbox's own
                    "OPENBLAS_NUM_THREADS": "1",
                },
                changes={"repair.py": PROGRAM.read_bytes(), **files},
            )
        lines = done.stdout[: done.stdout.rfind(b"\n") + 1].splitlines()
        last = json.loads(lines[-1]) if lines else {}
        if done.timed_out:
            return last, f"no patch in {self.seconds:g} s"
        return last, "" if last.get("patched") else done.stderr.decode("utf-8", "replace").strip()[-500:]
