"""The environment that a project's tests run in: found, built where need be, kept for the next time."""

from sandbox.environment.images import DEFAULT_IMAGE, IMAGE_PYTHON, docker_image, host_interpreter

__all__ = ["DEFAULT_IMAGE", "IMAGE_PYTHON", "docker_image", "host_interpreter"]
