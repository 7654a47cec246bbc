"""The Action against the stand-in for GitHub: from an event to what stands on the pull request."""

import pytest
from fakes.action import act, shop
from fakes.github import serve

pytestmark = pytest.mark.bubblewrap


@pytest.fixture
def github():
    with serve() as server:
        yield server


def test_a_red_pull_request_gets_a_suggestion(github, tmp_path, project_environment):
    place = shop(github)
    ran = act(place, tmp_path, sandbox_python=project_environment / "bin/python")
    assert ran.status == 0, ran.log
    assert ran.outputs["outcome"] == "patched"
    assert ran.outputs["delivery"] == "suggestion"
    assert "+    return net + tax" in ran.outputs["patch"]
    (suggestion,) = place.suggestions
    assert "```suggestion\n    return net + tax\n```" in suggestion
    assert len(place.comments) == 1
    assert ran.outputs["url"].startswith("http")
