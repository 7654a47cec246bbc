"""Where the further workers of a repair are: here, or on the nodes of a Ray cluster."""

import os
import sys
from contextlib import ExitStack

from bot.agent.trial.workers import WorkerOptions
from bot.config.settings import Settings
from bot.config.sources import DEFAULT
from bot.errors import ConfigurationError
from bot.ports import Progress
from sandbox.testing import SandboxTestbeds

RAY = "ray"


def connect(settings: Settings, resources: ExitStack) -> None:
    """Connect to the cluster, where ``settings`` ask for one; ``resources`` ends that.

    Raises:
        ConfigurationError: a secret stands in the command line, which Ray shows on every node.
        sandbox.errors.SandboxUnavailable: Ray is not installed, or no cluster answers.
    """
    if settings.executor != RAY:
        return
    if any(secret in argument for secret in settings.confidential for argument in sys.argv):
        raise ConfigurationError(
            "executor: ray would show the command line to each node, and there is a secret in it: "
            "set that in the environment"
        )
    from sandbox.ray_nodes import connected

    resources.enter_context(connected())


def worker_options(settings: Settings, beds: SandboxTestbeds, progress: Progress) -> WorkerOptions:
    """The workers of ``settings``; where nobody says how many, one for each processor of the cluster too."""
    if settings.executor != RAY:
        return WorkerOptions(count=settings.workers)
    from sandbox.ray_nodes import NodeTestbeds

    processors = min(len(os.sched_getaffinity(0)), int(settings.limits.cpus))
    nodes = NodeTestbeds(
        beds=beds,
        runtime=settings.sandbox_runtime,
        beds_here=max(0, processors - 1),
        notify=lambda line: progress.stage("sandbox", line),
    )
    more = nodes.room
    progress.stage("sandbox", f"room for {more} workers on other nodes")
    is_given = settings.origins["workers"] != DEFAULT
    count = settings.workers + (0 if is_given else more)
    return WorkerOptions(count=count, testbeds=nodes, cancel=nodes.cancel)
