"""Sends requests through PyGithub's requester: one client per thread, no hidden retries or sleeps.

PyGithub's objects are not used: they send GETs by themselves and hide fields that we need. A write is
sent once. A read is sent again once after a broken connection, and is conditional where its last
response is cached.
"""

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import unquote, urlencode

import requests
from github import Auth, Github, GithubException

from bot.adapters.github.classify import Refused, classify, retry_after
from bot.core.values.github_cost import READ_POINTS, Cost
from bot.ports import CachedResponse, Limited, ResponseCache, Retryable

_TIMEOUT_SECONDS = 30
_PAGE_SIZE = 100
# 10,000 items; no list that we read should be longer.
_PAGES_MAX = 100
_USER_AGENT = "headgate"
_CURSOR = re.compile(r"[?&]cursor=([^&]+)")

Json = object


class _Bearer(Auth.Auth):
    """The token of the current request; PyGithub leaves it out of its log."""

    def __init__(self) -> None:
        self.current = ""

    @property
    def token_type(self) -> str:
        return "Bearer"

    @property
    def token(self) -> str:
        return self.current


@dataclass(frozen=True)
class _Client:
    github: Github
    bearer: _Bearer
    process: int


class _NoCache:
    def get(self, _request: str) -> CachedResponse | None:
        return None

    def put(self, _request: str, _response: CachedResponse) -> None:
        return


class Api:
    """GitHub's REST and GraphQL APIs at `base_url` (on Enterprise Server with `/api/v3`)."""

    def __init__(self, base_url: str, api_version: str, cache: ResponseCache | None = None) -> None:
        self._base_url = base_url.rstrip("/")
        self._cache = cache or _NoCache()
        self._api_version = api_version
        # PyGithub mixes up responses between threads that share a client.
        self._local = threading.local()

    def pop_read_cost(self) -> Cost:
        """The cost of this thread's reads since the last call."""
        reads: Cost = getattr(self._local, "reads", Cost())
        self._local.reads = Cost()
        return reads

    def send(
        self,
        verb: str,
        path: str,
        token: str,
        parameters: Mapping[str, str | int] | None = None,
        body: Mapping[str, object] | None = None,
    ) -> Json:
        if verb == "GET":
            return self._read(path, token, parameters or {})[1]
        return self._sent(verb, path, token, parameters, body)[1]

    def query(self, query: str, token: str, variables: Mapping[str, object]) -> Json:
        """GraphQL's response, which carries its errors under status 200; sent once.

        Raises `Limited` where they come with a time to wait: a secondary limit may have status 200, too.
        """
        # For Enterprise Server the requester turns `/api/v3` into `/api/graphql`.
        url = self._client().github.requester.graphql_url
        body = {"query": query, "variables": dict(variables)}
        headers, answer = self._sent("POST", url, token, None, body)
        wait = retry_after(headers, datetime.now(UTC))
        if wait is not None and isinstance(answer, dict) and answer.get("errors"):
            raise Limited("GitHub asks to wait before the next GraphQL request.", wait)
        return answer

    def pages(self, path: str, token: str, parameters: Mapping[str, str | int]) -> Iterator[Json]:
        for page in range(1, _PAGES_MAX + 1):
            page_parameters = {**parameters, "per_page": _PAGE_SIZE, "page": page}
            headers, answer = self._read(path, token, page_parameters)
            yield answer
            if 'rel="next"' not in headers.get("link", ""):
                return

    def page(self, path: str, token: str, parameters: Mapping[str, str | int]) -> tuple[Json, str]:
        """One page and the cursor of the next; "" after the last."""
        headers, answer = self._read(path, token, {**parameters, "per_page": _PAGE_SIZE})
        before, next_, _ = headers.get("link", "").partition('>; rel="next"')
        cursor = _CURSOR.search(before.rpartition("<")[2]) if next_ else None
        return answer, unquote(cursor[1]) if cursor else ""

    def _read(
        self, path: str, token: str, parameters: Mapping[str, str | int]
    ) -> tuple[Mapping[str, str], Json]:
        """The response's headers and JSON; the cached JSON where GitHub answers 304."""
        request = f"{self._base_url}{path}?{urlencode(sorted(parameters.items()))}"
        cached = self._cache.get(request)
        tagged = {"If-None-Match": cached.etag} if cached else {}
        try:
            headers, answer = self._sent("GET", path, token, parameters, None, tagged)
        except (Refused, Retryable):
            self._count_read(1)
            raise
        # An answer of 304 costs a point and no request ("Best practices for using the REST API").
        self._count_read(0 if answer is None else 1)
        # Every GET of ours is answered with JSON; only 304 has no body.
        if cached is not None and answer is None:
            return {"link": cached.link}, json.loads(cached.body)
        etag = headers.get("etag", "")
        if etag and answer is not None:
            link = headers.get("link", "")
            self._cache.put(request, CachedResponse(etag=etag, link=link, body=json.dumps(answer)))
        return headers, answer

    def _count_read(self, requests: int) -> None:
        known: Cost = getattr(self._local, "reads", Cost())
        self._local.reads = Cost(
            points=known.points + READ_POINTS, requests=known.requests + requests
        )

    def _sent(
        self,
        verb: str,
        path: str,
        token: str,
        parameters: Mapping[str, str | int] | None,
        body: Mapping[str, object] | None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[Mapping[str, str], Json]:
        client = self._client()
        client.bearer.current = token
        attempts = 2 if verb == "GET" else 1
        for left in reversed(range(attempts)):
            try:
                given, answer = client.github.requester.requestJsonAndCheck(
                    verb,
                    path,
                    parameters=dict(parameters or {}),
                    headers=dict(headers or {}),
                    input=body,
                )
            except requests.ConnectionError as failure:
                if not left:
                    raise classify(failure, datetime.now(UTC)) from failure
            except (
                GithubException,
                requests.RequestException,
                ValueError,
                # PyGithub raises it for a redirection that it does not follow.
                RuntimeError,
            ) as failure:
                raise classify(failure, datetime.now(UTC)) from failure
            else:
                return given, _of_github(answer)
        raise Retryable("GitHub cannot be reached.")

    def _client(self) -> _Client:
        client: _Client | None = getattr(self._local, "client", None)
        # Two processes must not share a connection after a fork.
        if client is None or client.process != os.getpid():
            bearer = _Bearer()
            github = Github(
                auth=bearer,
                base_url=self._base_url,
                timeout=_TIMEOUT_SECONDS,
                user_agent=_USER_AGENT,
                per_page=_PAGE_SIZE,
                retry=0,
                seconds_between_requests=0,
                seconds_between_writes=0,
                lazy=True,
                api_version=self._api_version,
            )
            client = self._local.client = _Client(github, bearer, os.getpid())
        return client


def _of_github(answer: Json) -> Json:
    """The answer, if it is JSON: a proxy's page of HTML with status 200 means that nothing was done."""
    # PyGithub's form of a body that is not JSON; GraphQL's `data` is never a text.
    if isinstance(answer, dict) and isinstance(answer.get("data"), str):
        raise Retryable(
            "A server between Headgate and GitHub answers with an HTML page instead of JSON. "
            "Check the proxy."
        )
    return answer


def stamp(when: datetime) -> str:
    """A time as GitHub takes it in queries."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
