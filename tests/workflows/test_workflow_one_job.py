"""Regreen as a job of the workflow that runs the tests, which fails for real."""

import pytest
import yaml
from fakes.github.merges import merge_sha
from workflows import copies
from workflows.machine import rights

pytestmark = [pytest.mark.docker, pytest.mark.slow]


ENTERPRISE = "https://git.example.com"


def failed_run(machine, **more):
    """A pull request whose tests fail, and the run of the workflow with both jobs."""
    place = machine.shop(begin={"requirements.txt": b""})
    place.own_run = place.run
    workflow = copies.example("one-job.yml")
    repository = {"full_name": place.repository.full_name}
    payload = place.event("pull_request")
    payload["number"] = place.pull.number
    payload["pull_request"]["head"] |= {"ref": "feature", "repo": repository}
    payload["pull_request"]["base"] = {"ref": "main", "repo": repository}
    ended = machine.run(
        place,
        workflow,
        "pull_request",
        payload,
        sha=merge_sha(place.repository, place.pull),
        granted={"regreen": rights(yaml.safe_load(workflow)["jobs"]["regreen"]["permissions"])},
        **more,
    )
    assert ended.results == {"test": "failure", "regreen": "success"}, ended.log
    return place, ended


def test_a_failing_job_is_followed_by_one_that_repairs_and_writes_a_check_run(machine):
    place, ended = failed_run(machine)
    assert "assert 81 == 119" in ended.log
    assert ended.jobs["regreen"].outputs["delivery"] == "suggestion"
    (suggestion,) = place.suggestions
    assert "```suggestion\n    return net + tax\n```" in suggestion
    (check,) = place.repository.checks
    assert (check["name"], check["head_sha"], check["conclusion"]) == (
        "Regreen repair",
        place.head,
        "neutral",
    )
    assert check["annotations"][0]["path"] == "shop/prices.py"


def test_on_an_enterprise_server_one_job_needs_no_artifact(machine):
    """Its API lies below a path, and the actions for artifacts of github.com's do not work there."""
    api = f"{machine.github.url}/api/v3"
    place, ended = failed_run(machine, server=ENTERPRISE, variables={"GITHUB_API_URL": api})
    assert ended.jobs["regreen"].outputs["delivery"] == "suggestion"
    assert len(place.suggestions) == 1
    assert machine.store.artifacts == {}
