"""Runs inside a build: installs the parts of a plan, and leaves out what cannot be installed.

Standard library only, CPython 3.7+. It runs beside untrusted build scripts, so the host believes nothing of
what it writes (``built`` reads it). First everything is resolved together. Where that fails, the parts come
one after the other, and of a part that fails its lines: one requirement that is gone from the index must not
cost the others. What was left out is reported with the installer's reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from typing import Any

MAX_BLAMED = 2
UNTRIED = "too many failures: it was not tried by itself"
MAX_ATTEMPTS = 60  # to find the lines of one part that fail
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
KEPT = 4_000  # characters of an installer's output
OFFLINE = re.compile(
    r"name resolution|dns error|Name or service not known|Network is unreachable|Connection refused|"
    r"Failed to connect|No route to host|client error \(Connect\)|Network connectivity is disabled",
    re.IGNORECASE,
)
RAISED = re.compile(r"(?:\w+\.)*\w*(?:Error|Exception): \S")  # the last line of a traceback
# The network was there for the index: what uv ran to build a package wanted more of it.
BY_BACKEND = re.compile(r"build backend returned an error|problem with the package or the build environment")
COMPILER = re.compile(
    r"command '?(?:[\w-]+-)?(?:gcc|g\+\+|cc|c\+\+|clang)'? failed|unable to execute '?[\w-]*(?:gcc|cc)|"
    r"No such file or directory: '[\w-]*(?:gcc|g\+\+|cc|c\+\+|clang)'|Unknown compiler|No CMAKE_C",
    re.IGNORECASE,
)


# The packages that uv names where it cannot fetch, build or resolve something.
NAMED = re.compile(
    r"(?:Failed to (?:download and build|download|build|fetch|parse|resolve)[^`]{0,40}|"
    r"no versions? of |only .{0,10}available: |not found in the package registry: )`?([A-Za-z0-9][\w.-]*)|"
    r"Because ([A-Za-z0-9][\w.-]*?)(?:==\S+)? was not found"
)


# A release that was uploaded again later than the day of the plan, such as every one of atomicwrites.
UPLOADED_LATER = re.compile(r"`([A-Za-z0-9][\w.-]*)` was filtered by `exclude-newer(?:-package)?`")
YEARS_LATER = (1, 4, 100)
"""By how many years the plan's day is lifted for such a package, one after the other."""

MAX_LATER = 12
DAY_S = 86_400


class Failed(Exception):
    """Nothing could be installed, or a compiler is missing that a second build can bring."""


class Installer:
    """Installs by ``command``, the words before the requirements; ``left_out`` collects what failed."""

    def __init__(self, command: list[str], fixed: list[str], *, needs_compiler: bool) -> None:
        self._command, self._fixed, self._needs_compiler = command, fixed, needs_compiler
        self.left_out: list[dict[str, str]] = []
        self._lifted: dict[str, int] = {}
        self._days: dict[str, str] = {}

    def run(self, words: list[str], *, constrained: bool = True) -> str:
        """Install ``words``; the empty string, or why that failed."""
        words = [*(self._fixed if constrained else []), *words]
        status, output = self._called(words)
        for _ in range(MAX_LATER):
            if status == 0 or not self._admits(output):
                break
            status, output = self._called(words)
        if status == 0:
            return ""
        sys.stdout.write(output)
        sys.stdout.flush()
        if OFFLINE.search(output) and not BY_BACKEND.search(output):
            raise Failed("the package index cannot be reached")
        if self._needs_compiler and COMPILER.search(output) and shutil.which("gcc") is None:
            raise Failed("a compiler is missing")
        return output.strip() or "it said nothing"

    def _called(self, words: list[str]) -> tuple[int, str]:
        pairs = [f"{name}={day}" for name, day in sorted(self._days.items())]
        later = [word for pair in pairs for word in ("--exclude-newer-package", pair)]
        done = subprocess.run(
            [*self._command, *later, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode, done.stdout.decode("utf-8", "replace")[-KEPT:]

    def _admits(self, output: str) -> bool:
        """Lift the plan's day for the packages that ``output`` says are newer; False where it names none.

        By as little as will do: today's setuptools breaks the pytest of ten years ago.
        """
        found = dict.fromkeys(UPLOADED_LATER.findall(output))
        known = [name for name in found if self._lifted.get(name, 0) < len(YEARS_LATER)]
        for name in known:
            years = YEARS_LATER[self._lifted.get(name, 0)]
            self._lifted[name] = self._lifted.get(name, 0) + 1
            self._days[name] = years_after(self._as_of(), years)
        return bool(known)

    def _as_of(self) -> str:
        place = self._command.index("--exclude-newer") + 1 if "--exclude-newer" in self._command else 0
        return self._command[place] if place else ""

    def part(self, part: dict[str, str]) -> bool:
        """Install a part, and leave out those of its lines that fail; False where all of them do."""
        with open(part["path"], encoding="utf-8", errors="surrogateescape") as handle:
            lines = [line.strip() for line in handle]
        kept = [line for line in lines if line and not line.startswith(("#", "-"))]
        failed = self._halved(kept, os.path.dirname(part["path"]))
        for line, reason, _ in failed:
            wanted = without_hashes(line)
            self.left_out.append({"part": part["name"], "requirement": wanted, "reason": last_words(reason)})
        return sum(not replaced for _, _, replaced in failed) < len(kept)

    def _halved(self, lines: list[str], directory: str) -> list[tuple[str, str, bool]]:
        """Install as many of ``lines`` as possible; those that failed, with the reason, and whether replaced.

        What fails as a whole is tried in halves, so that few bad lines among many cost few attempts.
        ``directory`` is where their file lies.
        """
        attempts = MAX_ATTEMPTS
        failed: list[tuple[str, str, bool]] = []
        waiting = [lines]
        while waiting:
            block = waiting.pop()
            attempts -= 1
            reason = self._block(block, directory) if attempts >= 0 else UNTRIED
            if not reason:
                continue
            instead = relaxed(block[0]) if len(block) == 1 else ""
            if instead and not self.run([instead]):
                failed.append((block[0], f"{instead} was installed instead: {last_words(reason)}", True))
            elif len(block) == 1 or attempts < 0:
                failed += [(line, reason, False) for line in block]
            else:
                waiting += self._parts(block, reason)
        return failed

    def _parts(self, block: list[str], reason: str) -> list[list[str]]:
        """``block`` without those that are blamed and each of these, or its halves."""
        blamed = self._blamed(block, reason)
        if blamed:
            return [[line for line in block if line not in blamed], *([line] for line in blamed)]
        half = len(block) // 2
        return [block[half:], block[:half]]

    @staticmethod
    def _blamed(lines: list[str], reason: str) -> list[str]:
        """The one or two of ``lines`` whose packages the installer names as the reason."""
        named = {normal(name) for pair in NAMED.findall(reason) for name in pair if name}
        found = [line for line in lines if normal(re.split(r"[^\w.-]", line)[0]) in named]
        return found if 0 < len(found) <= MAX_BLAMED < len(lines) else []

    def _block(self, lines: list[str], directory: str) -> str:
        """Install ``lines`` together; a single one, if need be, without the constraints."""
        if not lines:
            return ""
        # Only in a file may a line have hashes.
        with tempfile.NamedTemporaryFile(dir=directory, suffix=".txt") as file:
            file.write(("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))
            file.flush()
            words = ["-r", file.name]
            problem = self.run(words)
            if problem and len(lines) == 1:
                return self.run(words, constrained=False)
            return problem


def years_after(day: str, years: int) -> str:
    """``day``, as YYYY-MM-DD, so many years later, and no later than tomorrow."""
    tomorrow = time.strftime("%Y-%m-%d", time.gmtime(time.time() + DAY_S))
    found = re.match(r"(\d{4})(-\d\d-\d\d)", day)
    if found is None:
        return tomorrow
    return min(tomorrow, f"{int(found[1]) + years}{found[2]}".replace("-02-29", "-02-28"))


def normal(name: str) -> str:
    """``name`` of a package as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def without_hashes(line: str) -> str:
    """``line`` of a requirements file without the hashes that its archives must have."""
    return line.partition(" --hash")[0].strip()


def relaxed(line: str) -> str:
    """``line`` without its address or its exact version, which may be gone; empty where it has neither."""
    plain = without_hashes(line)
    found = re.match(r"([A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?)\s*(?:@|===?)[^;]*(;.*)?$", plain)
    return f"{found[1]} {found[2] or ''}".strip() if found else ""


def last_words(output: str) -> str:
    """The lines of an installer's output that say why, on one line."""
    bare = ANSI.sub("", output).splitlines()
    lines = [line.strip(" \u00d7\u2570\u2500\u25b6\u2502") for line in bare]  # uv draws a tree
    informative = [line for line in lines if line and not line.startswith(("hint:", "warning:", "Using "))]
    raised = [line for line in informative if RAISED.match(line)]
    return " ".join(raised[-1:] or informative[:3])[:300]


def main(settings: dict[str, Any]) -> None:
    """Install the parts of ``settings`` and write ``install.json`` into the home directory."""
    installer = Installer(settings["command"], settings["fixed"], needs_compiler=settings["needs_compiler"])
    parts = settings["parts"]
    try:
        # Together, or one after the other, each of which is tried; whether anything could be installed.
        words = [word for part in parts for word in ("-r", part["path"])]
        done = not words or not installer.run(words) or sum(map(installer.part, parts)) > 0
        if settings["project"]:
            project(installer, settings["project"])
            done = True
    except Failed as error:
        sys.exit(str(error))
    report = {"left_out": installer.left_out, "installed": installed(settings["python"])}
    earlier = settings["report"]
    if os.path.exists(earlier):  # of an earlier step of this build
        with open(earlier, encoding="utf-8") as handle:
            report["left_out"] = json.load(handle)["left_out"] + report["left_out"]
    with open(earlier, "w", encoding="utf-8") as handle:
        json.dump(report, handle)
    if not done:
        sys.exit("nothing could be installed")


def project(installer: Installer, wanted: dict[str, Any]) -> None:
    """Install the project itself: with what it asks for, else by itself."""
    problem = ""
    for words in wanted["attempts"]:
        problem = installer.run(words)
        if not problem:
            return
    reason = last_words(problem)
    if wanted["metadata"]:
        write_metadata(wanted["metadata"])
        reason = f"its metadata was written as declared: {reason}"
    installer.left_out.append({"part": "the project", "requirement": "its build", "reason": reason})


def write_metadata(declared: dict[str, str]) -> None:
    """Write what a build would have left of the metadata: entry points and the version are found there."""
    directory = os.path.join(sysconfig.get_path("purelib"), declared["directory"])
    os.makedirs(directory, exist_ok=True)
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: {declared['name']}\nVersion: {declared['version']}\n",
        "entry_points.txt": declared["entry_points"] + "\n",
        "INSTALLER": "regreen\n",
    }
    files["RECORD"] = "".join(f"{declared['directory']}/{name},,\n" for name in (*files, "RECORD"))
    for name, text in files.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as handle:
            handle.write(text)


def installed(python: str) -> dict[str, str]:
    """The versions of what is in the environment, by name."""
    question = (
        "import json\n"
        "try:\n    from importlib.metadata import distributions\n"
        "except ImportError:\n    distributions = list\n"
        "print(json.dumps({str(d.metadata['Name']): str(d.version) for d in distributions()}))"
    )
    try:
        done = subprocess.run([python, "-I", "-c", question], stdout=subprocess.PIPE, check=True)
        found = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return {}
    return dict(found)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
