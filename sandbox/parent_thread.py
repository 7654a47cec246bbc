"""Starts a sandbox's process from a thread that lives exactly as long as the sandbox.

bubblewrap's ``--die-with-parent`` means the thread that started it, and so does the kernel when it lists
children: a worker that opens a sandbox and ends would take the sandbox with it, and leave its children to
another thread.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar

from sandbox import cgroup

Entered = TypeVar("Entered")


@contextmanager
def kept(context: AbstractContextManager[Entered]) -> Iterator[tuple[Entered, set[int]]]:
    """``context``, entered by a thread of its own, and the processes that entering it has started."""

    def enter() -> tuple[Entered, set[int]]:
        others = cgroup.children()
        return context.__enter__(), cgroup.children() - others

    with ExitStack() as resources:
        thread = resources.enter_context(ThreadPoolExecutor(1, thread_name_prefix="regreen-sandbox"))
        entered = thread.submit(enter).result()
        resources.push(context)
        yield entered
