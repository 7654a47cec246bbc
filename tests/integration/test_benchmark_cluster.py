"""A run on a Ray cluster has the rows of a run on one machine, also when one of two nodes is killed."""

import logging
import os

import pytest

from benchmarks.datasets.invented import Invented, Pretence
from benchmarks.runs.executors import distributed, local
from benchmarks.runs.tasks import Key, Trial
from bot.errors import ConfigurationError

TRIALS = [Trial(task=Invented(number=number)) for number in range(16)]


@pytest.fixture
def nodes():
    """A cluster of two nodes with a processor each, beside a head that has none; connected to it."""
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        added = [cluster.add_node(num_cpus=1) for _ in range(2)]
        ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        cluster.wait_for_nodes()
        yield cluster, added
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")  # Ray's own, of which there are many
@pytest.mark.skipif(not os.environ.get("REGREEN_TEST_CLUSTER"), reason="REGREEN_TEST_CLUSTER is not set")
def test_no_trial_is_lost_or_counted_twice_when_a_node_dies(nodes):
    cluster, (doomed, _other) = nodes
    found = []
    for row in distributed.rows(TRIALS, Pretence(seconds=0.1), parallel=2):
        found.append(row)
        if len(found) == 4:
            cluster.remove_node(doomed, allow_graceful=False)
    assert sorted(found, key=Key.of) == list(local.rows(TRIALS, Pretence(), parallel=1))


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(ConfigurationError, match=r"regreen\[ray\]"), distributed.cluster(None, processors=1):
        pass
