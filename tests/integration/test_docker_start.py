"""A container that the engine cannot start: another is tried once, and none of them stays."""

import pytest
from docker.errors import APIError

from sandbox.errors import SandboxError

pytestmark = pytest.mark.docker


@pytest.fixture
def failing_starts(make_provider, monkeypatch):
    """A provider whose engine fails at so many starts, and the names of the containers it made."""
    provider, spec = make_provider("docker")
    api = provider.client.api
    start, create = api.start, api.create_container
    named, failures = [], []

    def failing(container):
        if failures:
            raise APIError(failures.pop())
        start(container)

    def creating(*, name, **settings):
        named.append(name)
        return create(name=name, **settings)

    monkeypatch.setattr(api, "start", failing)
    monkeypatch.setattr(api, "create_container", creating)

    def prepared(count):
        failures.extend(['exec: "python3": executable file not found in $PATH'] * count)
        return provider, spec, named

    return prepared


def left(provider, named):
    found = provider.client.api.containers(all=True)
    return [one for one in found if any(f"/{name}" in one["Names"] for name in named)]


def test_a_start_that_fails_once_is_tried_again(failing_starts):
    provider, spec, named = failing_starts(1)
    with provider.open(spec) as sandbox:
        said = sandbox.exec(["echo", "started"], timeout_s=30)
        assert [one["Names"] for one in left(provider, named)] == [[f"/{named[1]}"]], "the first is removed"
    assert said.stdout == b"started\n"
    assert left(provider, named) == []


def test_a_start_that_fails_twice_is_reported(failing_starts):
    provider, spec, named = failing_starts(2)
    with pytest.raises(SandboxError, match="cannot start a container"), provider.open(spec):
        pytest.fail("no container runs")
    assert len(named) == 2
    assert left(provider, named) == []
