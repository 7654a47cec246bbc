"""Routes, what a handler is given, and what it answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from fakes.github.model import Issue, Repository, Token
from fakes.github.world import World

DOCUMENTATION = "https://docs.github.com/rest"
BODY_LIMIT = 65_536
LEVELS = ("none", "read", "write", "admin")


class Refused(Exception):
    """What the stand-in answers with a status of 400 or more."""

    def __init__(
        self, status: int, message: str, *, errors: Sequence[object] = (), headers: Mapping[str, str] = {}
    ) -> None:
        super().__init__(message)
        self.status, self.message = status, message
        self.errors, self.headers = list(errors), dict(headers)


@dataclass(slots=True, kw_only=True)
class Answer:
    """``json`` or raw ``body``."""

    status: int = 200
    json: object = None
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Context:
    """One request. ``base`` is the API's address as the client wrote it."""

    world: World
    base: str
    storage: Callable[[str, bytes], str]
    token: Token | None
    path: str
    params: dict[str, str]
    query: dict[str, str]
    body: Any

    @property
    def repository(self) -> Repository:
        name = f"{self.params['owner']}/{self.params['repo']}".lower()
        found = self.world.repositories.get(name)
        if found is None or (found.private and not self._may_see(found)):
            raise not_found()
        return found

    def _may_see(self, repository: Repository) -> bool:
        if self.token is None:
            return False
        return self.token.permissions is not None or self.token.user.login in repository.roles

    @property
    def number(self) -> int:
        return int(self.params["number"])

    def issue(self) -> Issue:
        found = self.repository.issues.get(self.number)
        if found is None:
            raise not_found()
        return found

    def pull(self) -> Issue:
        found = self.issue()
        if found.pull is None:
            raise not_found()
        return found

    def text(self, name: str, *, default: str | None = None) -> str:
        """A required text of the body."""
        value = self.body.get(name, default) if isinstance(self.body, dict) else None
        if not isinstance(value, str):
            raise Refused(
                422,
                f'Invalid request.\n\n"{name}" wasn\'t supplied.' if value is None else "Invalid request.",
            )
        return value

    def limited(self) -> str:
        """The body of what is written, which may be missing and must not be longer than GitHub takes."""
        text = self.body.get("body") or ""
        if len(text) > BODY_LIMIT:
            raise Refused(422, "Validation Failed", errors=["body is too long (maximum is 65536 characters)"])
        return text

    def page(self, items: Sequence[Any], render: Callable[[Any], object], *, key: str = "") -> Answer:
        """One page of ``items`` with the ``Link`` header that leads to the others."""
        per_page = min(max(int(self.query.get("per_page", 30)), 1), 100)
        page = max(int(self.query.get("page", 1)), 1)
        last = max((len(items) + per_page - 1) // per_page, 1)
        shown: object = [render(one) for one in items[(page - 1) * per_page : page * per_page]]
        wanted = {"next": page + 1, "last": last} if page < last else {}
        if page > 1:
            wanted = {"prev": page - 1, **wanted, "first": 1}
        links = ", ".join(f'<{self._at(number)}>; rel="{name}"' for name, number in wanted.items())
        document = {"total_count": len(items), key: shown} if key else shown
        return Answer(json=document, headers={"Link": links} if links else {})

    def _at(self, page: int) -> str:
        return f"{self.base}{self.path}?{urlencode({**self.query, 'page': page})}"


Handle = Callable[[Context], Answer]


@dataclass(frozen=True, slots=True)
class Route:
    """``needs`` is as GitHub's header has it: of ``issues=write; pull_requests=write`` one is enough."""

    method: str
    template: str
    pattern: re.Pattern[str]
    needs: str
    handle: Handle


ROUTES: list[Route] = []


def route(method: str, template: str, needs: str = "") -> Callable[[Handle], Handle]:
    """Register a handler; ``{name}`` is one segment of a path, ``{name...}`` any number."""

    def register(handle: Handle) -> Handle:
        pattern = re.sub(r"\{(\w+)\.\.\.\}", r"(?P<\1>.+)", template)
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern)
        ROUTES.append(Route(method, template, re.compile(pattern + "$"), needs, handle))
        return handle

    return register


def check_permission(needs: str, token: Token | None) -> None:
    """Refuse as GitHub does: 401 without a token where one is needed, 403 without the permission."""
    writes = "=write" in needs
    if token is None:
        if writes:
            raise Refused(401, "Requires authentication")
        return
    if token.permissions is None or not needs:
        return
    for alternative in needs.split("; "):
        name, _, level = alternative.partition("=")
        granted = token.permissions.get(name, "none")
        if name == "metadata" or LEVELS.index(granted) >= LEVELS.index(level):
            return
    raise Refused(
        403, "Resource not accessible by integration", headers={"x-accepted-github-permissions": needs}
    )


def check_role(needs: str, token: Token | None, repository: Repository) -> None:
    """A person's token may write only where the person may; as GitHub does, the answer is then 404 or 403."""
    if token is None or token.permissions is not None or "=write" not in needs:
        return
    role = repository.roles.get(token.user.login, "read" if not repository.private else "none")
    if "contents=write" in needs and role not in {"write", "maintain", "admin"}:
        raise Refused(403, "Must have push access to repository") if role != "none" else not_found()


def not_found() -> Refused:
    return Refused(404, "Not Found")


def invalid(resource: str, code: str, field_name: str, message: str = "") -> Refused:
    error = {"resource": resource, "code": code, "field": field_name}
    return Refused(422, "Validation Failed", errors=[{**error, "message": message} if message else error])
