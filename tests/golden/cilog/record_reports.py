"""A pytest plugin for make_logs.py: what pytest itself reports as red, not what it prints."""

import os
from pathlib import Path


def _record(status, node):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        with Path(os.environ["RECORD_REPORTS"]).open("a", encoding="utf-8") as stream:
            stream.write(f"{status} {node}\n")


def pytest_runtest_logreport(report):
    if report.failed:
        # xdist reports a crashed worker's test in a phase of its own, and pytest calls that failed.
        _record("error" if report.when in {"setup", "teardown"} else "failed", report.nodeid)


def pytest_collectreport(report):
    if report.failed:
        _record("error", report.nodeid)
