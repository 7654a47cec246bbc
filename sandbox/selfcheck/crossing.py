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
TIMEOUT_S = 10.0
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


def _tar(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for info, content in members:
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def _member(name: str, *, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


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


def _unpack(trial: Trial, *members: tuple[tarfile.TarInfo, bytes]) -> Callable[[], object]:
    return partial(trial.sandbox.unpack, _tar(*members))


def _escapes(trial: Trial) -> AttackResult:
    """Names that lead out, in a tar, in a zip that calls itself one, and in a change to a file."""
    attempts: dict[str, Callable[[], object]] = {}
    nothing = [trial.spec.python, "-c", ""]
    for name in ESCAPES:
        attempts[f"the name {name}"] = _unpack(trial, (_member(name), CONTENT))
        attempts[f"the change {name}"] = partial(
            trial.sandbox.exec, nothing, timeout_s=TIMEOUT_S, changes={name: CONTENT}
        )
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("../escaped", CONTENT)
    attempts["a zip archive"] = partial(trial.sandbox.unpack, zipped.getvalue())
    cut_off = _tar((_member("x"), CONTENT * 99))[:700]
    attempts["an archive that is cut off"] = partial(trial.sandbox.unpack, cut_off)
    return _all_refused(attempts)


def _special(trial: Trial) -> AttackResult:
    """Devices, pipes and hard links."""
    return _all_refused(
        {
            title: _unpack(trial, (_member("odd", kind=kind, target="/etc/passwd"), b""))
            for title, kind in SPECIAL.items()
        }
    )


def _links(trial: Trial) -> AttackResult:
    """A link in an archive, then a file "below" it or in its place: nothing is written where it points."""
    target = f"/tmp/{mark()}slip-{secrets.token_hex(4)}"  # noqa: S108 - inside
    names = ("slip/deep", "through")
    trial.sandbox.unpack(
        _tar(
            (_member("slip", kind=tarfile.SYMTYPE, target=target), b""),
            (_member("slip/deep"), CONTENT),
            (_member("through", kind=tarfile.SYMTYPE, target=f"{target}-file"), b""),
        )
    )
    look = f"import os; print('found', [p for p in ({target!r}, {target + '-file'!r}) if os.path.lexists(p)])"
    result = trial.sandbox.exec(
        [trial.spec.python, "-c", look], timeout_s=TIMEOUT_S, changes=dict.fromkeys(names, CONTENT)
    )
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
    evidence = (
        f"taken along: {', '.join(sorted(inside))}; the linked file's content: {'yes' if leaked else 'no'}"
    )
    return AttackResult(held=not leaked and not followed, evidence=evidence)


CHECKS = (
    Check(
        "archive-names",
        "Names that lead out of the workspace are refused: absolute ones, .., zip and tar slip.",
        _escapes,
    ),
    Check("archive-special", "Devices, pipes and hard links in an archive are refused.", _special),
    Check("archive-links", "Nothing is written through a symbolic link that an archive brought.", _links),
    Check(
        "archive-out",
        "The host reads plain files of a project only: no link is followed, no pipe opened.",
        _read_by_host,
    ),
)
