"""One call of one version, and what it came to."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .probe_forks import CallTooLong, limited
from .probe_outcome import Outcome, canonical, raised_outcome, timeout_outcome, value_outcome

CALL_S = 0.1
Arguments = Tuple[Sequence[Any], Dict[str, Any]]


def outcome_of(
    function: Callable[..., Any], make: Callable[[], Arguments], patience: int
) -> Optional[Outcome]:
    """What ``function`` comes to with the arguments that ``make`` gives; None where nothing can be said."""
    outcome: List[Optional[Outcome]] = []

    def call() -> None:
        positional, named = make()
        arguments = [*positional, named] if named else list(positional)
        before = canonical(arguments)
        try:
            result = function(*positional, **named)
            outcome.append(value_outcome(result, before, arguments))
        except (CallTooLong, MemoryError):
            raise
        except BaseException as error:  # foreign code may raise anything
            outcome.append(raised_outcome(error))

    in_time = limited(CALL_S, call, patience)
    return outcome[0] if outcome and in_time else timeout_outcome()
