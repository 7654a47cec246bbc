"""Regreen as a job of the workflow that runs the tests, which fails for real."""

import pytest
import yaml
from fakes.github.merges import merge_sha
from workflows import copies
from workflows.machine import rights

pytestmark = [pytest.mark.docker, pytest.mark.slow]


def test_a_failing_job_is_followed_by_one_that_repairs(machine):
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
    )
    assert ended.results == {"test": "failure", "regreen": "success"}, ended.log
    assert "assert 81 == 119" in ended.log
    assert ended.jobs["regreen"].outputs["delivery"] == "suggestion"
    (suggestion,) = place.suggestions
    assert "```suggestion\n    return net + tax\n```" in suggestion
