"""The environment that a project's tests run in: found, built where need be, kept for the next time."""

from sandbox.environment.builder import Overrides, PreparedEnvironment
from sandbox.environment.images import DEFAULT_IMAGE, IMAGE_PYTHON, docker_image, host_interpreter
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.plans.planner import plan_environment
from sandbox.environment.prepare import prepare_environment

__all__ = [
    "DEFAULT_IMAGE",
    "IMAGE_PYTHON",
    "BuildPlan",
    "Overrides",
    "PreparedEnvironment",
    "docker_image",
    "host_interpreter",
    "plan_environment",
    "prepare_environment",
]
