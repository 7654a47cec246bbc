"""The comment's memory: read back as it was written, and nothing else is taken for it."""

import base64
import hashlib
import json
import zlib

import pytest
from delivery_cases import HEAD, NOW, artifact, result, state
from every_case import every_case
from sections import GOLDEN

from bot.delivery.guards import counted, is_answered, limit_reached
from bot.delivery.options import DeliveryOptions, rungs
from bot.delivery.proposal import dump, load
from bot.delivery.proposal_parts import MAX_BYTES
from bot.delivery.sticky import PACKED_LIMIT, State, packed_line, read_artifact, read_state, state_line
from bot.delivery.verify import trailer_of
from bot.domain import Patch, SpanEdit
from bot.errors import DeliveryError


def test_a_state_is_one_html_comment_whatever_it_holds():
    known = state(why="--> <script> -- x", dismissed=(HEAD,))
    line = state_line(known)
    assert line.count("-->") == 1
    assert "--" not in line[4:-3]
    assert read_state(line) == known


NO_STATES = (GOLDEN / "delivery" / "no_states.txt").read_text("utf-8").splitlines()


@every_case(
    "body",
    [
        *NO_STATES,
        "",
        "x\n<!-- regreen:state:1 {} -->",
        '<!-- regreen:state:1 {"dismissed": [' + ",".join([f'"{HEAD}"'] * 51) + "]} -->",
        "<!-- regreen:state:1 {" + "[" * 10_000 + "} -->",
    ],
)
def test_what_is_no_state_is_none(body):
    assert read_state(body) is None


def packed(content: bytes) -> str:
    return f"<!-- regreen:proposal {base64.b64encode(content).decode()} -->"


@every_case(
    "body",
    [
        "",
        packed(b"no zlib"),
        packed(zlib.compress(b"{}")),
        packed(zlib.compress(b"[" * 100_000)),
        packed(zlib.compress(b" " * (20 * MAX_BYTES), 9)),
        packed(zlib.compress(b"{}")) + "\nand more",
        "<!-- regreen:proposal = -->",
    ],
)
def test_what_is_no_proposal_is_none(body):
    assert read_artifact(f"x\n{body}") is None


def test_a_proposal_that_takes_too_much_room_is_left_out():
    noise = "".join(f"x{n} = {hashlib.sha256(str(n).encode()).hexdigest()!r}\n" for n in range(2_000))
    large = artifact(result(patch=Patch(edits=(SpanEdit(path="new.py", start=0, end=0, replacement=noise),))))
    assert packed_line(large) == ""
    assert 0 < len(packed_line(artifact())) < PACKED_LIMIT


def test_a_run_counts_once_and_a_day_ends():
    first = counted(State(), run="1", now=NOW)
    assert counted(first, run="1", now=NOW) == first
    second = counted(first, run="2", now=NOW)
    assert (second.attempts, second.today, second.day) == (2, 2, "2026-01-31")
    tomorrow = counted(second, run="3", now=NOW.replace(month=2, day=1))
    assert (tomorrow.attempts, tomorrow.today) == (3, 1)


def test_limits_name_their_option():
    options = DeliveryOptions(max_attempts_per_pull=3, max_per_day=2)
    said = {
        "": State(attempts=2, today=1, day="2026-01-31"),
        "max-attempts-per-pull: 3": State(attempts=3),
        "max-per-day: 2": State(attempts=2, today=2, day="2026-01-31"),
        "dismissed": State(dismissed=(HEAD,)),
    }
    for why, known in said.items():
        found = limit_reached(known, HEAD, options, now=NOW)
        assert why in found
        assert bool(found) == bool(why)
    assert limit_reached(State(attempts=2, today=2, day="2026-01-30"), HEAD, options, now=NOW) == ""


@every_case(
    "version",
    ["www.example.com", "GH-26", "octo/app#1", "1.0 @octo", "", "1" * 40, "1." + "a" * 40, "\u0661.0"],
)
def test_a_version_that_github_would_make_a_link_of_is_none(version):
    document = json.loads(dump(artifact()))
    assert load(json.dumps(document).encode()).regreen
    with pytest.raises(DeliveryError, match="regreen"):
        load(json.dumps(document | {"regreen": version}).encode())


@every_case("version", ["0.1.0", "1.2", "1.2.0rc1", "1.2.0.dev12", "10.0.1.post1.dev3"])
def test_a_version_has_points(version):
    assert load(json.dumps(json.loads(dump(artifact())) | {"regreen": version}).encode()).regreen == version


def test_only_what_was_delivered_is_an_answer():
    proposed = artifact()
    assert is_answered(state(proposed), head=HEAD, tests=proposed.tests_id)
    assert not is_answered(state(proposed, status="publishing"), head=HEAD, tests=proposed.tests_id)
    assert not is_answered(state(proposed), head="b" * 40, tests=proposed.tests_id)
    assert not is_answered(state(proposed), head=HEAD, tests="0" * 16)


@every_case("delivery", ["auto", "suggestion", "pull-request", "commit", "comment"])
def test_every_ladder_ends_at_the_comment(delivery):
    for is_fork in (True, False):
        assert rungs(delivery, is_fork=is_fork, has_pull=True)[-1] == "comment"
    assert not {"commit", "pull-request", "branch"} & set(rungs(delivery, is_fork=True, has_pull=True))
    assert "commit" not in rungs(delivery, is_fork=False, has_pull=True, doubtful=True)
    assert rungs(delivery, is_fork=False, has_pull=True, doubtful=True)[-1] == "comment"


@every_case(
    ("message", "found"),
    [
        ("x\n\nRegreen-Fix: 0123", "0123"),
        ("x\r\n\r\nRegreen-Fix: 0123\r\nSigned-off-by: y\r\n", "0123"),
        ("x\n\nRegreen-Fix: 0123\n\nand more", ""),
        ("Regreen-Fix: 0123 in the middle of\n\na text", ""),
        ("x", ""),
    ],
)
def test_a_trailer_stands_in_the_last_paragraph(message, found):
    assert trailer_of(message) == found
