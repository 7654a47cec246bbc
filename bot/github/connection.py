"""One repository over PyGithub: how it is connected to, and how every failure becomes a typed error.

The token goes to the API's host and nowhere else; no message repeats it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from github import Auth, BadAttributeException, Github, GithubException
from github.GithubException import IncompletableObject
from requests import RequestException
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from bot.errors import ConfigurationError, GitHubError, RegreenError, quoted
from bot.github.refusals import refusal
from bot.github.retry import Patience, Waits

if TYPE_CHECKING:
    from github.Repository import Repository

DEFAULT_API_URL = "https://api.github.com"
API_VERSION = "2022-11-28"
USER_AGENT = "regreen"
TIMEOUT_S = 30
PER_PAGE = 100
WRITES = 4
"""How often a write is tried whose answer was lost and that did not take effect."""

MASK = "***"
# An underscore stands in the names of accounts that an enterprise manages.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*/(?!\.{1,2}\Z)[A-Za-z0-9._-]+")
_TOKEN = re.compile(r"[\x21-\x7e]+")
# What PyGithub raises, by way of its own assertions too, where an answer is not what GitHub describes.
_SENSELESS = (
    *(BadAttributeException, IncompletableObject, AssertionError, AttributeError),
    *(LookupError, TypeError, ValueError, RuntimeError),
)

Answer = TypeVar("Answer")


class Connection:
    """One repository with the rights of one token.

    Raises:
        ConfigurationError: the repository's name, the token or the address cannot be used.
    """

    def __init__(
        self, *, repository: str, token: str, api_url: str = DEFAULT_API_URL, waits: Waits | None = None
    ) -> None:
        self.name = _repository(repository)
        self.token = _token(token)
        self.api_url = _address(api_url)
        self.waits = waits or Waits()
        self.patience = Patience(waits=self.waits)
        self.github = Github(
            auth=Auth.Token(self.token),
            base_url=self.api_url,
            timeout=TIMEOUT_S,
            user_agent=USER_AGENT,
            per_page=PER_PAGE,
            retry=self.patience,
            # GitHub says when it wants pauses, and then there are; a run writes a handful of times.
            seconds_between_requests=None,
            seconds_between_writes=None,
            lazy=True,
            api_version=API_VERSION,
        )
        self.repository: Repository = self.github.get_repo(self.name)

    def close(self) -> None:
        """Close its sockets."""
        self.github.close()

    def get(self, path: str, **parameters: str) -> Any:  # noqa: ANN401 - a server may answer anything
        """The JSON below the repository's address, where PyGithub would ask more often than needed."""
        url = f"/repos/{self.name}{path}"
        return self.github.requester.requestJsonAndCheck("GET", url, parameters=parameters)[1]

    def send(self, method: str, path: str, document: dict[str, Any] | None = None) -> Any:  # noqa: ANN401
        """As ``get``, with a body."""
        url = f"/repos/{self.name}{path}"
        return self.github.requester.requestJsonAndCheck(method, url, input=document)[1]

    @contextmanager
    def asking(self, doing: str, *, needs: str) -> Iterator[None]:
        """Every failure within becomes a typed error.

        Args:
            doing: what is tried, as in "cannot ...".
            needs: the permission that it takes, in a workflow's words: ``pull-requests: write``.
        """
        doing = f"{doing} in {self.name}"
        try:
            yield
        except RegreenError:
            raise
        except GithubException as error:
            found = refusal(error, doing=doing, needs=needs)
            raise type(found)(str(found).replace(self.token, MASK)) from None
        except RequestException as error:
            host = urlsplit(self.api_url).netloc
            raise GitHubError(
                f"cannot {doing}: no answer from {host} ({type(error).__name__}): check the network and "
                "GITHUB_API_URL"
            ) from None
        except _SENSELESS as error:
            raise GitHubError(
                f"cannot {doing}: {urlsplit(self.api_url).netloc} answers otherwise than GitHub does "
                f"({type(error).__name__}): check GITHUB_API_URL"
            ) from None

    def once(
        self, write: Callable[[], Answer], *, find: Callable[[], Answer | None] = lambda: None
    ) -> Answer:
        """Carry out ``write`` once, although its answer may get lost.

        Where it was lost, ``find`` looks whether the write took effect, before it is tried again.
        """
        lost: list[Exception] = []

        def attempt() -> Answer:
            if lost and (found := find()) is not None:
                return found
            if len(lost) == WRITES:
                raise lost[-1]
            try:
                return write()
            except (GithubException, RequestException) as error:
                lost.append(error)
                raise

        retrying = Retrying(
            stop=stop_after_attempt(WRITES + 1),
            wait=wait_exponential_jitter(initial=1, max=8),
            retry=retry_if_exception(was_lost),
            sleep=self.waits.spend,
            reraise=True,
        )
        return retrying(attempt)


class ClientPart:
    """A part of the client, over the connection that all parts share."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def _api(self) -> Repository:
        return self._connection.repository


def was_lost(error: BaseException) -> bool:
    """Whether a request that ended with ``error`` may have taken effect nevertheless."""
    if isinstance(error, GithubException):
        return error.status >= 500
    return isinstance(error, RequestException)


def _repository(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ConfigurationError(f"not a repository's name: {quoted(name)}; it is written as owner/name")
    return name


def _token(token: str) -> str:
    token = token.strip()
    if not token:
        raise ConfigurationError(
            "no token for GitHub: give `github-token`, or set GITHUB_TOKEN (in a workflow, "
            "${{ github.token }})"
        )
    if not _TOKEN.fullmatch(token):
        raise ConfigurationError("the token for GitHub holds characters that no token has: was it quoted?")
    return token


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or True)
    except ValueError:
        usable = False
    if not usable or parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigurationError(
            f"not the address of GitHub's API: {quoted(url)}; it looks like {DEFAULT_API_URL} "
            "or https://HOST/api/v3"
        )
    return url.rstrip("/")
