"""Checks that the code inside reaches nothing of the host: network, files, variables, processes."""

import os
import socket
from collections.abc import Sequence
from pathlib import Path

from sandbox import machine
from sandbox.machine import scrubbed
from sandbox.selfcheck.model import AttackResult, Check, Trial, sent

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


CHECKS = (
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
