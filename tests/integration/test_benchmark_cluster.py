"""A run on a Ray cluster has the rows of a run on one machine; ``benchmarks.nodes`` measures it, too."""

import os

import pytest

from benchmarks.executors import distributed
from benchmarks.nodes import in_order, on_one_machine, with_a_node_lost
from bot.errors import ConfigurationError


@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")  # Ray's own, of which there are many
@pytest.mark.skipif(not os.environ.get("REGREEN_TEST_CLUSTER"), reason="REGREEN_TEST_CLUSTER is not set")
def test_no_trial_is_lost_or_counted_twice_when_a_node_dies():
    rows = with_a_node_lost(16, task_seconds=0.1, after=4)
    assert in_order(rows) == on_one_machine(16)


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(ConfigurationError, match=r"regreen\[ray\]"), distributed.cluster(None, processors=1):
        pass
