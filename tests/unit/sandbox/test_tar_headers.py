"""A header of an untrusted archive takes neither minutes nor a gigabyte."""

import gzip
import io
import tarfile
import time

import pytest
from every_case import every_case

from bot.errors import GitHubError
from bot.github.archive import unpack
from sandbox.environment.built import read_built
from sandbox.environment.docker_build import _one_file
from sandbox.errors import ArchiveRefused
from sandbox.snapshot import EXTENDED_LIMIT_BYTES, PlainHeader

DIGITS = b"1" * EXTENDED_LIMIT_BYTES
END = bytes(1024)


def header(kind, size):
    info = tarfile.TarInfo("h")
    info.type, info.size = kind, size
    return info.tobuf(tarfile.USTAR_FORMAT)


def extended(kind, data):
    return header(kind, len(data)) + data + bytes(-len(data) % 512) + header(tarfile.REGTYPE, 0) + END


HOSTILE = [
    extended(tarfile.XHDTYPE, DIGITS),
    extended(tarfile.XGLTYPE, DIGITS),
    extended(tarfile.SOLARIS_XHDTYPE, DIGITS),
    extended(tarfile.XHDTYPE, b"x" * (EXTENDED_LIMIT_BYTES + 1)),
    extended(tarfile.GNUTYPE_LONGNAME, b"x" * (EXTENDED_LIMIT_BYTES + 1)),
    extended(tarfile.GNUTYPE_LONGLINK, b"x" * (EXTENDED_LIMIT_BYTES + 1)),
]


@every_case("archive", HOSTILE)
def test_a_header_that_would_take_long_is_refused(archive):
    start = time.process_time()
    with pytest.raises(ArchiveRefused):
        read_built(archive, b"{}")
    with pytest.raises(ArchiveRefused):
        _one_file(iter([archive]))
    with pytest.raises(GitHubError, match="cannot be read"):
        unpack(gzip.compress(archive))
    assert time.process_time() - start < 2


@every_case("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
@every_case("mode", ["r:", "r|"])
def test_long_names_and_links_are_read(form, mode):
    names = [f"top/{'d' * 200}/{number}/{'é' * 100}.py" for number in range(3)]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form, pax_headers={"comment": "a" * 40}) as made:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = 3
            made.addfile(info, io.BytesIO(b"abc"))
            info = tarfile.TarInfo(f"{name}.link")
            info.type, info.linkname = tarfile.SYMTYPE, name
            made.addfile(info)
    buffer.seek(0)
    with tarfile.open(fileobj=buffer, mode=mode, tarinfo=PlainHeader) as read:
        found = [(one.name, one.linkname, one.isreg() and read.extractfile(one).read()) for one in read]
    assert found == [row for name in names for row in ((name, "", b"abc"), (f"{name}.link", name, False))]
