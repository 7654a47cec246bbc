"""What of a build's results is let in: plain files of the project, within limits, each at its place."""

import io
import json
import tarfile
import time

import pytest
from every_case import every_case

from sandbox.environment import built as module
from sandbox.environment.built import Built, read_built
from sandbox.errors import ArchiveRefused
from sandbox.snapshot import Entry, Snapshot

REPORT = json.dumps({"import_roots": ["src", "", "../up", "/abs", 3]}).encode()


def archive(*members, **more):
    """An archive of empty files with these names; ``more`` are attributes of each header."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in members:
            info = tarfile.TarInfo(name)
            for attribute, value in more.items():
                setattr(info, attribute, value)
            tar.addfile(info, io.BytesIO())
    return buffer.getvalue()


OUTSIDE = ["../evil.py", "/etc/evil", "a/../../b", "a//b", "./a", "a/" * 300 + "x.py", "x" * 300]
KINDS = [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE]
# A file of a few bytes that claims to be as large as it likes.
SPARSE = {"GNU.sparse.size": str(1 << 40), "GNU.sparse.map": "0,1", "GNU.sparse.numblocks": "1"}


@every_case(
    ("data", "report", "reason"),
    [
        *((archive(name), REPORT, "no file of the project") for name in OUTSIDE),
        *((archive("a", type=kind, linkname="/etc/passwd"), REPORT, "no file of the") for kind in KINDS),
        (archive("x/_speed.so", pax_headers=SPARSE), b"{}", "no file of the project"),
        *((archive(*names), b"{}", "one place") for names in (["a", "a"], ["a", "a/b"], ["a/b/c", "a"])),
        *((data, REPORT, "cannot be read") for data in (b"", b"no tar")),
        *((archive(), report, "cannot be read") for report in (b"no json", b"[" * 100_000)),
    ],
)
def test_what_is_no_plain_file_of_the_project_is_refused(data, report, reason):
    with pytest.raises(ArchiveRefused, match=reason):
        read_built(data, report)


def test_a_build_cannot_leave_files_without_end(monkeypatch):
    monkeypatch.setattr(module, "ENTRY_LIMIT", 2)
    with pytest.raises(ArchiveRefused, match="more than 2 files"):
        read_built(archive(*(f"{number}.py" for number in range(3))), b"{}")


def test_roots_stay_inside():
    assert read_built(archive(), REPORT).import_roots == ("src", "")


def test_the_projects_own_files_stay_and_nothing_goes_through_its_links():
    own = (Entry(path="a.py", data=b"own"), Entry(path="link", link="/etc"), Entry(path="pkg/b.py"))
    made = ("a.py", "link/passwd", "pkg", "pkg/_made.so")
    built = Built(entries=tuple(Entry(path=path, data=b"made") for path in made))
    assert {entry.path: entry.data for entry in built.over(Snapshot(entries=own)).entries} == {
        "a.py": b"own",
        "link": b"",
        "pkg/_made.so": b"made",
        "pkg/b.py": b"",
    }


def test_many_links_and_many_built_files_take_no_time_together():
    """Each with each would be four hundred million comparisons."""
    links = tuple(Entry(path=f"l{number}", link="x") for number in range(20_000))
    made = tuple(Entry(path=f"m{number}.py") for number in range(20_000))
    below = Entry(path="l7/x.py")
    started = time.monotonic()
    laid = Built(entries=(*made, below)).over(Snapshot(entries=links))
    assert len(laid.entries) == 40_000
    assert time.monotonic() - started < 10
