"""What the Action needs from GitHub, over the REST API by PyGithub, as the plain data of ``records``.

PyGithub takes a third of a second to import: import this module where GitHub is really asked.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from bot.github.connection import DEFAULT_API_URL, Connection
from bot.github.downloads import Downloads
from bot.github.git_data import GitData
from bot.github.retry import Waits
from bot.github.writing import Writing


class GitHub(Writing, GitData, Downloads):
    """One repository on GitHub, with the rights of one token. One client serves one thread.

    All texts are untrusted. Every method may raise what ``GitHubError`` has below it: ``PermissionDenied``
    (its message names the permission that is missing), ``RateLimited``, ``HeadMoved``, ``NotFound``, and
    ``GitHubError`` itself for all else.
    """


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
        yield GitHub(connection)
    finally:
        connection.close()
