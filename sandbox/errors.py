"""What can go wrong with the machine; a failing command or a failing test is a value, not one of these.

SandboxError
├── SandboxUnavailable   no such provider here (no engine, no binary, no permission)
│   └── RunnerNotLoaded      the interpreter in there cannot load the program that runs the tests
├── SandboxLost          the sandbox died or stopped answering
├── NodeLost             another machine with a sandbox cannot be used, or is lost
├── ArchiveRefused       an archive held something that may not cross the boundary
└── EnvironmentBuildFailed   the project's dependencies could not be installed
"""


class SandboxError(Exception):
    """The sandbox itself failed; nothing is known about the code in it."""


class SandboxUnavailable(SandboxError):
    """The provider cannot work on this machine; the message says what to install or start."""


class RunnerNotLoaded(SandboxUnavailable):
    """The interpreter in the sandbox cannot load what runs the tests: pytest is missing, or breaks there."""


class SandboxLost(SandboxError):
    """The sandbox died or stopped answering within its deadline."""


class NodeLost(SandboxError):
    """Another machine, or the sandbox on it, cannot be used any more; the message names it."""


class ArchiveRefused(SandboxError):
    """A file cannot be copied across the boundary: a link, a device, or a path outside the project."""


class EnvironmentBuildFailed(SandboxError):
    """The project's dependencies could not be installed.

    The message holds the failing ``command``, the last words of its ``output``, and what to try.
    """

    def __init__(self, message: str, *, command: str = "", output: str = "") -> None:
        super().__init__(message)
        self.command = command
        self.output = output
