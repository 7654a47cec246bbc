"""Runs at the end of a build, inside it: finds what the build made of the project beside its sources.

Standard library only, CPython 3.7+. It runs after untrusted build scripts and among them, so the host
believes nothing of what it writes (``built`` reads it).

The project was installed like any package. Its modules are taken out of the environment again, so that
the workspace is the only place they can be imported from; what the sources do not hold (extension
modules, generated files) goes into an archive that is laid over the workspace of every sandbox. The
metadata stays. Where an extension module was compiled from a Python module, the source wins.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sys
import sysconfig
import tarfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

EXTENSIONS = (".so", ".pyd")
SKIPPED_DIRECTORIES = {
    *("__pycache__", "build", "dist", ".eggs", ".git", ".tox", ".nox", "node_modules", "target"),
}


def main(settings: dict[str, Any]) -> None:
    """Write ``built.tar`` and ``built.json`` into the home directory; pin the workspace."""
    home, workspace = settings["home"], settings["workspace"]
    with open(os.path.join(home, "inputs", "paths.json"), encoding="utf-8") as handle:
        known = set(json.load(handle))
    roots = list(settings["roots"])
    made: dict[str, str] = {}
    record = own_record(os.path.join(workspace, settings["member"]))
    if record is not None:
        site, metadata = record
        paths = installed_paths(metadata)
        mapping = import_roots(paths, known)
        roots = sorted(set(mapping.values()) | set(roots))
        sources = {path: source for path, source in located(paths, mapping) if source is not None}
        made = {
            source: os.path.join(site, path)
            for path, source in sources.items()
            if source not in known and not compiled_from(source, known)
        }
    if settings["everything"]:
        made.update(unknown_files(workspace, known))
    write_archive(os.path.join(home, "built.tar"), made)
    report = {"import_roots": roots, "python": list(sys.version_info[:3])}
    with open(os.path.join(home, "built.json"), "w", encoding="utf-8") as handle:
        json.dump(report, handle)
    if settings["pin"] and roots:
        if record is not None:
            remove(site, list(sources))
            if is_pytest_plugin(metadata):
                link(site, settings["pin"], mapping)
        pin(settings["pin"], roots)


def own_record(workspace: str) -> tuple[str, str] | None:
    """The ``site-packages`` and the project's metadata in it; None where it is not installed as a copy."""
    for site in sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}):
        for name in sorted(os.listdir(site)):
            directory = os.path.join(site, name)
            origin = os.path.join(directory, "direct_url.json")
            if not name.endswith(".dist-info") or not os.path.exists(origin):
                continue
            with open(origin, encoding="utf-8") as handle:
                url = json.load(handle)
            path = url.get("url", "").replace("file://", "", 1).rstrip("/")
            if path == workspace.rstrip("/") and not url.get("dir_info", {}).get("editable"):
                return site, directory
    return None


def installed_paths(dist_info: str) -> list[str]:
    """The paths in ``RECORD`` that are importable: relative to the site directory, without the metadata."""
    with open(os.path.join(dist_info, "RECORD"), encoding="utf-8", newline="") as handle:
        paths = [row[0] for row in csv.reader(handle) if row]
    elsewhere = ("../", "/", os.path.basename(dist_info) + "/")
    return [path for path in paths if not (path.startswith(elsewhere) or path.endswith((".pyc", ".pth")))]


def import_roots(paths: list[str], known: set[str]) -> dict[str, str]:
    """The directory of the project that each top-level package or module was installed from."""
    endings: dict[str, list[str]] = {}
    for path in known:
        endings.setdefault(path.rpartition("/")[2], []).append(path)
    votes: dict[str, Counter[str]] = {}
    for path in paths:
        if path.endswith((".py", ".pyi", ".typed")):
            top = path.split("/")[0]
            for source in endings.get(path.rpartition("/")[2], ()):
                if source == path or source.endswith("/" + path):
                    votes.setdefault(top, Counter())[source[: -len(path)].rstrip("/")] += 1
    # The directory with the most files of it; of two, the one nearer to the top.
    return {top: min(found, key=lambda root: (-found[root], len(root), root)) for top, found in votes.items()}


def located(paths: list[str], mapping: dict[str, str]) -> Iterator[tuple[str, str | None]]:
    """Each installed path with its place in the project; None for what has none there."""
    roots = set(mapping.values())
    for path in paths:
        root = mapping.get(path.split("/")[0])
        if root is None and "/" not in path and path.endswith(EXTENSIONS) and len(roots) == 1:
            root = min(roots)  # a lone extension module at the top, such as _speedups.*.so
        yield path, path if root == "" else None if root is None else root + "/" + path


def compiled_from(path: str, known: set[str]) -> bool:
    """Whether ``path`` is an extension module whose Python source is in the project."""
    directory, slash, name = path.rpartition("/")
    return path.endswith(EXTENSIONS) and directory + slash + name.split(".")[0] + ".py" in known


def remove(site: str, paths: list[str]) -> None:
    """Take the installed copies away, with their bytecode and the directories that are empty then."""
    for path in paths:
        if os.path.isfile(os.path.join(site, path)):
            os.remove(os.path.join(site, path))
    for directory in sorted({os.path.dirname(path) for path in paths if "/" in path}, key=len, reverse=True):
        full = os.path.join(site, directory)
        shutil.rmtree(os.path.join(full, "__pycache__"), ignore_errors=True)
        while full != site and os.path.isdir(full) and not os.listdir(full):
            os.rmdir(full)
            full = os.path.dirname(full)


def is_pytest_plugin(dist_info: str) -> bool:
    """Whether the project declares a plugin of pytest's."""
    path = os.path.join(dist_info, "entry_points.txt")
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8") as handle:
        return any(line.strip() == "[pytest11]" for line in handle)


def link(site: str, workspace: str, mapping: dict[str, str]) -> None:
    """Let each top-level package of ``mapping`` be found where it was installed, as a link to its source.

    pytest rewrites the assertions of a plugin in the installed files that are there.
    """
    for top, root in mapping.items():
        if not os.path.lexists(os.path.join(site, top)):
            os.symlink(os.path.join(workspace, root, top), os.path.join(site, top))


def unknown_files(workspace: str, known: set[str]) -> Iterator[Any]:
    """The files that a setup command left in the project, by path, without caches and environments."""
    for directory, names, files in os.walk(workspace):
        names[:] = [
            name
            for name in names
            if (name not in SKIPPED_DIRECTORIES or is_known(os.path.join(directory, name), workspace, known))
            and not os.path.exists(os.path.join(directory, name, "pyvenv.cfg"))
        ]
        for name in files:
            full = os.path.join(directory, name)
            path = os.path.relpath(full, workspace)
            if path not in known and not name.endswith((".pyc", ".o")) and not os.path.islink(full):
                yield path, full


def is_known(directory: str, workspace: str, known: set[str]) -> bool:
    """Whether ``directory`` was there before the build."""
    prefix = os.path.relpath(directory, workspace) + "/"
    return any(path.startswith(prefix) for path in known)


def write_archive(path: str, made: dict[str, str]) -> None:
    """A tar archive of ``made``, without owners and times."""
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for target in sorted(made):
            with open(made[target], "rb") as handle:
                data = handle.read()
            info = tarfile.TarInfo(target)
            info.size = len(data)
            info.mode = 0o755 if os.access(made[target], os.X_OK) else 0o644
            tar.addfile(info, io.BytesIO(data))


def pin(workspace: str, roots: list[str]) -> None:
    """Let every interpreter of the environment find the workspace, but for the sandbox's process 1.

    That one is the supervisor, which must not import anything of the project.
    """
    directories = [os.path.join(workspace, root) if root else workspace for root in roots]
    line = "import os, sys; os.getpid() == 1 or sys.path.extend(p for p in %r if p not in sys.path)\n"
    with open(os.path.join(sysconfig.get_path("purelib"), "regreen-workspace.pth"), "w") as handle:
        handle.write(line % (directories,))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
