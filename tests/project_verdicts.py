"""One pytest run of a small project in a process of its own, and what became of each of its tests.

For our own projects only: there is no sandbox here. The processes are forked from one that has
pytest imported, so that hundreds of runs take seconds.
"""

import io
import multiprocessing
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

Layers = tuple[Path, ...]

# A project must not find this repository's modules where it would find its own.
OURS = (Path(__file__).resolve().parent, Path(__file__).resolve().parents[1])

OPTIONS = ["-q", "--continue-on-collection-errors", "--tb=native", "-pno:cacheprovider"]


class _Recorder:
    def __init__(self):
        self.passed = {}

    def pytest_runtest_logreport(self, report):
        self.passed[report.nodeid] = self.passed.get(report.nodeid, True) and report.passed

    def pytest_collectreport(self, report):
        if report.failed:
            self.passed[report.nodeid] = False


def run_tests(layers: Layers) -> dict[str, bool]:
    """Lays the directories over one another and runs pytest: whether each test, by its node id, passed.

    A file that cannot be collected stands for its tests, and counts as one that failed. Changes the
    working directory and the modules of the process: call it in a process that then ends.

    Raises:
        RuntimeError: pytest refused to run, or found no tests.
    """
    recorder = _Recorder()
    sys.dont_write_bytecode = True
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    with tempfile.TemporaryDirectory() as directory, redirect_stdout(io.StringIO()):
        for layer in layers:
            shutil.copytree(layer, directory, dirs_exist_ok=True)
        os.chdir(directory)
        # As `python -m pytest` finds it, which the benchmark runs.
        others = [entry for entry in sys.path if entry and Path(entry).resolve() not in OURS]
        sys.path[:] = [directory, *others]
        status = pytest.main([*OPTIONS, f"--rootdir={directory}"], plugins=[recorder])
        os.chdir("/")
    if status > pytest.ExitCode.INTERRUPTED:
        raise RuntimeError(f"pytest could not run {layers}: {status!r}")
    return recorder.passed


def run_all(runs: Iterable[Layers]) -> list[dict[str, bool]]:
    """The verdicts of every run, in the order given; two processes at a time, a fresh one for each run."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pytest"])
    with context.Pool(processes=2, maxtasksperchild=1) as pool:
        return pool.map(run_tests, runs, chunksize=1)
