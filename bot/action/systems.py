"""The system that a job ran on, by what GitHub says of it. Pure."""

import re

from bot.github.records import Job

_LINUX = re.compile(r"ubuntu|linux|debian|fedora|centos|alpine", re.IGNORECASE)
_OTHER = re.compile(r"windows|\bwin(?:32|64|-|\b)|macos|\bmac\b|osx|darwin|freebsd", re.IGNORECASE)


def is_linux(job: Job) -> bool:
    """Whether ``job`` ran on Linux: by its runner's labels, else by the names; where nothing says, it did."""
    for texts in (job.labels, (job.runner,), (job.name,)):
        if any(_LINUX.search(text) for text in texts):
            return True
        if any(_OTHER.search(text) for text in texts):
            return False
    return True
