"""Logs and tarballs: GitHub answers with a short-lived address elsewhere, which must not see the token."""

from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import requests
from github.Requester import Requester
from requests.adapters import HTTPAdapter

from bot.errors import GitHubError, NotFound
from bot.github import valid_names
from bot.github.connection import API_VERSION, TIMEOUT_S, USER_AGENT, ClientPart
from bot.github.retry import document

PIECE = 256 * 1024
REDIRECTS = 5
_REDIRECTED = frozenset({301, 302, 303, 307, 308})


class Downloads(ClientPart):
    """The part of the client that fetches files."""

    def job_log(self, job_id: int, *, limit: int) -> bytes:
        """The last ``limit`` bytes of a job's log.

        However long it is, no more than ``limit`` bytes and a piece are held.
        """

        def fetch() -> bytes:
            kept = bytearray()
            for piece in self._pieces(f"/actions/jobs/{job_id}/logs"):
                kept += piece
                if len(kept) > limit + PIECE:
                    del kept[: len(kept) - limit]
            return bytes(kept[max(len(kept) - limit, 0) :])

        try:
            with self._connection.asking(f"read the log of job {job_id}", needs="actions: read"):
                return self._connection.once(fetch)
        except NotFound as error:
            raise NotFound(
                f"{error}; logs expire (after 90 days, or as the repository has it): run the workflow again, "
                "then Regreen"
            ) from error

    def archive(self, sha: str, *, limit: int) -> bytes:
        """The tarball of the tree at ``sha`` (gzip), from this repository's network of forks.

        Raises:
            GitHubError: it is larger than ``limit`` bytes.
        """
        valid_names.sha(sha)

        def fetch() -> bytes:
            kept = bytearray()
            for piece in self._pieces(f"/tarball/{sha}"):
                kept += piece
                if len(kept) > limit:
                    raise GitHubError(
                        f"the repository's archive at {sha} is larger than {limit:,} bytes: raise the limit"
                    )
            return bytes(kept)

        with self._connection.asking(f"read the files at {sha}", needs="contents: read"):
            return self._connection.once(fetch)

    def _pieces(self, path: str) -> Iterator[bytes]:
        url = f"{self._connection.api_url}/repos/{self._connection.name}{path}"
        headers = {
            "Authorization": f"Bearer {self._connection.token}",
            "X-GitHub-Api-Version": API_VERSION,
            "Accept": "application/vnd.github+json",
        }
        with requests.Session() as session:
            # Otherwise a ~/.netrc may add a password of its own to what must go without any.
            session.auth = Requester.noopAuth
            # Of the API alone: urllib3 logs what it repeats, and an address of the storage is a secret.
            session.mount(f"{self._connection.api_url}/", HTTPAdapter(max_retries=self._connection.patience))
            response = _get(session, url, headers)
            for _ in range(REDIRECTS):
                if response.status_code not in _REDIRECTED:
                    break
                url = _following(url, response)
                response.close()
                # A repository that was renamed is still the API's; all else is somebody else's.
                own = url.startswith(f"{self._connection.api_url}/")
                response = _get(session, url, headers if own else {})
            with response:
                if response.status_code != 200:
                    # Of a refusal's JSON the first piece is enough.
                    said = document(next(response.iter_content(PIECE), b""))
                    raise Requester.createException(response.status_code, dict(response.headers), said)
                yield from response.iter_content(PIECE)


def _get(session: requests.Session, url: str, headers: dict[str, str]) -> requests.Response:
    return session.get(
        url,
        headers={"User-Agent": USER_AGENT, **headers},
        stream=True,
        timeout=TIMEOUT_S,
        allow_redirects=False,
    )


def _following(url: str, response: requests.Response) -> str:
    """Where a redirect leads; never from a protected connection to an open one."""
    found = urljoin(url, response.headers.get("location", ""))
    parts = urlsplit(found)
    if parts.scheme not in {"http", "https"} or (url.startswith("https:") and parts.scheme != "https"):
        raise GitHubError(
            f"GitHub leads to an address that is not followed: {parts.scheme}://{parts.hostname}"
        )
    return found
