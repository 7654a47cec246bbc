"""Failed jobs whose logs say what a test wants them to say."""

from pathlib import Path
from types import SimpleNamespace

from bot.action.logs import JobLog
from bot.cilog.model import LogReading
from bot.github.records import Job
from bot.triage import CauseKind
from bot.triage.log import LogAnswer
from bot.triage.model import TriageVerdict


def job(name="test", *, labels=(), runner=""):
    return Job(id=hash(name), name=name, labels=labels, runner=runner)


def log(name, kind=CauseKind.CODE, tests=("t.py::a",), confidence=0.9, **where):
    """The log of the job ``name``, which ran on ``where``."""
    verdict = TriageVerdict(kind=kind, subkind="network", confidence=confidence, advice="", tests=tests)
    answer = LogAnswer(reading=LogReading(), verdict=verdict, tests=tests, command=None)
    run = SimpleNamespace(id=1)
    return JobLog(run=run, job=job(name, **where), path=Path(f"{name}.log"), answer=answer)


def names(logs):
    return [one.job.name for one in logs]
