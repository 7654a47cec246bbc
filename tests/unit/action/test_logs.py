"""Which of several red jobs a repair begins with."""

import pytest
from fakes.action import RED, REPOSITORY, SHOP, SHUTDOWN, job_log, shop
from fakes.github import serve

from bot.action.logs import choose
from bot.github.client import connect


class Silent:
    def stage(self, name, detail=""):
        """Nobody listens."""


@pytest.fixture
def chosen(tmp_path):
    """The job that is chosen of those with the given logs, by its name; None: the log has expired."""

    def choice(**logs):
        with serve() as server:
            place = shop(server)
            place.run.jobs.clear()
            for name, log in logs.items():
                server.world.job(place.run, name, log=None if log is None else job_log(log))
            token = server.world.actions_token()
            with connect(repository=REPOSITORY, token=token, api_url=server.url) as github:
                runs = [github.run(place.run.id)]
                found = choose(runs, github, files=SHOP, folder=tmp_path, progress=Silent())
                return found and found.job.name

    return choice


def test_the_first_that_a_patch_could_mend_is_taken(chosen):
    assert chosen(first=SHUTDOWN, second=RED, third=RED) == "second"


def test_else_the_first_that_has_a_log(chosen):
    assert chosen(first=None, second=SHUTDOWN, third=SHUTDOWN) == "second"


def test_without_any_log_there_is_none(chosen):
    assert chosen(first=None) is None
    assert chosen() is None
