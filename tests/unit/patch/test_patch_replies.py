"""The corpus of replies: those that real small models gave, and slips known of others.

To take over a change that was looked at, run it with REGREEN_UPDATE_GOLDEN=1.
"""

import os
from functools import cache
from pathlib import Path

from every_case import every_case

from bot.errors import PatchError
from bot.patch.diff import unified_diff
from bot.patch.policy.files.protected import is_test_path
from bot.patch.replies.parse import parse_reply

DIRECTORY = Path(__file__).parents[2] / "golden" / "replies"
REPLIES = sorted(DIRECTORY.glob("*.reply"))


@cache
def sources(program):
    root = DIRECTORY / "programs" / program
    files = (path for path in root.rglob("*.txt"))
    return {path.relative_to(root).as_posix().removesuffix(".txt"): path.read_text("utf-8") for path in files}


def meaning(path):
    program, _, reply = path.read_text("utf-8").partition("\n")
    files = sources(program)
    try:
        read = parse_reply(reply, files, shown=[name for name in files if not is_test_path(name)])
    except PatchError as problem:
        return f"refused: {problem}\n"
    return f"read as {read.shape}\n{unified_diff(read.patch, files)}"


@every_case("path", REPLIES)
def test_a_reply_means_what_a_person_reads_in_it(path):
    expected = path.with_suffix(".expected")
    if os.environ.get("REGREEN_UPDATE_GOLDEN"):
        expected.write_text(meaning(path), "utf-8")
    assert meaning(path) == expected.read_text("utf-8")


def test_the_corpus_is_large_and_much_of_it_is_not_invented():
    kinds = [path.stem.partition("-")[0] for path in REPLIES]
    assert len(kinds) >= 100
    assert kinds.count("qwen05") + kinds.count("qwen15") >= 50
    refusals = [path for path in REPLIES if path.with_suffix(".expected").read_text().startswith("refused")]
    assert 0.2 < len(refusals) / len(REPLIES) < 0.7, "both outcomes are worth their cases"
