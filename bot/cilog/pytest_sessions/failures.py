"""Turn what one pytest session printed into failures: match summary entries, blocks and counts.

The short summary is the authority for node ids, the blocks for details, and the final line's counts decide
between alternative claims, since anything a test prints may look like a summary or a block. This module
trusts no claim that the last final line of its session does not cover; it does not read lines itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.cilog.model import Detail, LogFailure, LogStatus
from bot.cilog.pytest_sessions.alternatives import Alternatives
from bot.cilog.pytest_sessions.block import read_block, read_location, read_raised
from bot.cilog.pytest_sessions.session import Block, PytestSession
from bot.cilog.pytest_sessions.summary import SummaryEntry, split_entry, title_of
from sandbox.reports import Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A failure that the session may have had."""

    test: str
    status: LogStatus
    message: str
    block: Block | None


def failures(session: PytestSession) -> list[LogFailure]:
    """The session's failing tests, each once; a failure in the test outranks an error around it."""
    blocks, groups = session.blocks, session.groups
    if session.final:
        covered, whole, size = session.covered
        blocks = blocks[:covered]
        groups = [*groups[: whole - 1], groups[whole - 1][:size]] if whole else []
    found: dict[str, LogFailure] = {}
    lines = [(text, read_location(text, roots=session.known)) for text in session.crash_lines]
    located = [(text, line) for text, line in lines if line]
    final = session.final
    counts = (final.failed, final.errors) if final else (None, None)
    for status, count in zip((LogStatus.FAILED, LogStatus.ERROR), counts, strict=True):
        own = [block for block in blocks if block.status is status]
        claims = _choose(session, status, own, groups, count)
        for index, claim in enumerate(claims):
            # With --tb=line there is one line for each failure, and it has a place unless there is none.
            by_line = next((rows for rows in (located, lines) if len(rows) == len(claims)), [])
            text, line = by_line[index] if by_line and status is LogStatus.FAILED and not own else ("", None)
            said = replace(claim, message=claim.message or text)
            found.setdefault(claim.test, _failure(said, session, line))
    if session.final is None:
        # A session that goes on to its end was not ended by what it printed: a child process died.
        for crash in session.crashes:
            if crash.name:
                found.setdefault(crash.name, crash.failure(file=crash.name.partition("::")[0]))
    return list(found.values())


def _choose(
    session: PytestSession,
    status: LogStatus,
    blocks: Sequence[Block],
    groups: Sequence[Sequence[SummaryEntry]],
    count: int | None,
) -> list[_Claim]:
    """The claims that agree with the count, the last summary's before any other."""
    if count == 0:
        return []
    listed = [[entry for entry in group if entry.status is status] for group in groups]
    last = _claims(listed[-1], blocks) if listed else []
    if last and (count is None or len(last) == count):
        return last
    pool = list(dict.fromkeys(entry for group in listed for entry in group))
    matched = [claim for claim in _claims(pool, blocks) if claim.block]
    ids = _seen(session)
    untold = [_untold(block, ids, session.known) for block in blocks]
    progress = _claims([entry for entry in session.seen if entry.status is status], blocks)
    alternatives = [last, matched, untold, progress]
    for claims in alternatives:
        if claims and len(claims) == count:
            return claims
    best = next((claims for claims in alternatives if claims), [])
    # More than were counted: what a test printed came before pytest's own words.
    return best if count is None else best[-count:]


def _claims(entries: Sequence[SummaryEntry], blocks: Sequence[Block]) -> list[_Claim]:
    named: dict[str, list[Block]] = {}
    for block in blocks:
        named.setdefault(block.name, []).append(block)
    known = {name: Alternatives(same) for name, same in named.items()}
    claims: list[_Claim] = []
    for entry in entries:
        test, message = split_entry(entry.text, known=known)
        title, path = title_of(test), test.partition("::")[0]
        names = (f"{title} {entry.part}",) if entry.part else (title, path)
        own = next((found for name in names if name in known and (found := known[name].take(path))), None)
        claims.append(_Claim(test=test, status=entry.status, message=message, block=own))
    return claims


def _seen(session: PytestSession) -> dict[str, list[str]]:
    """The ids that the progress named, by the titles of their blocks."""
    ids: dict[str, list[str]] = {}
    for entry in session.seen:
        ids.setdefault(title_of(entry.text), []).append(entry.text)
    return ids


def _untold(block: Block, ids: Mapping[str, Sequence[str]], roots: Sequence[str]) -> _Claim:
    """The claim of a block that no summary names: its file is the first project file it mentions."""
    if block.title.startswith("ERROR collecting "):
        return _Claim(test=block.name, status=block.status, message="", block=block)
    named = ids.get(block.name, ())
    frames = read_block(block.lines, roots=roots).frames
    paths = {frame.path for frame in frames}
    only = named[0] if len(named) == 1 else ""
    test = next((test for test in named if test.partition("::")[0] in paths), only)
    if not test:
        function = block.name.partition("[")[0].rpartition(".")[2]
        frame = next((frame for frame in frames if frame.function == function), frames[0] if frames else None)
        test = f"{frame.path}::{_dotted(block)}" if frame else _dotted(block)
    return _Claim(test=test, status=block.status, message="", block=block)


def _dotted(block: Block) -> str:
    if block.title.startswith("[doctest] "):
        return block.name
    domain, bracket, parameters = block.name.partition("[")
    return domain.replace(".", "::") + bracket + parameters


def _failure(claim: _Claim, session: PytestSession, crash_line: tuple[Frame, str] | None) -> LogFailure:
    detail = read_block(claim.block.lines, roots=session.known) if claim.block else Detail()
    if crash_line:
        frame, text = crash_line
        detail = replace(read_raised(text), frames=(frame,))
    if not detail.exception and not detail.message:
        detail = replace(_short(claim.message), frames=detail.frames)
    log_line = claim.block.log_line if claim.block else session.end_log_line
    file = claim.test.partition("::")[0]
    return detail.failure(claim.test, claim.status, log_line=log_line, file=file, by_pytest=True)


def _short(message: str) -> Detail:
    """A summary's message, which pytest may have cut anywhere: what is cut is no type."""
    detail = read_raised(message)
    is_cut = message.endswith("...") and (not detail.exception or ": " not in message)
    return Detail(message=message) if is_cut else detail
