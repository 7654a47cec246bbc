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


class SlowBuilder:
    """Builds that take 40 s each and fail; notes what each may take, and is the clock."""

    available = ("3.12",)

    def __init__(self):
        self.now, self.limits = 0.0, []

    def monotonic(self):
        return self.now

    def build(self, _plan, *, timeout_s):
        self.limits.append(timeout_s)
        self.now += min(timeout_s, 40.0)
        raise EnvironmentBuildFailed("no")


def test_each_build_gets_what_the_others_left_and_one_without_time_is_refused(monkeypatch, tmp_path):
    builder = SlowBuilder()
    monkeypatch.setattr(prepare, "time", builder)
    environments = Environments(
        snapshot=Snapshot(entries=()),
        provider=SimpleNamespace(name="fake"),
        overrides=Overrides(timeout_s=100.0),
        cache=EnvironmentCache(tmp_path),
        notify=lambda _line: None,
    )
    vars(environments)["_builder"] = builder
    builder.now += 7.0  # what happens beside the builds does not count
    for name in "abc":
        with pytest.raises(EnvironmentBuildFailed, match="no"):
            environments.build(plan(name))
    assert builder.now == 107.0
    with pytest.raises(EnvironmentBuildFailed, match=r"the 100 s .* allow more with --build-timeout"):
        environments.build(plan("d"))
    assert builder.limits == [100.0, 60.0, 20.0]
