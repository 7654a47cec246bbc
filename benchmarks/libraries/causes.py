"""Why an item is not usable, in one line, by what its runs reported.

The first rule that holds decides.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from benchmarks.libraries.verdicts import Ran, Verdict, differing

ENVIRONMENT = "environment"
ARGUMENTS = "plugin options missing"
NO_TESTS = "test command"
TOO_LONG = "too long"
MODULE = "missing module"
PYTHON = "wrong Python"
NETWORK = "needs network"
KILLED = "killed"
INSIDE_ONLY = "inside only"
OTHER = "tests fail outside as well"

_MODULE = re.compile(r"(?:No module named|Failed to import filter module) '?([\w.]+)'?")
_ARGUMENTS = re.compile(r"unrecognized arguments: ([^\n]+)")
_FIXTURE = re.compile(r"fixture '(\w+)' not found")
_NETWORK = re.compile(
    r"gaierror|Name or service not known|Temporary failure in name resolution|Network is unreachable|"
    r"nodename nor servname|Max retries exceeded|Could not connect to|NameResolutionError|ConnectError"
)
_PYTHON = re.compile(r"requires (?:a different )?Python|Python version|SyntaxError: invalid syntax")
_NOISE = re.compile(r"0x[0-9a-f]+|\d+|'[^']{40,}'|/\S+")
# Of the failing tests, the share that has to show a cause before it counts as the one.
SHARE = 0.3


Cause = Mapping[str, str]
"""Of which ``kind``, with a ``detail`` in one line."""


def _cause(kind: str, detail: str) -> Cause:
    return {"kind": kind, "detail": detail[:400]}


def of_environment(error: str) -> Cause:
    """Why there is no environment."""
    kind = PYTHON if _PYTHON.search(error) and "No solution" not in error else ENVIRONMENT
    reason = re.sub(r"(?<!\w)/\S+", "...", " ".join(error.split()).rpartition(" failed: ")[2])
    return _cause(kind, reason)


def of_runs(inside: Ran, outside: Ran) -> Cause:
    """Why the suite is not usable, given both runs."""
    both = f"{inside.problem}\n{inside.output}\n{inside.messages}"
    if found := _ARGUMENTS.search(both):
        return _cause(ARGUMENTS, found[1][:200])
    if not inside.verdicts:
        return _nothing(inside, outside)
    failing = [inside.messages.get(name, "") for name, v in inside.verdicts.items() if v is Verdict.FAILED]
    apart = differing(inside, outside)
    only_inside = [
        name for name, one, other in apart if one is Verdict.FAILED and other is not Verdict.FAILED
    ]
    if inside.problem:
        return _cause(TOO_LONG if "within" in inside.problem else INSIDE_ONLY, inside.problem)
    if failing and outside.verdicts and len(only_inside) >= SHARE * len(failing):
        messages = [inside.messages.get(name, "") for name in only_inside]
        return _cause(INSIDE_ONLY, f"{len(only_inside)} tests: {common_messages(messages)}")
    if not outside.verdicts:
        return _cause(TOO_LONG if "within" in outside.problem else OTHER, f"outside: {outside.problem}")
    return _of_failing(failing) if failing else _cause(INSIDE_ONLY, _apart(apart))


def _nothing(inside: Ran, outside: Ran) -> Cause:
    """No test has a verdict."""
    if "within" in inside.problem:
        return _cause(TOO_LONG, inside.problem)
    if found := _MODULE.search(f"{inside.problem}\n{inside.output}"):
        return _cause(MODULE, found[1])
    if "137" in inside.problem:  # killed: by the kernel, for want of memory
        return _cause(KILLED, inside.problem)
    kind = INSIDE_ONLY if outside.count(Verdict.PASSED) else NO_TESTS
    reason = inside.problem or _last_line(inside.output) or _last_line(outside.output)
    return _cause(kind, reason)


def _of_failing(failing: list[str]) -> Cause:
    enough = SHARE * len(failing)
    for said, pattern in (("", _MODULE), ("fixtures that no plugin gives: ", _FIXTURE)):
        names = Counter(found[1] for message in failing if (found := pattern.search(message)))
        if names and sum(names.values()) >= enough:
            listed = ", ".join(f"{name} ({count})" for name, count in names.most_common(5))
            return _cause(MODULE, said + listed)
    for kind, pattern in ((NETWORK, _NETWORK), (PYTHON, _PYTHON)):
        if sum(bool(pattern.search(message)) for message in failing) >= enough:
            return _cause(kind, common_messages(failing))
    return _cause(OTHER, f"{len(failing)} tests: {common_messages(failing)}")


def common_messages(messages: Iterable[str]) -> str:
    """The first lines that occur most, numbers and addresses apart."""
    counted: dict[str, list[str]] = {}
    for message in messages:
        line = next((line for line in message.splitlines() if line.strip()), "no message")
        counted.setdefault(_NOISE.sub("#", line), []).append(line[:160])
    ordered = sorted(counted.values(), key=len, reverse=True)
    return "; ".join(f"{len(lines)} x {lines[0]}" for lines in ordered[:3])


def _apart(apart: list[tuple[str, Verdict, Verdict]]) -> str:
    kinds = Counter(f"{one.value} inside, {other.value} outside" for _, one, other in apart)
    return "; ".join(f"{count} tests {kind}" for kind, count in kinds.most_common(3))


def _last_line(output: str) -> str:
    return next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "no output")
