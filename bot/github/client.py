"""``port.GitHub`` over the REST API, by PyGithub: the parts, put together.

PyGithub takes a third of a second to import: import this module where GitHub is really asked.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from bot.github.connection import DEFAULT_API_URL, Connection
from bot.github.downloads import Downloads
from bot.github.git_data import GitData
from bot.github.port import GitHub
from bot.github.retry import Waits
from bot.github.writing import Writing


class GitHubClient(Writing, GitData, Downloads):
    """``port.GitHub``. One client serves one thread."""


@contextmanager
def connect(
    *, repository: str, token: str, api_url: str = DEFAULT_API_URL, waits: Waits | None = None
) -> Iterator[GitHub]:
    """A client for ``repository`` (``owner/name``) with the rights of ``token``.

    Args:
        repository: owner and name.
        token: an Action's ``GITHUB_TOKEN``, an app's or a person's.
        api_url: ``GITHUB_API_URL``; an Enterprise installation has it at ``https://HOST/api/v3``.
        waits: how long rate limits may hold us up.

    Raises:
        ConfigurationError: one of these cannot be used.
    """
    connection = Connection(repository=repository, token=token, api_url=api_url, waits=waits)
    try:
        yield GitHubClient(connection)
    finally:
        connection.close()
