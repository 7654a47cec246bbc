"""Checks on what the code inside reaches of the host, and on what it may become and use up.

The first are on network, files, variables and processes, the others on privileges, its supervisor and limits.
"""

import os
import secrets
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sandbox import machine
from sandbox.base import ExecResult, Limits
from sandbox.errors import SandboxLost
from sandbox.machine import scrubbed
from sandbox.selfcheck.model import Attack, AttackResult, Check, Trial, judged, report_of, sent

# Public name servers and a private address: whether they answer does not matter, only whether there is a way.
ELSEWHERE = (["1.1.1.1", 53], ["8.8.8.8", 443], ["10.0.0.1", 80], ["2606:4700:4700::1111", 443])
METADATA = (["169.254.169.254", 80], ["169.254.170.2", 80], ["fd00:ec2::254", 80])
NAME_SERVERS = ("1.1.1.1", "8.8.8.8")
ENGINE_SOCKETS = (
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
    "/run/crio/crio.sock",
    f"/run/user/{os.getuid()}/docker.sock",
    f"/run/user/{os.getuid()}/podman/podman.sock",
)
FORBIDDEN_FILES = ("/etc/shadow", "/etc/sudoers", "/root/.ssh", "/root/.docker/config.json")
OWN_DIRECTORIES = (*machine.TEMPORARY, "/proc")
LOOPBACK = ("127.0.0.1", "::1")
FIXED_VARIABLES = ("LANG", "LC_ALL", "PYTHONHASHSEED", "TZ")


def _host_sockets(trial: Trial, *kinds: str) -> AttackResult:
    return _knock(trial, [one for one in trial.planted.sockets if not kinds or one[0] in kinds])


def _loopback(trial: Trial) -> AttackResult:
    known = [(kind, address) for kind, address in trial.planted.sockets if isinstance(address, tuple)]
    return _knock(trial, [(kind, address) for kind, address in known if address[0] in LOOPBACK])


def _knock(trial: Trial, sockets: Sequence[tuple[str, object]]) -> AttackResult:
    return trial.attack("network", "host_sockets", sockets=sockets, secret=trial.planted.secret)


def _host_files(trial: Trial) -> AttackResult:
    known = [["/etc/machine-id", _text("/etc/machine-id")], ["/etc/hostname", socket.gethostname()]]
    planted = {"paths": trial.planted.files, "secret": trial.planted.secret}
    return trial.attack("files", "read_secrets", forbidden=FORBIDDEN_FILES, known=known, **planted)


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _environment(trial: Trial) -> AttackResult:
    names, secret = [trial.planted.variable], trial.planted.secret
    return trial.attack("privileges", "environment", names=names, secret=secret)


def _host_processes(trial: Trial) -> AttackResult:
    planted = trial.planted
    return trial.attack("supervisor", "host_processes", pid=planted.pid, started=planted.started)


REACH = (
    Check("network-tcp", sent("network", "tcp", addresses=ELSEWHERE)),
    Check("network-udp", sent("network", "udp", addresses=ELSEWHERE)),
    Check("network-dns", sent("network", "names", names=["example.com"], servers=NAME_SERVERS)),
    Check("network-metadata", sent("network", "tcp", addresses=METADATA)),
    Check("network-loopback", _loopback),
    Check("network-host", _host_sockets),
    Check("network-abstract", lambda trial: _host_sockets(trial, "abstract", "path")),
    Check("network-interfaces", sent("network", "interfaces")),
    Check("network-vsock", sent("network", "vsock")),
    Check("engine-socket", sent("network", "engine_sockets", paths=ENGINE_SOCKETS)),
    Check("environment", _environment),
    Check("host-files", _host_files),
    Check("host-processes", _host_processes),
    Check(
        "write-outside",
        lambda trial: trial.attack("files", "write_outside", own=(*OWN_DIRECTORIES, *trial.traits.writable)),
    ),
    Check("kernel-files", sent("files", "kernel")),
    Check("devices", sent("files", "devices")),
    Check("device-nodes", sent("files", "change_devices")),
    Check(
        "clock-and-locale",
        sent(
            "privileges", "clock", variables={name: scrubbed({}, home="")[name] for name in FIXED_VARIABLES}
        ),
    ),
)


SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGCHLD", "SIGQUIT")
DEADLY_SIGNALS = (*SIGNALS, "SIGABRT", "SIGSEGV", "SIGSTOP", "SIGKILL")
CPU_LIMIT, CPU_SECONDS = 0.25, 0.8
TIMEOUTS_S = (0.6, 3.0, 15.0)  # longer where the machine is too busy to start the daemons
FLOOD_FACTOR = 20
ODD_BYTES = bytes(range(256))


def _survived(trial: Trial, finding: AttackResult) -> AttackResult:
    """``finding``, unless the sandbox no longer answers after the attack."""
    if not finding.held or trial.answers():
        return finding
    return AttackResult(held=False, evidence=f"the sandbox does not answer afterwards; {finding.evidence}")


def _bomb(function: str, arguments: Callable[[Limits], dict[str, Any]]) -> Attack:
    """An attack that may be killed for what it does: then it was contained, if the sandbox still answers."""

    def attack(trial: Trial) -> AttackResult:
        try:
            result = trial.launch("limits", function, **arguments(trial.limits))
            finding = judged(result)
            if report_of(result) is None and _killed(result):
                finding = AttackResult(held=True, evidence=f"it was killed: {result.exit_status}")
            return _survived(trial, finding)
        except SandboxLost as error:
            return AttackResult(held=False, evidence=f"it took the sandbox with it: {error}")

    return attack


def _killed(result: ExecResult) -> bool:
    """Whether the kernel ended it, or refused it memory in the middle of Python's own work."""
    return result.exit_status in {-9, 137} or b"MemoryError" in result.stderr


def _signals(trial: Trial) -> AttackResult:
    try:
        return _survived(trial, trial.attack("supervisor", "signals", signals=DEADLY_SIGNALS))
    except SandboxLost as error:
        return AttackResult(held=False, evidence=f"the supervisor was ended: {error}")


def _timeout(trial: Trial) -> AttackResult:
    marker = f"regreen-daemon-{secrets.token_hex(8)}"
    for timeout_s in TIMEOUTS_S:
        result = trial.launch("limits", "daemon", marker=marker, stay_s=60, timeout_s=timeout_s)
        if not result.timed_out:
            return AttackResult(
                held=False, evidence=f"it was not ended at {timeout_s} s: {judged(result).evidence}"
            )
        if b"left behind" in result.stdout:
            return trial.attack("limits", "survivors", marker=marker)
    return AttackResult(
        held=False, evidence=f"no daemon started within {TIMEOUTS_S[-1]} s: nothing was tried"
    )


def _leftovers(trial: Trial) -> AttackResult:
    marker = f"regreen-daemon-{secrets.token_hex(8)}"
    finding = trial.attack("limits", "daemon", marker=marker, stay_s=0)
    return trial.attack("limits", "survivors", marker=marker) if finding.held else finding


def _left_ipc(trial: Trial) -> AttackResult:
    key = 1 + secrets.randbelow(0x7FFFFFFE)
    finding = trial.attack("ipc", "leave", key=key)
    return trial.attack("ipc", "find", key=key) if finding.held else finding


def _disk(limits: Limits) -> dict[str, Any]:
    places = [".", "/tmp", "/dev/shm"]  # noqa: S108 - the sandbox's own
    return {"directories": places, "limit_mib": limits.disk_mib, "file_mib": limits.file_mib}


def _flood(trial: Trial) -> AttackResult:
    limit = trial.limits.output_bytes
    count = limit * FLOOD_FACTOR
    write = f"for s in (sys.stdout, sys.stderr): [s.write('x' * 1000) for _ in range({count} // 1000)]"
    result = trial.python(f"import sys\n{write}")
    sizes = f"of 2 x {count} bytes {len(result.stdout)} + {len(result.stderr)} came through"
    held = result.truncated and max(len(result.stdout), len(result.stderr)) <= limit
    return AttackResult(
        held=held, evidence=f"{sizes}, {'' if result.truncated else 'not '}said to be truncated"
    )


def _odd_bytes(trial: Trial) -> AttackResult:
    result = trial.python("import sys; sys.stdout.buffer.write(bytes(range(256)))")
    held = result.stdout == ODD_BYTES and result.exit_status == 0
    return AttackResult(held=held, evidence=f"{len(result.stdout)} of 256 byte values came through")


PRIVILEGES = (
    Check("not-root", sent("privileges", "identity")),
    Check(
        "capabilities", lambda trial: trial.attack("privileges", "capabilities", bounded=trial.traits.bounded)
    ),
    Check("namespaces", sent("privileges", "namespaces")),
    Check("system-calls", sent("privileges", "system_calls")),
    Check("supervisor-memory", sent("supervisor", "memory")),
    Check("supervisor-descriptors", sent("supervisor", "descriptors")),
    Check("supervisor-signals", _signals),
    Check("supervisor-priority", sent("supervisor", "priority")),
)

LIMITS = (
    Check("fork-bomb", _bomb("forks", lambda limits: {"limit": limits.processes})),
    Check("memory-bomb", _bomb("memory", lambda limits: {"limit_mib": limits.memory_mib})),
    Check("memory-of-many", _bomb("memory_of_many", lambda limits: {"limit_mib": limits.memory_mib})),
    Check(
        "processor-time",
        lambda trial: trial.attack("limits", "processor", limit=trial.limits.cpus, seconds=CPU_SECONDS),
        tight={"cpus": CPU_LIMIT},
    ),
    Check("open-files", lambda trial: trial.attack("limits", "open_files", limit=trial.limits.open_files)),
    Check("disk", _bomb("disk", _disk)),
    Check(
        "disk-places",
        lambda trial: trial.attack("files", "unlimited_places", limit_mib=trial.limits.disk_mib),
    ),
    Check("file-size", lambda trial: trial.attack("limits", "file_size", limit_mib=trial.limits.file_mib)),
    Check("core-dumps", sent("limits", "core_dump")),
    Check("output-flood", _flood),
    Check("output-bytes", _odd_bytes),
    Check("timeout", _timeout),
    Check("leftovers", _leftovers),
    Check("leftover-ipc", _left_ipc),
    Check("standard-input", sent("limits", "streams")),
)
