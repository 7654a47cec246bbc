"""The stand-in behind its socket: records each request, refuses, fails as told, answers."""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from fakes.github import (  # noqa: F401 - importing them registers their routes
    routes_actions,
    routes_checks,
    routes_git,
    routes_issues,
    routes_pulls,
    routes_repository,
    routes_reviews,
)
from fakes.github.faults import Fault, Plan
from fakes.github.model import Token
from fakes.github.routing import (
    DOCUMENTATION,
    ROUTES,
    Answer,
    Context,
    Refused,
    Route,
    check_permission,
    check_role,
)
from fakes.github.world import World

ENTERPRISE = "/api/v3"


@dataclass(slots=True, kw_only=True)
class Request:
    """One request as it came; ``status`` 0 where the connection was cut, ``json`` what was answered."""

    method: str
    path: str
    headers: Mapping[str, str]
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None
    status: int = 0
    route: str = ""
    json: Any = None


@dataclass(slots=True, kw_only=True)
class RateLimit:
    """Requests that are left until ``reset``, seconds since 1970."""

    limit: int = 5000
    remaining: int = 5000
    reset: int = 4_102_444_800


@dataclass(slots=True)
class GitHubServer:
    """``url`` is the API's address, ``enterprise_url`` that of an Enterprise installation.

    So many downloads as ``cuts`` says break off half way.
    """

    world: World
    url: str = ""
    storage_url: str = ""
    requests: list[Request] = field(default_factory=list)
    downloads: list[Request] = field(default_factory=list)
    rate: RateLimit = field(default_factory=RateLimit)
    plans: list[Plan] = field(default_factory=list)
    stored: dict[str, bytes] = field(default_factory=dict)
    cuts: int = 0
    crashes: list[Exception] = field(default_factory=list)

    @property
    def enterprise_url(self) -> str:
        return f"{self.url}{ENTERPRISE}"

    def fail(self, method: str, path: str, fault: Fault, *, times: int = 1, skip: int = 0) -> None:
        """Let the next requests fail whose path matches the regular expression ``path``; -1 times: all."""
        self.plans.append(Plan(method=method, path=path, fault=fault, times=times, skip=skip))

    def seen(self, method: str, path: str) -> list[Request]:
        """The requests so far whose path matches."""
        return [one for one in self.requests if one.method == method and re.search(path, one.path)]

    def store(self, suffix: str, content: bytes) -> str:
        """A short-lived address of ``content``."""
        name = f"/{self.world.id()}.{suffix}"
        self.stored[name] = content
        return f"{self.storage_url}{name}?sig=short-lived"

    def answer(self, method: str, target: str, headers: Mapping[str, str], raw: bytes) -> Answer:
        """Serve one request."""
        parts = urlsplit(target)
        prefix = ENTERPRISE if parts.path.startswith(f"{ENTERPRISE}/") else ""
        request = Request(
            method=method,
            path=unquote(parts.path.removeprefix(prefix), errors="surrogateescape"),
            query=dict(parse_qsl(parts.query, keep_blank_values=True)),
            headers=headers,
            body=json.loads(raw) if raw else None,
        )
        with self.world.lock:
            fault = next((one.fault for one in self.plans if one.takes(method, request.path)), None)
            if fault and not fault.slow:
                if fault.effect:
                    self._carried_out(request, prefix)
                answer = _failure(fault)
            else:
                answer = self._carried_out(request, prefix)
            answer.headers.update(self._limits())
        if fault:
            time.sleep(fault.slow)
        request.status, request.json = answer.status, answer.json
        self.requests.append(request)
        return answer

    def _carried_out(self, request: Request, prefix: str) -> Answer:
        try:
            return self._serve(request, prefix)
        except Refused as refused:
            return _refusal(refused)
        except Exception as error:  # noqa: BLE001 - raised where the test can see it, when the server ends
            self.crashes.append(error)
            return _refusal(Refused(500, "Server Error"))

    def _serve(self, request: Request, prefix: str) -> Answer:
        token = self._token(request.headers)
        if self.rate.remaining <= 0:
            raise Refused(403, "API rate limit exceeded for installation ID 1.")
        self.rate.remaining -= 1
        route, params = _find(request.method, request.path)
        request.route = route.template
        context = Context(
            world=self.world,
            base=f"{self.url}{prefix}",
            storage=self.store,
            token=token,
            path=request.path,
            params=params,
            query=request.query,
            body=request.body or {},
        )
        check_permission(route.needs, token)
        if "owner" in params:
            check_role(route.needs, token, context.repository)
        return route.handle(context)

    def _token(self, headers: Mapping[str, str]) -> Token | None:
        value = headers.get("authorization", "").rpartition(" ")[2]
        if not value:
            return None
        token = self.world.tokens.get(value)
        if token is None:
            raise Refused(401, "Bad credentials")
        return token

    def _limits(self) -> dict[str, str]:
        rate = self.rate
        values = {"limit": rate.limit, "remaining": max(rate.remaining, 0), "reset": rate.reset}
        return {f"x-ratelimit-{name}": str(value) for name, value in values.items()}


def _find(method: str, path: str) -> tuple[Route, dict[str, str]]:
    for route in ROUTES:
        if route.method == method and (match := route.pattern.match(path)):
            return route, match.groupdict()
    raise Refused(404, "Not Found")


def _refusal(refused: Refused) -> Answer:
    document: dict[str, object] = {"message": refused.message}
    if refused.errors:
        document["errors"] = refused.errors
    document |= {"documentation_url": DOCUMENTATION, "status": str(refused.status)}
    return Answer(status=refused.status, json=document, headers=refused.headers)


def _failure(fault: Fault) -> Answer:
    if fault.status in {0, 502, 503, 504}:  # a page of the load balancer's, no JSON
        return Answer(status=fault.status, body=b"<html>Unicorn!</html>", headers=dict(fault.headers))
    return Answer(status=fault.status, json={"message": fault.message}, headers=dict(fault.headers))
