"""A repair whose candidates are tried on the two nodes of a Ray cluster, of which one dies on the way."""

import json
import os
import subprocess
import sys

import ray_cluster
from laying import lay
from sections import sections

PROJECT = sections("nodes/late-patch.txt")[0].parts
SECRET = "hunter2-hunter2"
# A process of its own, as regreen is: Ray is loaded there for the repair, and not before. It reports on
# standard error what happens, and what a node has of it.
PROGRAM = """
import json, os, sys
from bot import compose
from bot.config import sources
from sandbox.ray_nodes import NodeTestbed

def say(**what):
    print(json.dumps(what), file=sys.stderr, flush=True)

class Heard:
    def stage(self, name, detail=""):
        say(stage=name, detail=detail)

    def tick(self, *, attempts=None, detail=""):
        pass

def opened(bed, *given):
    open_it(bed, *given)
    import ray
    look = ray.remote(lambda: [dict(os.environ), sys.path]).options(num_cpus=0)
    say(opened=bed.node, seen=ray.get(look.remote()))

open_it, NodeTestbed.open = NodeTestbed.open, opened
options = {"sandbox": "process", "search_without": "alternatives", "executor": "ray", "workers": "3"}
given = {"project": os.getcwd(), "sandbox_python": sys.argv[1], **options}
result = compose.fix(sources.load(given), Heard()).result
say(outcome=result.outcome, diff=result.diff, proved_in=result.evidence and result.evidence.sandbox)
"""


@ray_cluster.marked
def test_a_node_that_dies_costs_no_candidate_and_the_patch_is_proved_here(tmp_path, project_environment):
    project = lay(tmp_path / "project", PROJECT)
    command = [sys.executable, "-P", "-c", PROGRAM, str(project_environment / "bin/python")]
    heard, opened = [], []
    with ray_cluster.two_nodes() as (cluster, nodes):
        own = {"RAY_ADDRESS": cluster.address, "REGREEN_API_KEY": SECRET, "XDG_STATE_HOME": str(tmp_path)}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, cwd=project, env={**os.environ, **own}, **streams) as run:
            for line in run.stderr:
                heard.append(json.loads(line))
                opened += [one for one in heard[-1:] if "opened" in one]
                if len(opened) == len(nodes) == 2:
                    (doomed,) = (node for node in nodes if node.node_id == opened[0]["opened"])
                    nodes.remove(doomed)
                    cluster.remove_node(doomed, allow_graceful=False)
            printed = run.stdout.read()
        assert len(nodes) == 1, "one was killed while both were at work"
    said = [one["detail"] for one in heard if one.get("stage") == "sandbox"]
    assert "room for 2 workers on other nodes" in said
    (lost,) = [line for line in said if "a worker is lost" in line]
    assert lost.endswith(f"({opened[0]['opened'][:8]}): it ended, or cannot be reached")
    assert heard[-1]["outcome"] == "patched"
    assert "+    base = 2 " in heard[-1]["diff"]
    assert heard[-1]["proved_in"] == "process"
    assert not printed, "Ray prints nothing where the diff goes"
    for variables, search_path in (one["seen"] for one in opened):
        assert SECRET not in variables.values()
        assert str(project) not in search_path, "a node would import the project's modules"
