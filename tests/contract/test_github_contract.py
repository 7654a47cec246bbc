"""The client's contract, against our stand-in (GitHub, and Enterprise) and against a GitHub by others."""

import pytest
import requests
from fakes.github_emulator import TOKEN, EmulatorMissing, emulator
from github_fixture import bench
from github_stories import STORIES

from bot.github.client import connect
from bot.github.retry import Waits


@pytest.mark.parametrize("enterprise", [False, True], ids=["github", "enterprise"])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_the_client_keeps_its_promises_on_the_stand_in(story, enterprise):
    with bench(enterprise=enterprise) as here:
        story(here.client)


@pytest.mark.slow
@pytest.mark.node
def test_the_client_keeps_its_promises_on_a_github_by_others(tmp_path, require):
    """All stories in one test: the emulator takes seconds to start."""
    try:
        with emulator(tmp_path) as url:
            for story in STORIES:
                name = story.__name__.replace("_", "-")
                made = requests.post(
                    f"{url}/user/repos",
                    json={"name": name, "auto_init": True},
                    headers={"Authorization": f"Bearer {TOKEN}"},
                    timeout=10,
                )
                assert made.status_code == 201
                waits = Waits(sleep=lambda _: None)
                with connect(repository=f"octo/{name}", token=TOKEN, api_url=url, waits=waits) as client:
                    story(client)
    except EmulatorMissing as missing:
        require(str(missing))
