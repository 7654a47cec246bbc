"""All builds of environments together take the time that the caller gives, whatever the plans are."""

from types import SimpleNamespace

import pytest
from fakes.environments import plan

from sandbox.environment import prepare
from sandbox.environment.builder import Overrides
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.prepare import Environments
from sandbox.errors import EnvironmentBuildFailed
from sandbox.snapshot import Snapshot


class Clock:
    """A clock that a build moves."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class SlowBuilder:
    """Builds that take 40 s each and fail; notes what each may take."""

    available = ("3.12",)

    def __init__(self, clock):
        self.clock, self.limits = clock, []

    def build(self, _plan, *, timeout_s):
        self.limits.append(timeout_s)
        self.clock.now += min(timeout_s, 40.0)
        raise EnvironmentBuildFailed("no")


@pytest.fixture
def built(monkeypatch, tmp_path):
    clock = Clock()
    monkeypatch.setattr(prepare, "time", clock)
    builder = SlowBuilder(clock)
    environments = Environments(
        snapshot=Snapshot(entries=()),
        provider=SimpleNamespace(name="fake"),
        overrides=Overrides(timeout_s=100.0),
        cache=EnvironmentCache(tmp_path),
        notify=lambda _line: None,
    )
    vars(environments)["_builder"] = builder
    return environments, builder, clock


def test_each_build_gets_what_the_others_left(built):
    environments, builder, clock = built
    for name in "abc":
        with pytest.raises(EnvironmentBuildFailed, match="no"):
            environments.build(plan(name))
    assert builder.limits == [100.0, 60.0, 20.0]
    assert clock.now == 100.0


def test_a_build_without_time_is_refused_and_the_option_named(built):
    environments, builder, clock = built
    clock.now += 7.0  # what happens beside the builds does not count
    for name in "abc":
        with pytest.raises(EnvironmentBuildFailed, match="no"):
            environments.build(plan(name))
    with pytest.raises(EnvironmentBuildFailed, match=r"the 100 s .* allow more with --build-timeout"):
        environments.build(plan("d"))
    assert len(builder.limits) == 3
