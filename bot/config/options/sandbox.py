"""The part of the table of options that is about the sandbox and its limits; see ``bot.config.options``."""

from __future__ import annotations

from bot.config.options.option import Option
from sandbox.base import MIB, Limits

SANDBOXES = ("auto", "docker", "bubblewrap", "process")
_LIMITS = Limits()
_MINUTE, _DAY = 60, 86_400  # seconds

SANDBOX_OPTIONS = (
    Option(
        name="sandbox",
        group="Sandbox",
        kind="choice",
        choices=SANDBOXES,
        default="auto",
        help="Where the project's code runs. auto: docker, else bubblewrap. process is no isolation.",
    ),
    Option(
        name="sandbox-image",
        group="Sandbox",
        metavar="IMAGE",
        otherwise="made for the project",
        help="docker: the image with the project's dependencies, used as it is.",
    ),
    Option(
        name="sandbox-python",
        group="Sandbox",
        metavar="PYTHON",
        flags=("--python",),
        otherwise="found",
        help="The interpreter that runs the tests: a path here, or with docker a command in the image.",
    ),
    Option(
        name="sandbox-runtime",
        group="Sandbox",
        metavar="NAME",
        otherwise="the engine's own",
        help="docker: the engine's runtime for the containers, such as runsc (gVisor).",
    ),
    Option(
        name="setup-command",
        group="Sandbox",
        metavar="COMMAND",
        otherwise="what the project declares",
        help="Installs the dependencies, in place of the steps found for the project.",
    ),
    Option(
        name="base-image",
        group="Sandbox",
        metavar="IMAGE",
        otherwise="Python's own, slim",
        help="docker: the image that an image with the project's dependencies is built on.",
    ),
    Option(
        name="build-variables",
        group="Sandbox",
        kind="names",
        help="Variables of your environment that a build gets: a proxy, certificates, an index. The "
        "project's code can read them.",
    ),
    Option(
        name="build-timeout",
        group="Sandbox",
        kind="duration",
        default=1800.0,
        minimum=10,
        maximum=_DAY,
        help="For building the environment that the tests run in.",
    ),
    Option(
        name="sandbox-memory",
        group="Limits of the sandbox",
        kind="mebibytes",
        limit="memory_mib",
        default=_LIMITS.memory_mib,
        minimum=256,
        maximum=1024 * 1024,
        help="Memory: of the whole sandbox with docker, of each process elsewhere.",
    ),
    Option(
        name="sandbox-cpus",
        group="Limits of the sandbox",
        kind="number",
        limit="cpus",
        default=_LIMITS.cpus,
        minimum=0.1,
        maximum=1024,
        help="Processor cores; docker only, and at most what the machine has.",
    ),
    Option(
        name="sandbox-processes",
        group="Limits of the sandbox",
        kind="count",
        limit="processes",
        default=_LIMITS.processes,
        minimum=16,
        maximum=32_768,
        help="Processes and threads at the same time; not with process.",
    ),
    Option(
        name="sandbox-open-files",
        group="Limits of the sandbox",
        kind="count",
        limit="open_files",
        default=_LIMITS.open_files,
        minimum=64,
        maximum=1_048_576,
        help="Open files of each process.",
    ),
    Option(
        name="sandbox-disk",
        group="Limits of the sandbox",
        kind="mebibytes",
        limit="disk_mib",
        default=_LIMITS.disk_mib,
        minimum=16,
        maximum=1024 * 1024,
        help="The workspace, and /tmp as much again, both in memory; not with process.",
    ),
    Option(
        name="sandbox-file-size",
        group="Limits of the sandbox",
        kind="mebibytes",
        limit="file_mib",
        default=_LIMITS.file_mib,
        minimum=1,
        maximum=1024 * 1024,
        help="The largest file that a process can write.",
    ),
    Option(
        name="sandbox-output-limit",
        group="Limits of the sandbox",
        kind="bytes",
        limit="output_bytes",
        default=_LIMITS.output_bytes,
        minimum=1024,
        maximum=100 * MIB,
        help="What is kept of each output of a command; the rest is dropped, and said to be.",
    ),
    Option(
        name="sandbox-lifetime",
        group="Limits of the sandbox",
        kind="duration",
        limit="lifetime_s",
        default=_LIMITS.lifetime_s,
        minimum=_MINUTE,
        maximum=7 * _DAY,
        help="How long one sandbox may live; it ends itself then, whoever forgot it.",
    ),
)
