"""The Action's image, built once for its sources, and started as GitHub's runner starts it."""

import fcntl
import hashlib
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fakes.action import Ran, Shop, environment, granted, read_outputs

ROOT = Path(__file__).parents[2]
REPOSITORY = "regreen-action-test"
# Where the runner mounts what, beside the engine's socket.
MOUNTS = {"workspace": "/github/workspace", "home": "/github/home", "workflow": "/github/workflow"}
FILES = "/github/file_commands"
SOCKET = "/var/run/docker.sock"


def docker(*arguments: str, timeout: float = 600) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["docker", *arguments], capture_output=True, text=True, check=False, timeout=timeout
    )


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


def start(
    image: str,
    place: Shop,
    directory: Path,
    kind: str = "workflow_run",
    *,
    payload: Mapping | None = None,
    token: str = "",
    actor: str = "dev",
    arguments: tuple[str, ...] = (),
    **inputs: object,
) -> Ran:
    """One step of a job: ``directory`` is what the machine keeps for it."""
    for name in (*MOUNTS, "file_commands"):
        (directory / name).mkdir(parents=True, exist_ok=True)
    inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
    token = token or place.github.world.actions_token(granted(str(inputs.get("mode", ""))))
    event = directory / "workflow"
    variables = environment(place, event, kind, payload or place.event(kind), token, inputs)
    for name in ("output", "summary"):
        (directory / "file_commands" / name).touch()
    variables |= {
        "HOME": "/github/home",
        "GITHUB_WORKSPACE": "/github/workspace",
        "GITHUB_EVENT_PATH": "/github/workflow/event.json",
        "GITHUB_OUTPUT": f"{FILES}/output",
        "GITHUB_STEP_SUMMARY": f"{FILES}/summary",
        "GITHUB_ACTOR": actor,
        "GITHUB_TRIGGERING_ACTOR": actor,
        "RUNNER_TEMP": "/github/runner_temp",
    }
    mounts = {str(directory / name): at for name, at in MOUNTS.items()}
    mounts |= {str(directory / "file_commands"): FILES, SOCKET: SOCKET}
    ran = docker(
        *("run", "--rm", "--network", "host", "--workdir", "/github/workspace"),
        *(word for name, value in variables.items() if name != "PATH" for word in ("-e", f"{name}={value}")),
        *(word for path, at in mounts.items() for word in ("-v", f"{path}:{at}")),
        *arguments,
        image,
    )
    return Ran(
        status=ran.returncode,
        log=ran.stdout + ran.stderr,
        outputs=read_outputs((directory / "file_commands/output").read_text()),
        summary=(directory / "file_commands/summary").read_text(),
    )
