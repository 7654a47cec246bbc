"""The table of options: the one place that says what can be configured.

From it come the options of the command line (``bot.click_options``), the variables of the environment and
the inputs of the Action (``bot.config``), the keys of the configuration file (``bot.configfile``) and
``docs/configuration.md``. It imports next to nothing, since ``regreen --help`` reads it.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.option import Option
from sandbox.base import MIB, Limits

STRATEGIES = ("search", "react")
SANDBOXES = ("auto", "docker", "bubblewrap", "process")
# What of the search can be left out; ``second-order`` are patches of two changes.
SEARCH_PARTS = ("spectra", "progress", "pruning", "rivals", "second-order")
# A search tries thousands of candidates cheaply; each attempt of a model costs tokens.
DEFAULT_ATTEMPTS: Mapping[str, int] = {"search": 20_000, "react": 5}
_LIMITS = Limits()
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400

OPTIONS = (
    Option(
        name="strategy",
        group="Repair",
        kind="choice",
        choices=STRATEGIES,
        default="search",
        help="search needs no model; react asks one to plan, then to patch.",
    ),
    Option(
        name="test-command",
        group="Repair",
        metavar="COMMAND",
        otherwise="python -m pytest",
        help="How to run the tests: pytest, unittest, a program, or any command whose exit status tells.",
    ),
    Option(
        name="time-budget",
        group="Repair",
        kind="duration",
        default=300.0,
        minimum=1,
        maximum=7 * _DAY,
        help="For the whole repair.",
    ),
    Option(
        name="max-attempts",
        group="Repair",
        kind="count",
        minimum=1,
        maximum=10_000_000,
        otherwise=", ".join(f"{name}: {count}" for name, count in DEFAULT_ATTEMPTS.items()),
        help="Candidates to try at most.",
    ),
    Option(
        name="workers",
        group="Repair",
        kind="count",
        minimum=1,
        maximum=64,
        otherwise="one a core, within --sandbox-cpus",
        help="Candidates to run at the same time.",
    ),
    Option(
        name="search-without",
        group="For measurements",
        kind="names",
        choices=SEARCH_PARTS,
        help="Parts of the search to leave out, to see what they are worth.",
    ),
    Option(
        name="test-timeout",
        group="Tests",
        kind="duration",
        default=30.0,
        minimum=0.1,
        maximum=_DAY,
        help="A test that takes longer has failed.",
    ),
    Option(
        name="collect-timeout",
        group="Tests",
        kind="duration",
        default=120.0,
        minimum=1,
        maximum=_DAY,
        help="For importing the project and collecting its tests; at most the time budget.",
    ),
    Option(
        name="suite-timeout",
        group="Tests",
        kind="duration",
        minimum=1,
        maximum=7 * _DAY,
        otherwise="the time budget",
        help="For one run of all tests.",
    ),
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
    Option(
        name="model",
        group="Model",
        metavar="NAME",
        help="The model for react.",
    ),
    Option(
        name="base-url",
        group="Model",
        metavar="URL",
        variables=("OPENAI_BASE_URL",),
        otherwise="the library's own",
        help="The model's server: any that speaks OpenAI's chat API.",
    ),
    Option(
        name="api-key",
        group="Model",
        secret=True,
        variables=("OPENAI_API_KEY",),
        help="The key for the model's server.",
    ),
)
BY_NAME: Mapping[str, Option] = {option.name: option for option in OPTIONS}
