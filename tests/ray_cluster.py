"""A Ray cluster on this machine, as tests that are marked ``cluster`` need one."""

import logging
import os
from contextlib import contextmanager

import pytest

# Ray's own warnings are many.
MARKS = (
    pytest.mark.cluster,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not os.environ.get("REGREEN_TEST_CLUSTER"), reason="REGREEN_TEST_CLUSTER is not set"),
)


def marked(test):
    """``test`` with the marks."""
    for mark in MARKS:
        test = mark(test)
    return test


@contextmanager
def two_nodes(processors=1):
    """A cluster of two nodes with so many processors each, beside a head that has none; and the nodes."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        yield cluster, [cluster.add_node(num_cpus=processors) for _ in range(2)]
    finally:
        cluster.shutdown()


@contextmanager
def connected(processors=1):
    """The same, with this process connected to it."""
    import ray

    with two_nodes(processors) as (cluster, nodes):
        try:
            ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
            cluster.wait_for_nodes()
            yield cluster, nodes
        finally:
            ray.shutdown()
