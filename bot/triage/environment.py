"""Rules about the place where the job ran: runner, time, memory, disk, rights, the workflow itself."""

from __future__ import annotations

from bot.triage.table import rule

RULES = (
    rule(
        "infrastructure/runner",
        0.97,
        why="the runner and its server lost each other",
        example="The hosted runner: GitHub Actions 4 lost communication with the server.",
        patterns=(r"lost communication with the (?:server|runner)",),
    ),
    rule(
        "infrastructure/runner",
        0.95,
        why="the runner was shut down while the job ran",
        example="##[error]The runner has received a shutdown signal.",
        patterns=(
            r"[Tt]he runner has received a shutdown signal",
            r"runner (?:service )?(?:was|is being) (?:shut ?down|stopped)",
        ),
    ),
    rule(
        "infrastructure/runner",
        0.9,
        why="the runner itself failed",
        example="The hosted runner encountered an error while running your job. (Error Type: Disconnect).",
        patterns=(
            r"hosted runner encountered an error",
            r"Runner of type .* not found",
            r"ERROR: Job failed \(system failure\)",
            r"runner system failure",
            r"No runner(?:s)? matching the specified labels",
        ),
    ),
    rule(
        "infrastructure/timeout",
        0.95,
        why="the job or the step ran longer than it may",
        example=(
            "The job running on runner GitHub Actions 2 has exceeded the maximum execution time of 360 "
            "minutes."
        ),
        patterns=(
            r"has exceeded the maximum execution time of",
            r"execution took longer than \d",
            r"The action .{1,100} has timed out after \d",
            r"Too long with no output",
            r"The job running on .* has exceeded",
        ),
    ),
    rule(
        "infrastructure/timeout",
        0.8,
        why="exit status 124 is that of a command which 'timeout' ended",
        example="Process completed with exit code 124.",
        patterns=(
            r"Process completed with exit code 124\b",
            r"exit(?:ed)? (?:with )?(?:code|status) 124\b",
        ),
    ),
    rule(
        "infrastructure/cancelled",
        0.75,
        why="the job was cancelled: by a person, a newer run, a sibling of the matrix or a time limit",
        example="##[error]The operation was canceled.",
        patterns=(
            r"The operation was cancell?ed",
            r"Job (?:was )?cancell?ed",
            r"has been cancell?ed",
            r"Terminated by user",
        ),
    ),
    rule(
        "infrastructure/memory",
        0.95,
        why="the kernel killed a process for want of memory",
        example="Out of memory: Killed process 2913 (python) total-vm:9123456kB",
        patterns=(
            r"[Oo]ut of memory: Kill",
            r"oom[-_]kill",
            r"OOMKilled",
            r"Memory cgroup out of memory",
        ),
    ),
    rule(
        "infrastructure/memory",
        0.8,
        why="exit status 137 is that of a process killed outright, mostly for want of memory",
        example="Process completed with exit code 137.",
        patterns=(
            r"exit code 137\b",
            r"exit status 137\b",
            r"exited with code 137\b",
            r"\bSIGKILL\b",
            r"signal 9\b",
        ),
    ),
    rule(
        "infrastructure/memory",
        0.7,
        why="memory ran out",
        example="OSError: [Errno 12] Cannot allocate memory",
        patterns=(
            r"Cannot allocate memory",
            r"^(?:[E>] +)?MemoryError\b",
            r"std::bad_alloc",
            r"JavaScript heap out of memory",
        ),
    ),
    rule(
        "infrastructure/disk",
        0.95,
        why="the disk is full",
        example="OSError: [Errno 28] No space left on device",
        patterns=(
            r"No space left on device",
            r"ENOSPC\b",
            r"[Dd]isk quota exceeded",
            r"not enough free disk space",
            r"You are running out of disk space",
        ),
    ),
    rule(
        "configuration/workflow",
        0.95,
        why="the workflow asks for an action that is not there, or leaves an input out",
        example="Error: Input required and not supplied: python-version",
        patterns=(
            r"Unable to resolve action",
            r"Can't find 'action\.ya?ml'",
            r"[Ii]nvalid workflow file",
            r"Input required and not supplied",
            r"Unable to find .{0,40}action",
            r"Unrecognized named-value",
            r"Missing download info for",
            r"This request has been automatically failed because it uses a deprecated version",
        ),
    ),
    rule(
        "configuration/workflow",
        0.9,
        why="the Python that the workflow asks for is not to be had",
        example="Error: The version '3.6' with architecture 'x64' was not found for Ubuntu 24.04.",
        patterns=(
            r"(?:The v|V)ersion '?[\w.^~*>=<-]+'? with arch(?:itecture)? '?\w+'? (?:was )?not found",
            r"No (?:matching|compatible) (?:Python|interpreter).{0,80}found",
            r"No interpreter found for",
            r"pyenv: version `.*' is not installed",
        ),
    ),
    rule(
        "configuration/permission",
        0.85,
        why="a credential is missing or may not do this",
        example="remote: Permission to acme/widgets.git denied to github-actions[bot].",
        patterns=(
            r"Resource not accessible by (?:integration|personal access token)",
            r"Bad credentials",
            r"remote: Permission to .* denied",
            r"The requested URL returned error: 40[13]",
            r"Permission denied \(publickey",
            r"Authentication failed for",
            r"could not read (?:Username|Password) for",
            r"(?:401|403) (?:Unauthorized|Forbidden)",
            r"denied: (?:requested access|permission_denied)",
            r"InvalidClientTokenId",
            r"NoCredentialsError",
            r"Unable to locate credentials",
        ),
    ),
    rule(
        "configuration/command",
        0.85,
        why="a command is not there",
        example="/home/runner/work/_temp/1.sh: line 1: tox: command not found",
        patterns=(
            r"(?:: |^)(?:line \d+: )?\S{1,100}: (?:command )?not found$",
            r"exit code 127\b",
            r"No such file or directory: '\w[\w-]*'$",
            r"make: \*\*\* No rule to make target",
            r"unknown command '?\S+",
            r"is not recognized as an internal or external",
        ),
    ),
    rule(
        "configuration/command",
        0.7,
        why="a file may not be executed or read",
        example="/home/runner/work/_temp/1.sh: line 2: ./run.sh: Permission denied",
        patterns=(
            r"exit code 126\b",
            r"/\S+: [Pp]ermission denied$",
        ),
    ),
)
