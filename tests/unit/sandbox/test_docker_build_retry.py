"""A build in which the engine itself fails is started once more; a step's own failure is not."""

import time
from types import SimpleNamespace

import pytest

from sandbox.environment import docker_build
from sandbox.environment.docker_build import ImageBuild
from sandbox.environment.engine_build import StepFailed
from sandbox.errors import EnvironmentBuildFailed


@pytest.fixture
def follow(monkeypatch):
    """Runs a build whose attempts end with these errors, None for a good end; returns what was said."""

    def run(*endings):
        left, said = list(endings), []

        def build(_client, _archive, **_options):
            yield {"stream": "Step 1/2 : COPY inputs /opt\n"}
            if (error := left.pop(0)) is not None:
                raise error

        monkeypatch.setattr(docker_build, "build", build)
        image = SimpleNamespace(
            provider=SimpleNamespace(client=None),
            request=SimpleNamespace(overrides=SimpleNamespace(network={}), notify=said.append),
            tag=lambda: "regreen:x",
        )
        image._follow = lambda *words, **more: ImageBuild._follow(image, *words, **more)
        image._follow(b"", {}, time.monotonic() + 60)
        return said, left

    return run


def lost(**more):
    return StepFailed("failed to copy files: lchown: no such file or directory", 1, **more)


def test_the_engines_own_failure_is_tried_once_more(follow):
    said, left = follow(lost(by_engine=True), None)
    assert len(said) == 1
    assert "once more" in said[0]
    assert not left


@pytest.mark.parametrize("endings", [[lost()], [lost(by_engine=True), lost(by_engine=True)]])
def test_what_fails_again_or_by_a_step_is_the_end(follow, endings):
    with pytest.raises(EnvironmentBuildFailed, match="COPY inputs /opt failed"):
        follow(*endings)
