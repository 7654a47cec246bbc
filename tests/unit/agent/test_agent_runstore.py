"""The checkpoints' files: when there is one, who may read it, when it goes."""

import errno
import os
import sqlite3
import stat
import time
from contextlib import closing

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from bot.agent.checkpoint import STALE_AFTER_S, RunStore
from bot.errors import ConfigurationError, MachineError

CONFIG = {"configurable": {"thread_id": "repair", "checkpoint_ns": ""}}


def save(store, run="a", *, written=None):
    """A checkpoint of ``run``, and what a task wrote after it."""
    with store.open(run) as checkpointer:
        config = checkpointer.put(CONFIG, empty_checkpoint(), {"source": "loop", "step": 1}, {})
        checkpointer.put_writes(config, [("channel", written)], "task")


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "state" / "runs")


def test_a_saved_run_exists_until_it_is_forgotten(store, tmp_path):
    store.forget("a")
    store.forget_stale()
    assert not store.exists("a")
    save(store, "a")
    save(store, "b")
    with store.open("a") as checkpointer:
        assert checkpointer.get_tuple(CONFIG) is not None
    store.forget("a")
    assert (store.exists("a"), store.exists("b")) == (False, True)
    store.forget("b")
    assert list((tmp_path / "state" / "runs").iterdir()) == []


def test_a_run_without_a_checkpoint_does_not_exist(store, tmp_path):
    """Opened and killed while the sandbox started, or damaged: there is nothing to go on from."""
    with store.open("a"):
        pass
    with store.open("b") as checkpointer:
        checkpointer.setup()
    (tmp_path / "state" / "runs" / "c.sqlite").write_bytes(b"not a database" * 99)
    assert not any(map(store.exists, "abc"))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE checkpoints SET checkpoint = x'00ff'",
        """UPDATE checkpoints SET checkpoint = '{"!": "data", "type": "Path", "value": {}}'""",
        "UPDATE checkpoints SET type = 'pickle'",
        "UPDATE checkpoints SET metadata = x'ff'",
        "UPDATE writes SET value = '['",
        "a torn page",
    ],
)
def test_what_is_damaged_is_an_error_before_it_is_resumed(store, tmp_path, damage):
    save(store, written="x" * 50_000)
    store.check("a")
    file = tmp_path / "state" / "runs" / "a.sqlite"
    if damage == "a torn page":
        file.write_bytes(file.read_bytes()[:-20_000] + b"\xff" * 20_000)
    else:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(damage)
    assert store.exists("a")
    with pytest.raises(ConfigurationError, match="is damaged: run again without --resume"):
        store.check("a")


def test_a_full_disk_is_not_taken_for_damage(store, monkeypatch):
    save(store)
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def fail(*_arguments):
        raise full

    monkeypatch.setattr(store, "open", fail)
    with pytest.raises(sqlite3.OperationalError, match="disk is full"):
        store.check("a")


@pytest.mark.parametrize("exists", [False, True])
def test_only_the_owner_can_look_in(tmp_path, exists):
    if exists:
        (tmp_path / "runs").mkdir(mode=0o755)
    save(RunStore(tmp_path / "runs"))
    assert stat.S_IMODE((tmp_path / "runs").stat().st_mode) == 0o700


def test_a_directory_or_a_lock_that_cannot_be_written_is_the_machines_failure(store, tmp_path):
    (tmp_path / "state" / "runs" / "a.sqlite-lock").mkdir(parents=True)
    with pytest.raises(MachineError, match="cannot keep checkpoints"), store.claim("a"):
        pass
    (tmp_path / "file").touch()
    store = RunStore(tmp_path / "file" / "runs")
    with pytest.raises(MachineError, match=r"file/runs.*set XDG_STATE_HOME"), store.open("a"):
        pass
    assert not store.exists("a")


def test_the_connection_is_closed_on_any_way_out(store):
    with pytest.raises(KeyboardInterrupt), store.open("a") as checkpointer:
        raise KeyboardInterrupt
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        checkpointer.conn.execute("SELECT 1")


def test_what_nobody_resumed_for_a_week_goes(store, tmp_path):
    for run in ("old", "new"):
        save(store, run)
    directory = tmp_path / "state" / "runs"
    (directory / "old.sqlite-wal").touch()
    (directory / "note.txt").touch()
    before = time.time() - STALE_AFTER_S - 60
    for name in ("old.sqlite", "old.sqlite-wal", "note.txt"):
        os.utime(directory / name, (before, before))
    store.forget_stale()
    assert store.exists("new")
    assert sorted(path.name for path in directory.iterdir()) == ["new.sqlite", "note.txt"]


def test_a_run_belongs_to_one_process_at_a_time(store):
    with store.claim("a"):
        second = store.claim("a")
        with pytest.raises(ConfigurationError, match="another regreen"):
            second.__enter__()
        with store.claim("b"):
            pass
    with store.claim("a"):
        pass


def test_only_the_latest_checkpoint_is_kept(store):
    with store.open("a") as checkpointer:
        config = CONFIG
        for step in range(20):
            config = checkpointer.put(config, empty_checkpoint(), {"source": "loop", "step": step}, {})
            checkpointer.put_writes(config, [("channel", step)], "task")
        with checkpointer.cursor() as cursor:
            for table in ("checkpoints", "writes"):
                assert cursor.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (1,)
        assert checkpointer.get_tuple(CONFIG).config == config


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_not_taken_for_another_process(store, monkeypatch, number):
    def refuse(*_arguments):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(MachineError, match="XDG_STATE_HOME"), store.claim("a"):
        pass
