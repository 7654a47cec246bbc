"""A GitHub with one repository, and a client of ours for it that never really waits."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fakes.github import GitHubServer, serve
from fakes.github.model import Repository

from bot.github.client import GitHub, connect
from bot.github.retry import Waits

FULL_NAME = "octo/app"


@dataclass(slots=True, kw_only=True)
class Bench:
    """``slept`` are the seconds that the client wanted to wait."""

    server: GitHubServer
    client: GitHub
    repository: Repository
    token: str
    slept: list[float] = field(default_factory=list)


@contextmanager
def bench(*, enterprise: bool = False, token: str = "") -> Iterator[Bench]:
    """``main`` of ``octo/app`` holds ``app.py``; the token is a job's, with every permission."""
    with serve() as server:
        repository = server.world.repository(
            FULL_NAME, {"app.py": b"".join(b"x%d = %d\n" % (n, n) for n in range(40))}
        )
        value = token or server.world.actions_token()
        slept: list[float] = []
        with connect(
            repository=FULL_NAME,
            token=value,
            api_url=server.enterprise_url if enterprise else server.url,
            waits=Waits(sleep=slept.append),
        ) as client:
            yield Bench(server=server, client=client, repository=repository, token=value, slept=slept)
