"""Checks on what crosses the boundary as an archive, in either direction."""

import io
import os
import secrets
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from sandbox import leftovers, snapshot
from sandbox.errors import SandboxError
from sandbox.owner import mark
from sandbox.selfcheck.model import AttackResult, Check, Trial

CONTENT = b"from the archive"
_READ = """\
for name in ("plain.txt", "file-link"):
    try:
        print(name + ":", open(name).read())
    except OSError as error:
        print(name + ":", error.strerror)
"""
ESCAPES = ("../escaped", "/tmp/escaped", "a/../../escaped", "./../escaped", "a/b/../../../escaped")  # noqa: S108
SPECIAL = {
    "a character device": tarfile.CHRTYPE,
    "a block device": tarfile.BLKTYPE,
    "a named pipe": tarfile.FIFOTYPE,
    "a hard link": tarfile.LNKTYPE,
}
Member = tuple[tarfile.TarInfo, bytes]


def _tar(*members: Member) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def _member(name: str, content: bytes = b"", *, kind: bytes = tarfile.REGTYPE, target: str = "") -> Member:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, len(content)
    return info, content


def _all_refused(attempts: dict[str, Callable[[], object]]) -> AttackResult:
    taken = []
    for title, attempt in attempts.items():
        try:
            attempt()
            taken.append(f"it took {title}")
        except SandboxError:
            pass
    evidence = "; ".join(taken) if taken else f"refused: {', '.join(attempts)}"
    return AttackResult(held=not taken, evidence=evidence)


def _unpack(trial: Trial, *members: Member) -> Callable[[], object]:
    return partial(trial.sandbox.unpack, _tar(*members))


def _escapes(trial: Trial) -> AttackResult:
    """Names that lead out, in a tar, in a zip that calls itself one, and in a change to a file."""
    attempts: dict[str, Callable[[], object]] = {}
    for name in ESCAPES:
        attempts[f"the name {name}"] = _unpack(trial, _member(name, CONTENT))
        attempts[f"the change {name}"] = partial(trial.python, "", changes={name: CONTENT})
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("../escaped", CONTENT)
    attempts["a zip archive"] = partial(trial.sandbox.unpack, zipped.getvalue())
    cut_off = _tar(_member("x", CONTENT * 99))[:700]
    attempts["an archive that is cut off"] = partial(trial.sandbox.unpack, cut_off)
    return _all_refused(attempts)


def _special(trial: Trial) -> AttackResult:
    """Devices, pipes and hard links."""
    odd = {title: _member("odd", kind=kind, target="/etc/passwd") for title, kind in SPECIAL.items()}
    return _all_refused({title: _unpack(trial, member) for title, member in odd.items()})


def _links(trial: Trial) -> AttackResult:
    """A link in an archive, then a file "below" it or in its place: nothing is written where it points."""
    target = f"/tmp/{mark()}slip-{secrets.token_hex(4)}"  # noqa: S108 - inside
    names = ("slip/deep", "through")
    link = _member("slip", kind=tarfile.SYMTYPE, target=target)
    through = _member("through", kind=tarfile.SYMTYPE, target=f"{target}-file")
    trial.sandbox.unpack(_tar(link, _member("slip/deep", CONTENT), through))
    look = f"import os; print('found', [p for p in ({target!r}, {target + '-file'!r}) if os.path.lexists(p)])"
    result = trial.python(look, changes=dict.fromkeys(names, CONTENT))
    written = result.stdout.strip().decode("utf-8", "replace")
    held = result.exit_status == 0 and written == "found []"
    return AttackResult(held=held, evidence=f"where the links point: {written}")


def _read_by_host(trial: Trial) -> AttackResult:
    """A project of links, pipes and devices: what the host reads of it, and what arrives inside."""
    secret = trial.planted.secret.encode()
    with leftovers.directory("self-check-") as directory:
        outside = Path(directory, "outside")
        project = Path(directory, "project")
        project.mkdir()
        outside.write_bytes(secret)
        (project / "plain.txt").write_bytes(CONTENT)
        (project / "file-link").symlink_to(outside)
        (project / "directory-link").symlink_to(directory)
        (project / "loop").symlink_to("loop")
        os.mkfifo(project / "pipe")
        taken = snapshot.take(project)
        archive = taken.archive()
        inside = {entry.path for entry in taken.entries}
        trial.sandbox.unpack(archive)
        result = trial.python(_READ)
    arrived = result.stdout.startswith(b"plain.txt: " + CONTENT)
    leaked = not arrived or secret in archive or secret in result.stdout
    followed = inside != {"plain.txt", "file-link", "loop"}  # a directory outside is left out
    along, content = ", ".join(sorted(inside)), "yes" if leaked else "no"
    evidence = f"taken along: {along}; the linked file's content: {content}"
    return AttackResult(held=not leaked and not followed, evidence=evidence)


CHECKS = (
    Check("archive-names", _escapes),
    Check("archive-special", _special),
    Check("archive-links", _links),
    Check("archive-out", _read_by_host),
)
