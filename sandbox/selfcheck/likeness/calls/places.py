"""Time zone, locale, terminal, and what the machine says that it is."""

from __future__ import annotations

import ctypes.util
import datetime
import locale
import os
import platform
import shutil
import sqlite3
import sys
import sysconfig
import tempfile
import time
import uuid
from importlib import import_module  # of what CPython 3.7 has not
from typing import Any, List

from .answers import TRUE, TYPE, VALUE, Call, raised


def _zone(name: str = "") -> str:
    """The first name of the local zone with ``$TZ`` so, or without it."""
    kept = os.environ.pop("TZ", None)
    try:
        if name:
            os.environ["TZ"] = name
        time.tzset()
        return time.tzname[0]
    finally:
        if kept is not None:
            os.environ["TZ"] = kept
        else:
            os.environ.pop("TZ", None)
        time.tzset()


def _offset() -> Any:
    zone = import_module("zoneinfo").ZoneInfo("Europe/Berlin")
    return datetime.datetime(2024, 7, 1, tzinfo=zone).utcoffset()


def _zones() -> bool:
    return len(import_module("zoneinfo").available_timezones()) > 300


def _text(path: str) -> str:
    with open(path) as handle:
        return handle.read()


def _table() -> List[Any]:
    with tempfile.TemporaryDirectory() as directory:
        database = sqlite3.connect(os.path.join(directory, "table"))
        database.execute("pragma journal_mode=wal")
        rows = database.execute("select 7").fetchall()
        database.close()
        return rows


CALLS: List[Call] = [
    ("time.tzname", VALUE, lambda: time.tzname),
    ("time.timezone", VALUE, lambda: time.timezone),
    ("the local zone of datetime", VALUE, lambda: datetime.datetime.now().astimezone().tzname()),
    ("the local zone without $TZ is UTC", TRUE, lambda: _zone() == "UTC"),
    ("time.tzset with another zone", VALUE, lambda: _zone("America/New_York")),
    ("zoneinfo.ZoneInfo", VALUE, _offset),
    ("zoneinfo.available_timezones()", VALUE, _zones),
    ("/usr/share/zoneinfo", VALUE, lambda: os.path.isfile("/usr/share/zoneinfo/Europe/Berlin")),
    ("locale.setlocale(LC_ALL, '')", VALUE, lambda: locale.setlocale(locale.LC_ALL, "")),
    ("locale.getpreferredencoding()", VALUE, lambda: locale.getpreferredencoding()),
    ("sys.getfilesystemencoding()", VALUE, lambda: sys.getfilesystemencoding()),
    ("the encoding of the output", VALUE, lambda: sys.stdout.encoding.lower()),
    ("shutil.get_terminal_size()", VALUE, lambda: tuple(shutil.get_terminal_size())),
    ("os.get_terminal_size()", VALUE, lambda: raised(os.get_terminal_size)),
    ("sys.stdout.isatty()", VALUE, lambda: sys.stdout.isatty()),
    ("sys.stdin.read()", VALUE, lambda: sys.stdin.read()),
    ("no $TERM, $COLUMNS, $LINES", TRUE, lambda: not {"TERM", "COLUMNS", "LINES"} & set(os.environ)),
    ("platform.system()", VALUE, lambda: platform.system()),
    ("platform.machine()", VALUE, lambda: platform.machine()),
    ("platform.node()", TYPE, lambda: platform.node()),
    ("platform.node() == socket.gethostname()", TRUE, lambda: platform.node() == os.uname().nodename),
    ("platform.platform()", TYPE, lambda: platform.platform()),
    ("platform.libc_ver()", TYPE, lambda: platform.libc_ver()),
    ("sysconfig.get_platform()", VALUE, lambda: sysconfig.get_platform()),
    ("sys.platform", VALUE, lambda: sys.platform),
    ("uuid.getnode()", TYPE, lambda: uuid.getnode()),
    ("uuid.uuid1()", TYPE, lambda: uuid.uuid1()),
    ("/etc/machine-id", TRUE, lambda: len(bytes.fromhex(_text("/etc/machine-id").strip())) == 16),
    ("/etc/hostname", TRUE, lambda: _text("/etc/hostname").strip() == os.uname().nodename),
    ("/etc/resolv.conf", TRUE, lambda: "nameserver" in _text("/etc/resolv.conf")),
    ("sqlite3 with a file", VALUE, _table),
    ("ctypes.util.find_library('c')", TYPE, lambda: ctypes.util.find_library("c")),
    ("os.getrandom", TYPE, lambda: os.getrandom(4)),
    (
        "time.perf_counter and time.process_time",
        VALUE,
        lambda: time.perf_counter() > 0 <= time.process_time(),
    ),
    ("$PATH", TRUE, lambda: shutil.which("sh") is not None),
]
