"""A reading in the shape of the expectation files: what a person can check against the log."""

from bot.cilog.model import LogFailure, LogReading, LogTraceback
from sandbox.reports import Frame


def as_plain(reading: LogReading) -> dict[str, object]:
    """Counts and failures; what else was read only where there is some."""
    more = {
        "environments": [
            f"{one.tool} {one.name} {'passed' if one.passed else 'failed'}" for one in reading.environments
        ],
        "tracebacks": [_traceback(one) for one in reading.tracebacks],
    }
    return {
        "runs": len(reading.sessions),
        **{name: getattr(reading, name) for name in ("passed", "failed", "errors", "truncated")},
        "failures": [_failure(one) for one in reading.failures],
        **{name: value for name, value in more.items() if value},
    }


def _failure(failure: LogFailure) -> dict[str, object]:
    related = [f"{one.exception}: {one.message.split(chr(10))[0]}" for one in failure.related]
    return {
        "test": failure.test,
        "status": str(failure.status),
        "exception": failure.exception,
        "message": failure.message.split("\n")[0],
        "place": f"{failure.path}:{failure.frames[-1].line if failure.frames else None}",
        "frames": [f"{_place(frame)} {frame.function}".strip() for frame in failure.frames],
        **({"related": related} if related else {}),
    }


def _traceback(found: LogTraceback) -> str:
    where = f" at {_place(found.frames[-1])}" if found.frames else ""
    return f"{found.log_line}: {found.exception}: {found.message[:80]}{where}"


def _place(frame: Frame) -> str:
    return f"{frame.path}:{frame.line}"
