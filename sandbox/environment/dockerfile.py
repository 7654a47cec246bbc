"""Writes the Dockerfile of an environment, and the archive that the engine builds from. Pure.

Our own steps (a compiler, uv) run as root and stand first, so that all projects share their layers.
Everything that runs code of the project or of its dependencies runs as nobody; a setup command runs as
root, since it may have to install system packages.
"""

import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources

from sandbox import machine
from sandbox.environment.steps import UV_VERSION, BuildStep, Layout
from sandbox.snapshot import Entry, Snapshot

HOME = "/opt/regreen"
WORKSPACE = "/workspace"
UV = f"{HOME}/bin/uv"
# The base image's interpreter under a name of ours, in a directory that the building user cannot write.
# HOME is no such place: who owns a directory can rename what lies in it.
SUPERVISOR_PYTHON = "/opt/regreen-supervisor/python"
CONFINE = "/opt/regreen-supervisor/confine.py"
NOBODY = f"{machine.UID}:{machine.UID}"
# One time for all files, so that it changes no layer: 2020, since ZIP archives know none before 1980.
STAMP_S = 1_577_836_800
# The engine knows these by itself, and keeps them out of the image's history.
_PREDEFINED = frozenset({"http_proxy", "https_proxy", "ftp_proxy", "no_proxy", "all_proxy"})
_USER = f"HOME={machine.HOME} USER={machine.USER} LOGNAME={machine.USER}"
_SETTINGS = f"{_USER} UV_NO_CACHE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never UV_NO_PROGRESS=1"
_PACKAGES = "build-essential python3-dev"
_CARGO = ("&& command -v cargo", f"{_PACKAGES} cargo")
_TOOLCHAIN = """\
RUN {{ command -v gcc && command -v make {cargo} && {python} -c \\
    'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'; }} >/dev/null 2>&1 \\
    || {{ apt-get update -qq && apt-get install -qq -y --no-install-recommends {packages} >/dev/null \\
    && rm -rf /var/lib/apt/lists/*; }}
"""
_UV = """\
RUN mkdir -p {home}/bin {workspace} && if command -v uv >/dev/null; then \
    ln -s "$(command -v uv)" {uv}; else \\
    {python} -m pip install --quiet --no-cache-dir --disable-pip-version-check --root-user-action=ignore \\
    --target {home}/uv uv=={version} && ln -s {home}/uv/bin/uv {uv}; fi \\
    && chown {nobody} {home} {workspace}
"""
_SUPERVISOR = """\
RUN mkdir -p {directory} && ln -s "$({python} -I -S -c 'import sys; print(sys.executable)')" {supervisor}
"""


def line(step: BuildStep, *, as_root: bool = False) -> str:
    """The step as the Dockerfile's RUN has it, and as the engine's output repeats it.

    In JSON, since what a step says may have several lines, of which a Dockerfile would take each for its own.
    Its system calls are filtered; those of a setup command, which may be for the system, by the engine alone.
    """
    confined = () if as_root else (SUPERVISOR_PYTHON, "-I", "-S", CONFINE)
    return json.dumps([*confined, "/bin/sh", "-c", f"export {_SETTINGS}; {step.shell()}"])


def dockerfile(  # noqa: PLR0913 - one for each part of the file
    todo: Sequence[BuildStep],
    layout: Layout,
    *,
    base: str,
    as_root: bool = False,
    toolchain: str = "",
    variables: Sequence[str] = (),
) -> str:
    """The Dockerfile that runs ``todo`` on ``base``.

    ``toolchain`` is what has to be there to compile, ``variables`` are the build arguments to declare;
    ``as_root`` is for a setup command.
    """
    lines = [f"FROM {base}", "USER 0:0"]
    lines += [f"ARG {name}" for name in variables if name.lower() not in _PREDEFINED]
    if toolchain:
        cargo, packages = _CARGO if toolchain == "Rust" else ("", _PACKAGES)
        lines.append(_TOOLCHAIN.format(cargo=cargo, python=layout.python, packages=packages).rstrip())
    places = {"home": HOME, "workspace": WORKSPACE, "uv": UV, "nobody": NOBODY, "version": UV_VERSION}
    places |= {"supervisor": SUPERVISOR_PYTHON, "directory": SUPERVISOR_PYTHON.rpartition("/")[0]}
    lines += [part.format(python=layout.python, **places).rstrip() for part in (_UV, _SUPERVISOR)]
    if not as_root:
        lines.append(f"COPY --chown=0:0 {CONFINE.rpartition('/')[2]} {CONFINE}")
        lines.append(f"USER {NOBODY}")
    lines.append(f"COPY --chown={NOBODY} inputs {HOME}/inputs")
    waiting = f"COPY --chown={NOBODY} project {WORKSPACE}"
    for step in todo:
        if step.needs_project and waiting:
            # As late as possible: the dependencies' layer holds for every state of the project.
            lines.append(waiting)
            waiting = ""
        lines.append(f"RUN {line(step, as_root=as_root)}")
    return "\n".join(lines) + "\n"


def context(text: str, inputs: Mapping[str, bytes], snapshot: Snapshot | None) -> bytes:
    """The archive to build from: the Dockerfile, ``inputs``, and the ``project`` where it takes part."""
    buffer = io.BytesIO()
    confine = resources.files("sandbox").joinpath("confine.py").read_bytes()
    entries = [Entry(path="Dockerfile", data=text.encode()), Entry(path="confine.py", data=confine)]
    entries += [Entry(path=f"inputs/{path}", data=data) for path, data in inputs.items()]
    entries += [replace(one, path=f"project/{one.path}") for one in (snapshot.entries if snapshot else ())]
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for entry in entries:
            entry.add_to(tar, time_s=STAMP_S)
    return buffer.getvalue()
