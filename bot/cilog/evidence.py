"""Keep the lines of a log that tell why a job failed when its tests do not: networks, disks, installers.

A line is kept with the topic it was found under, and judged elsewhere. To add a kind of line, add a row to
the table: a literal, by which candidates are found fast in a large block, and the pattern that decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.cilog.clean import TextBlock, searchable
from bot.cilog.model import Evidence, LogSession, Topic

MAX_TEXT = 500
"""Characters of a line that are kept."""

MAX_SEARCHED = 4_000
"""Characters of a line in which a pattern is looked for."""

MAX_EACH = 60
"""Lines of one topic that are kept, half of them the first ones and half the last."""

# Topic, a literal that every line has that the pattern finds, the pattern (the literal where it is empty).
# A literal that begins with a rare character is found faster.
RULES: tuple[tuple[Topic, str, str], ...] = (
    (Topic.EXIT, "exit code ", r"\bexit code -?\d+"),
    (Topic.EXIT, "exited with ", r"\bexited with (?:code|status|return code) ?-?\d+"),
    (Topic.EXIT, "exit status ", r"\bexit status -?\d+"),
    (Topic.EXIT, "*** [", r"make(?:\[\d+\])?: \*\*\* \["),
    (Topic.NETWORK, "Could not resolve ", ""),
    (Topic.NETWORK, "Temporary failure ", r"Temporary failure (?:in name resolution|resolving)"),
    (Topic.NETWORK, "Name or service not known", ""),
    (Topic.NETWORK, "NameResolutionError", ""),
    (Topic.NETWORK, "NewConnectionError", ""),
    (Topic.NETWORK, "Connection refused", ""),
    (Topic.NETWORK, "Connection reset by peer", ""),
    (Topic.NETWORK, "Connection timed out", ""),
    (Topic.NETWORK, "ConnectionResetError", ""),
    (Topic.NETWORK, "ConnectTimeout", ""),
    (Topic.NETWORK, "ReadTimeout", ""),
    (Topic.NETWORK, "Read timed out", ""),
    (Topic.NETWORK, "Network is unreachable", ""),
    (Topic.NETWORK, "No route to host", ""),
    (Topic.NETWORK, "Max retries exceeded with url", ""),
    (Topic.NETWORK, "CERTIFICATE_VERIFY_FAILED", ""),
    (Topic.NETWORK, "SSL_ERROR_SYSCALL", ""),
    (Topic.NETWORK, "TLS handshake timeout", ""),
    (Topic.NETWORK, "RemoteDisconnected", ""),
    (Topic.NETWORK, "IncompleteRead", ""),
    (Topic.NETWORK, "ECONNRESET", ""),
    (Topic.NETWORK, "ETIMEDOUT", ""),
    (Topic.NETWORK, "ENOTFOUND", ""),
    (Topic.NETWORK, "EAI_AGAIN", ""),
    (Topic.NETWORK, "RPC failed", ""),
    (Topic.NETWORK, "HTTP Error 5", r"HTTP Error 5\d\d"),
    (Topic.NETWORK, "HTTP 5", r"\bHTTP 50[0234]\b"),
    (Topic.NETWORK, "Bad Gateway", ""),
    (Topic.NETWORK, "Service Unavailable", ""),
    (Topic.NETWORK, "Service Temporarily Unavailable", ""),
    (Topic.NETWORK, "Gateway Time", r"Gateway Time-?out"),
    (Topic.NETWORK, "Too Many Requests", ""),
    (Topic.NETWORK, "toomanyrequests: ", ""),
    (Topic.NETWORK, "CondaHTTPError", ""),
    (Topic.NETWORK, "Failed to fetch", ""),
    (Topic.NETWORK, "Unable to connect to", ""),
    (Topic.NETWORK, "Hash Sum mismatch", ""),
    (Topic.DISK, "No space left on device", ""),
    (Topic.DISK, "Disk quota exceeded", ""),
    (Topic.DISK, "You are running out of disk space", ""),
    (Topic.DISK, "There is not enough space on the disk", ""),
    (Topic.DISK, "Read-only file system", ""),
    (Topic.MEMORY, "Cannot allocate memory", ""),
    (Topic.MEMORY, "MemoryError", r"(?<!\w)MemoryError\b"),
    (Topic.MEMORY, "OutOfMemory", ""),
    (Topic.MEMORY, "Out of memory", ""),
    (Topic.MEMORY, "out of memory", ""),
    (Topic.MEMORY, "Killed", r"(?:^|\d +|: |\) +)Killed\b"),
    (Topic.MEMORY, "OOM", r"\bOOM(?:[ -]?[Kk]ill|Killed)"),
    (Topic.RUNNER, "lost communication with the server", ""),
    (Topic.RUNNER, "received a shutdown signal", ""),
    (Topic.RUNNER, "No space left for the runner", ""),
    (Topic.RUNNER, "Internal server error occurred while resolving", ""),
    (Topic.RUNNER, "Failed to download action", ""),
    (Topic.RUNNER, "Unable to resolve action", ""),
    (Topic.RUNNER, "Job is about to start running on the runner", ""),
    (Topic.RUNNER, "Cannot connect to the Docker daemon", ""),
    (Topic.RUNNER, "Error response from daemon", ""),
    (Topic.TIMEOUT, "exceeded the maximum execution time", ""),
    (Topic.TIMEOUT, "Timeout >", r"Timeout >\d"),
    (Topic.TIMEOUT, " Timeout +++", ""),
    (Topic.TIMEOUT, "Timeout (", r"Timeout \(\d+:\d\d:\d\d"),
    (
        Topic.TIMEOUT,
        "timed out after ",
        r"(?:[Cc]ommand|[Pp]rocess|[Ss]tep|[Jj]ob|[Tt]est).* timed out after ",
    ),
    (Topic.TIMEOUT, "TimeoutExpired", ""),
    (Topic.CANCELLED, "The operation was cancel", r"The operation was cancell?ed"),
    (Topic.CANCELLED, "KeyboardInterrupt", r"^!+ .*KeyboardInterrupt.* !+$|^KeyboardInterrupt\b"),
    (Topic.CRASH, "Fatal Python error: ", ""),
    (Topic.CRASH, "Segmentation fault", ""),
    (Topic.CRASH, "INTERNALERROR> ", ""),
    (Topic.CRASH, "(core dumped)", ""),
    (Topic.CRASH, "Aborted", r"^(?:.*: line \d+: +\d+ )?Aborted\b"),
    (Topic.CRASH, "Illegal instruction", ""),
    (Topic.CRASH, "Bus error", ""),
    (Topic.CRASH, "node down: Not properly terminated", ""),
    (Topic.CRASH, "crashed while running", r"worker '?gw\d+'? crashed while running"),
    (Topic.CRASH, "SIGKILL", ""),
    (Topic.CRASH, "SIGSEGV", ""),
    (Topic.RESOLUTION, "Could not find a version that satisfies", ""),
    (Topic.RESOLUTION, "No matching distribution found", ""),
    (Topic.RESOLUTION, "ResolutionImpossible", ""),
    (Topic.RESOLUTION, "Cannot install ", r"Cannot install .+ (?:because|and )"),
    (Topic.RESOLUTION, "have conflicting dependencies", ""),
    (Topic.RESOLUTION, "No solution found when resolving", ""),
    (Topic.RESOLUTION, "SolverProblemError", ""),
    (Topic.RESOLUTION, "version solving failed", ""),
    (Topic.RESOLUTION, "VersionConflict", ""),
    (Topic.RESOLUTION, "DistributionNotFound", ""),
    (Topic.RESOLUTION, "ResolvePackageNotFound", ""),
    (Topic.RESOLUTION, "UnsatisfiableError", ""),
    (Topic.RESOLUTION, "PackagesNotFoundError", ""),
    (Topic.RESOLUTION, "LibMambaUnsatisfiable", ""),
    (Topic.RESOLUTION, "THESE PACKAGES DO NOT MATCH THE HASHES", ""),
    (Topic.RESOLUTION, "Failed building wheel for", ""),
    (Topic.RESOLUTION, "Could not build wheels for", ""),
    (Topic.RESOLUTION, "Failed to build ", r"Failed to build (?:`|'|[a-z])"),
    (Topic.RESOLUTION, "metadata-generation-failed", ""),
    (Topic.RESOLUTION, "subprocess-exited-with-error", ""),
    (Topic.RESOLUTION, "requires a different Python", ""),
    (
        Topic.RESOLUTION,
        "Requires-Python",
        r"Ignored the following versions that require a different python version",
    ),
    (Topic.RESOLUTION, "which is incompatible", ""),
    (Topic.RESOLUTION, "Unable to locate package", ""),
    (Topic.RESOLUTION, "Failed to resolve ", ""),
    (Topic.RESOLUTION, "poetry.lock is not up to date", ""),
    (Topic.RESOLUTION, "pyproject.toml changed significantly since poetry.lock", ""),
    (Topic.RESOLUTION, "with arch x64 was not found", ""),
    (Topic.RESOLUTION, "Version 3.", r"Version 3\.\S+ with arch \w+ not found"),
    (Topic.IMPORT, "ModuleNotFoundError", r"ModuleNotFoundError: No module named"),
    (Topic.IMPORT, "ImportError", r"ImportError: "),
    (Topic.IMPORT, "No module named ", ""),
    (Topic.IMPORT, "cannot open shared object file", ""),
    (Topic.CONFIGURATION, "ERROR: usage: ", ""),
    (Topic.CONFIGURATION, "unrecognized arguments: ", ""),
    (Topic.CONFIGURATION, "UsageError", ""),
    (Topic.CONFIGURATION, "ERROR: file or directory not found", ""),
    (Topic.CONFIGURATION, "ERROR: not found: ", ""),
    (Topic.CONFIGURATION, "No such file or directory", r"(?:^|: |\] )No such file or directory|Errno 2\]"),
    (Topic.CONFIGURATION, ": command not found", ""),
    (Topic.CONFIGURATION, ": not found", r"^(?:/bin/)?\w*sh: \d+: .+: not found$"),
    (Topic.CONFIGURATION, "No rule to make target", ""),
    (Topic.CONFIGURATION, "ImproperlyConfigured", ""),
    (Topic.CONFIGURATION, "PytestUnknownMarkWarning", r"^E .*PytestUnknownMarkWarning"),
    (Topic.CONFIGURATION, "Unknown config option", ""),
    (Topic.CONFIGURATION, "Invalid workflow file", ""),
    (Topic.CONFIGURATION, "Input required and not supplied", ""),
    (Topic.CONFIGURATION, "No files were found with the provided path", ""),
    (Topic.CONFIGURATION, "unknown environment", ""),
    (Topic.PERMISSION, "Permission denied", ""),
    (Topic.PERMISSION, "Resource not accessible by integration", ""),
    (Topic.PERMISSION, "Bad credentials", ""),
    (Topic.PERMISSION, "Authentication failed", ""),
    (Topic.PERMISSION, "could not read Username", ""),
    (Topic.PERMISSION, "HTTP Error 403", ""),
    (Topic.PERMISSION, "401 Unauthorized", ""),
    (Topic.PERMISSION, "403 Forbidden", ""),
    (Topic.PERMISSION, "PermissionError", ""),
    (Topic.LINT, "would reformat ", ""),
    (Topic.LINT, "would be reformatted", ""),
    (Topic.LINT, "Would reformat", ""),
    (Topic.LINT, "incorrectly sorted", r"Imports are incorrectly sorted"),
    (Topic.LINT, "files were modified by this hook", ""),
    (Topic.LINT, "Your code has been rated at", ""),
    (Topic.LINT, "FAIL Required test coverage", ""),
    (Topic.LINT, "Coverage failure: ", ""),
    (Topic.LINT, ": error: ", r"^\S+\.pyi?:\d+:(?:\d+:)? error: "),
    (Topic.LINT, "Found ", r"^Found \d+ errors?\b"),
    *((Topic.LINT, f": {code}", r"^[^\s:]+\.pyi?:\d+:\d+: [A-Z]{1,3}\d{3,4}\b") for code in "EFW"),
    (Topic.ORDER, "Using --randomly-seed", ""),
    (Topic.ORDER, "Using --random-order", ""),
    (Topic.ORDER, "PYTHONHASHSEED", ""),
    (Topic.ORDER, "Used shuffle seed", ""),
    (Topic.ORDER, "RERUN", r"(?:^RERUN |\bRERUN\b +\[ *\d+%\])"),
    (Topic.ORDER, "Flaky Test Report", ""),
    (Topic.FOREIGN, "npm ERR! ", ""),
    (Topic.FOREIGN, "npm error ", r"^npm error "),
    (Topic.FOREIGN, "error: could not compile", ""),
    (Topic.FOREIGN, "BUILD FAILURE", ""),
    (Topic.FOREIGN, "FAILURE: Build failed with an exception", ""),
    (Topic.FOREIGN, "--- FAIL: ", ""),
    (Topic.FOREIGN, ": fatal error: ", r"\.(?:c|cc|cpp|h|hpp|pyx):\d+:\d+: fatal error: "),
    (Topic.FOREIGN, "CMake Error", ""),
    (Topic.FOREIGN, "Tests:  ", r"^Tests: +\d+ failed"),
)

# Few characters of a log are one of these, and nearly every literal has one: the search is for the rest of
# the literal from there on. Chosen by how many literals a character serves and how seldom it stands in logs.
_RARE = "YNHFUVRJCKGEq*TBIzMOP(AfkSDLXWQZ[!:hx"
_LEAST = 8


def _handle(literal: str) -> str:
    """The part of a literal to search for: one that begins with a rare character, else all of it."""
    body = literal[: 1 - _LEAST] if literal.islower() else literal[:-5]
    at = next((body.index(character) for character in _RARE if character in body), 0)
    return literal[at:]


def _tree(words: Iterable[str]) -> str:
    """A pattern for any of the words, which tells them apart by one character after another."""
    by_first: dict[str, list[str]] = {}
    for word in sorted(words):
        by_first.setdefault(word[0], []).append(word[1:])
    return "|".join(
        re.escape(first)
        + ("" if "" in rests else re.escape(rests[0]) if len(rests) == 1 else f"(?:{_tree(rests)})")
        for first, rests in by_first.items()
    )


_RULES = tuple(
    (topic, _handle(literal), re.compile(pattern or re.escape(literal))) for topic, literal, pattern in RULES
)
# A handle may be the beginning of another one, and is what is found then.
_BY_HANDLE = {
    handle: tuple((topic, pattern) for topic, longer, pattern in _RULES if longer.startswith(handle))
    for _, handle, _ in _RULES
}
_SEARCH = re.compile(_tree(handle for handle in _BY_HANDLE if handle[0] in _RARE))
_COMMON = tuple(sorted(handle for handle in _BY_HANDLE if handle[0] not in _RARE))


@dataclass(slots=True)
class EvidenceLines:
    """Collects the lines of evidence from the blocks it is shown."""

    _found: dict[Topic, list[Evidence]] = field(default_factory=dict)

    def read(self, block: TextBlock, indices: Sequence[int]) -> None:
        """Look at those lines of a block."""
        free: Sequence[int] | range = indices
        if len(indices) > len(block.lines) // 2:
            # To search the whole block is cheaper than to put most of it together again.
            text, free = block.text, range(len(block.lines))
        else:
            text = searchable("\n".join([block.lines[index] for index in indices]))
        wanted = set(indices)
        number, last, end = 0, 0, -1
        tried: set[tuple[int, str]] = set()
        for at, handle in sorted(_hits(text)):
            if at < end:
                continue
            number += text.count("\n", last, at)
            last = at
            if (number, handle) in tried:
                continue
            tried.add((number, handle))
            index = free[number]
            line = block.lines[index][:MAX_SEARCHED].strip()
            if index not in wanted or self._take(line, handle, block.first + index):
                end = text.find("\n", at)
                end = len(text) if end == -1 else end

    def _take(self, line: str, handle: str, log_line: int) -> bool:
        for topic, pattern in _BY_HANDLE[handle]:
            if pattern.search(line):
                kept = self._found.setdefault(topic, [])
                if len(kept) >= MAX_EACH:
                    del kept[MAX_EACH // 2]
                kept.append(Evidence(topic=topic, log_line=log_line, text=line[:MAX_TEXT]))
                return True
        return False

    def lines(self, sessions: Iterable[LogSession]) -> tuple[Evidence, ...]:
        """What was kept, in the log's order, with what stands in a test session marked."""
        spans = sorted((session.log_line, session.end_log_line) for session in sessions)
        found = sorted((one for kept in self._found.values() for one in kept), key=lambda one: one.log_line)
        marked: list[Evidence] = []
        number = 0
        for one in found:
            while number < len(spans) and spans[number][1] < one.log_line:
                number += 1
            inside = number < len(spans) and spans[number][0] <= one.log_line <= spans[number][1]
            marked.append(
                Evidence(topic=one.topic, log_line=one.log_line, text=one.text, in_tests=True)
                if inside
                else one
            )
        return tuple(marked)


def _hits(text: str) -> Iterator[tuple[int, str]]:
    """Where a handle stands, and which."""
    found = _SEARCH.search(text)
    while found:
        yield found.start(), found.group()
        found = _SEARCH.search(text, found.start() + 1)
    for handle in _COMMON:
        at = text.find(handle)
        while at != -1:
            yield at, handle
            at = text.find(handle, at + 1)
