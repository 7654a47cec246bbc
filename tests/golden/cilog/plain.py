"""A reading in the shape of the expectation files: what a person can check against the log."""

from bot.cilog import LogFailure, LogReading, LogTraceback


def as_plain(reading: LogReading) -> dict[str, object]:
    """Counts, notes and failures; what else was read only where there is some."""
    counts = {
        name: getattr(reading, name)
        for name in ("runs", "collected", "passed", "failed", "errors", "truncated")
    }
    more = {
        "environments": [
            f"{one.tool} {one.name} {'passed' if one.passed else f'failed {one.exit_status}'}"
            for one in reading.environments
        ],
        "tracebacks": [_traceback(one) for one in reading.tracebacks],
    }
    return {
        **counts,
        "problems": list(reading.problems),
        "failures": [_failure(one) for one in reading.failures],
        **{name: value for name, value in more.items() if value},
    }


def _failure(failure: LogFailure) -> dict[str, object]:
    sides = failure.comparison
    related = [f"{one.relation} {one.exception}: {one.message.split(chr(10))[0]}" for one in failure.related]
    return {
        "test": failure.test,
        "status": str(failure.status),
        "exception": failure.exception,
        "message": failure.message.split("\n")[0],
        "place": f"{failure.path}:{failure.line}",
        "frames": _frames(failure),
        "comparison": [sides.left, sides.operator, sides.right] if sides else None,
        **({"phase": str(failure.phase)} if failure.phase != "call" else {}),
        **({"related": related} if related else {}),
    }


def _traceback(found: LogTraceback) -> str:
    place = found.frames[-1] if found.frames else None
    where = f" at {place.path}:{place.line}" if place else ""
    return f"{found.log_line}: {found.exception}: {found.message[:80]}{where}"


def _frames(one: LogFailure) -> list[str]:
    return [f"{frame.path}:{frame.line} {frame.function}".strip() for frame in one.frames]
