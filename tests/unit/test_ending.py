"""A disk that is full is distinguished from a fault of ours, whichever library met it."""

import errno
import sqlite3

import pytest
from every_case import every_case

from bot.ending import disk_failure


@every_case("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS])
def test_the_systems_errors_about_a_disk_are_told(number):
    said = disk_failure(OSError(number, "No room", "/state/run.jsonl"))
    assert "'/state/run.jsonl' (No room)" in said
    assert "free some space" in said


def test_so_is_what_sqlite_says_of_one(tmp_path):
    connection = sqlite3.connect(tmp_path / "full.sqlite")
    connection.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as caught:
        connection.executescript("CREATE TABLE a (x); INSERT INTO a VALUES (zeroblob(100000));")
    connection.close()
    assert "is full" in disk_failure(caught.value)


@every_case(
    "error",
    [OSError(errno.ENOENT, "No such file"), OSError("odd"), ValueError("disk"), sqlite3.DatabaseError("x")],
)
def test_nothing_else_is_the_disks(error):
    assert disk_failure(error) == ""
