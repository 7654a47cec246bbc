"""Read single lines of pytest's report: rulers, the final line, progress, and the short summary's entries.

Each function looks at one line and knows nothing of the lines around it; what a line means where it
stands is the state machine's business (``parser``).
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from bot.cilog.model import LogStatus

MAX_HEADER = 4_096
"""Characters; a longer line is never a header, an entry or a progress line. Keeps the patterns cheap."""

_ENTRY = re.compile(
    r"(?P<status>FAILED|ERROR) (?P<text>.+)"
    r"|(?P<before>(?:\[[^\]]*\] )?(?:\([^)]*\) )?)SUBFAIL(?:ED)?"
    r"(?P<part>(?:\[.*?\])?(?: ?\([^)]{0,500}\))?)[ ,](?P<subtext>.+)"
)
_DURATION = re.compile(r"[\d.]+ ?s(?:econds)?(?: \([^()]*\))?")
_COUNT = re.compile(r"(\d+) ([a-z]+(?: [a-z]+)?)")
# The end alone, since an id may hold any number of colons.
_VERBOSE = re.compile(r" (?P<status>FAILED|ERROR)(?: +\[ *\d+(?:%|/\d+)\])?$")
_WORKER = re.compile(r"\[gw\d+\] (?:\[ *\d+(?:%|/\d+)\] )?(?P<status>FAILED|ERROR) (?P<id>.+)")
_DOTS = re.compile(r"[.FEsxXfRu,]+ +\[ *\d+(?:%|/\d+)\]")
_MESSAGE = re.compile(r" - (?:assert |[A-Za-z_][\w.]*: )|$")
_FILE = re.compile(r"\.\w+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryEntry:
    """One failing line of the short summary; ``text`` is the node id and perhaps a message, not yet split.

    ``part`` names the subtest, as it stands after the test's name in a block's header.
    """

    status: LogStatus
    text: str
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The counts of a session's final line."""

    passed: int = 0
    failed: int = 0
    errors: int = 0


def ruler(line: str) -> str:
    """The title of a line such as ``==== title ====``, or an empty text."""
    text = line.rstrip()
    if len(text) < 5 or len(text) > MAX_HEADER or text[-1] != text[0]:
        return ""
    title = text.strip(text[0])
    # "_ _ _ _" separates the entries of one traceback: it is no header.
    if title[:1] != " " or title[-1:] != " " or not title.strip(" " + text[0]):
        return ""
    return title.strip()


def final_line(title: str) -> Final | None:
    """The counts in ``2 failed, 3 passed in 0.10s``, or None where the text is something else."""
    if len(title) > 500:
        return None
    body, separator, duration = title.rpartition(" in ")
    if not separator or not _DURATION.fullmatch(duration):
        return None
    if body == "no tests ran":
        return Final()
    counts: dict[str, int] = {}
    for part in body.split(", "):
        found = _COUNT.fullmatch(part)
        if found is None or len(found[1]) > 9:
            return None
        word = found[2].removeprefix("subtests ")
        counts[word] = counts.get(word, 0) + int(found[1])
    return Final(
        passed=counts.get("passed", 0),
        failed=counts.get("failed", 0),
        errors=counts.get("error", 0) + counts.get("errors", 0),
    )


def progress(line: str) -> SummaryEntry | None:
    """The failing test that ``pytest -v`` or a verbose xdist run names on this line, if any."""
    if len(line) > MAX_HEADER:
        return None
    text = line.rstrip()
    if found := _WORKER.fullmatch(text):
        return SummaryEntry(status=LogStatus(found["status"].lower()), text=found["id"])
    found = _VERBOSE.search(text)
    test = text[: found.start()] if found else ""
    if found is None or "::" not in test[1:] or test[0].isspace():
        return None
    return SummaryEntry(status=LogStatus(found["status"].lower()), text=test)


def is_dots(line: str) -> bool:
    """Whether this is a line such as ``..F.  [ 50%]``: a quiet session's only sign of life."""
    return len(line) < 1_000 and _DOTS.fullmatch(line.rstrip()) is not None


def entry(line: str) -> SummaryEntry | None:
    """The failing entry that this line of the short summary holds, if any."""
    found = _ENTRY.fullmatch(line[: 2 * MAX_HEADER].rstrip())
    if found is None:
        return None
    if found["status"]:
        return SummaryEntry(status=LogStatus(found["status"].lower()), text=found["text"])
    return SummaryEntry(
        status=LogStatus.FAILED, text=found["subtext"], part=(found["part"] or found["before"]).strip()
    )


def split_entry(text: str, *, known: Collection[str] = ()) -> tuple[str, str]:
    """The node id and the message of a summary entry.

    Both may hold `` - `` and brackets. ``known`` are the titles of the failure blocks: an id whose
    title is among them wins over any rule about where an id may end.
    """
    separators = [found.start() for found in re.finditer(" - ", text)]
    ends = [*separators, len(text)]
    for end in ends[:50]:
        if title_of(text[:end]) in known:
            return text[:end], text[end + 3 :]
    first = ends[0]
    if "::" not in text[:first] and (_FILE.search(text[:first]) or "::" not in text):
        return text[:first], text[first + 3 :]
    name = text.find("::")
    bracket = text.find("[", name)
    if bracket == -1 or name < first < bracket:
        end = next((end for end in ends if end > name), len(text))
    else:
        closed = [end for end in ends if end > bracket and text[end - 1] == "]"]
        end = next((end for end in closed if _MESSAGE.match(text, end)), closed[0] if closed else len(text))
    return text[:end], text[end + 3 :]


def title_of(test: str) -> str:
    """The title that pytest gives to the block of the test with this node id."""
    path, separator, name = test.partition("::")
    if not separator:
        return path
    domain, bracket, parameters = name.partition("[")
    return domain.replace("::", ".") + bracket + parameters
