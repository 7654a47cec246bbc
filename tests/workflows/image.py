"""The Action's image, built once for its sources."""

import fcntl
import hashlib
import subprocess
import tempfile
from pathlib import Path

from workflows.copies import ROOT

REPOSITORY = "regreen-action-test"


def docker(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False, timeout=600)


def _sources() -> list[Path]:
    directories = [path for name in ("bot", "sandbox") for path in (ROOT / name).rglob("*") if path.is_file()]
    files = [path for path in directories if "__pycache__" not in path.parts]
    return sorted([ROOT / "Dockerfile", ROOT / ".dockerignore", ROOT / "requirements.lock", *files])


def build(base: str) -> str:
    """The image on ``base``; made by the first worker that wants it, and kept for the same sources."""
    total = hashlib.sha256(base.encode())
    for path in _sources():
        total.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    tag = f"{REPOSITORY}:{total.hexdigest()[:16]}"
    lock = Path(tempfile.gettempdir()) / f"{REPOSITORY}.lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if docker("image", "inspect", tag).returncode == 0:
            return tag
        built = docker("build", "--build-arg", f"BASE_IMAGE={base}", "--tag", tag, str(ROOT))
        assert built.returncode == 0, built.stdout + built.stderr
        old = docker("image", "ls", "--format", "{{.Tag}}", REPOSITORY).stdout.split()
        for name in old[3:]:
            docker("image", "rm", f"{REPOSITORY}:{name}")
    return tag
