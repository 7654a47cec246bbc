"""Where asyncio's tasks wait: an endless loop that awaits is seldom met inside of itself.

Between two of its steps the event loop is at work, and no frame of the loop is on the stack.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Tuple

    Place = Tuple[str, int, str]

MAX_TASKS = 100
MAX_DEPTH = 200


def places() -> List[Place]:
    """The file, line and function of each coroutine in the deepest task of the running loop, outermost first.

    Empty where no loop runs. Nothing of the project is called.
    """
    tasks = sys.modules.get("asyncio.tasks")
    events = sys.modules.get("asyncio.events")
    if tasks is None or events is None:
        return []
    try:
        loop = events._get_running_loop()
        if loop is None:
            return []
        chains = [_chain(task.get_coro()) for task in list(tasks.all_tasks(loop))[:MAX_TASKS]]
        return max(chains, key=len, default=[])
    except Exception:  # the project may have a loop and tasks of its own making
        return []


def _chain(coroutine: Any) -> List[Place]:
    found: List[Place] = []
    while coroutine is not None and len(found) < MAX_DEPTH:
        frame = getattr(coroutine, "cr_frame", None)
        if frame is not None:
            found.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        coroutine = getattr(coroutine, "cr_await", None)
    return found
