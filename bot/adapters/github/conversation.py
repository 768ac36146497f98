"""Requests about one repository, each with a token of the least permissions.

A request that is answered with 401 is sent once more with a new token, a write too, because nothing
was done. A second 401 is a refusal.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from bot.adapters.github.api import Api, Json
from bot.adapters.github.app_tokens import AppTokens, Purpose
from bot.adapters.github.classify import Refused
from bot.adapters.github.graphql import GraphQLAnswer, GraphQLUnavailable
from bot.adapters.github.shapes import read
from bot.core.values.repository import RepositoryFacts

_Found = TypeVar("_Found")


class Conversation:
    """The base of `Reads` and `Writes`; each `path` is below the repository."""

    def __init__(self, api: Api, tokens: AppTokens) -> None:
        self.api = api
        self.tokens = tokens

    def get(
        self,
        repository: RepositoryFacts,
        path: str,
        parameters: Mapping[str, str | int] | None = None,
        purpose: Purpose = Purpose.READ,
    ) -> Json | None:
        return self._there(
            lambda: self.tokens.token_for(repository, purpose),
            lambda token: self.api.send("GET", _at(repository, path), token, parameters),
        )

    def get_pages(
        self, repository: RepositoryFacts, path: str, parameters: Mapping[str, str | int]
    ) -> list[Json]:
        where = _at(repository, path)
        pages = self._there(
            lambda: self.tokens.token_for(repository, Purpose.READ),
            lambda token: list(self.api.pages(where, token, parameters)),
        )
        return pages or []

    def write(
        self,
        repository: RepositoryFacts,
        purpose: Purpose,
        verb: str,
        path: str,
        body: Mapping[str, object] | None = None,
    ) -> Json:
        """Sent once; a second time only after a rejected token."""
        return self._with_token(
            lambda: self.tokens.token_for(repository, purpose),
            lambda token: self.api.send(verb, _at(repository, path), token, body=body),
        )

    def query(
        self,
        repository: RepositoryFacts,
        purpose: Purpose,
        query: str,
        variables: Mapping[str, object],
    ) -> GraphQLAnswer:
        """The response to a query or a mutation. Raises `GraphQLUnavailable`."""
        try:
            answer = self._with_token(
                lambda: self.tokens.token_for(repository, purpose),
                lambda token: self.api.query(query, token, variables),
            )
        except Refused as refused:
            raise GraphQLUnavailable(refused.sentence) from refused
        return read(GraphQLAnswer, answer)

    def find(self, token: Callable[[], str], path: str) -> Json | None:
        """Like `get`, for a path that is not below a known repository."""
        return self._there(token, lambda given: self.api.send("GET", path, given))

    def find_pages(self, token: Callable[[], str], path: str) -> list[Json]:
        """Like `get_pages`, for a path that is not below a known repository."""
        return self._with_token(token, lambda given: list(self.api.pages(path, given, {})))

    def follow(self, token: Callable[[], str], path: str, pages_max: int) -> Iterator[Json]:
        """The pages of a list with cursors, each read when it is needed."""
        parameters: dict[str, str | int] = {}

        def send(given: str) -> tuple[Json, str]:
            return self.api.page(path, given, parameters)

        for _ in range(pages_max):
            page, cursor = self._with_token(token, send)
            yield page
            if not cursor:
                return
            parameters["cursor"] = cursor

    def _there(self, token: Callable[[], str], send: Callable[[str], _Found]) -> _Found | None:
        try:
            return self._with_token(token, send)
        except Refused as refused:
            if refused.is_absence:
                return None
            raise

    def _with_token(self, token: Callable[[], str], send: Callable[[str], _Found]) -> _Found:
        given = token()
        try:
            return send(given)
        except Refused as refused:
            if refused.status != 401:
                raise
            self.tokens.forget(given)
        return send(token())


def _at(repository: RepositoryFacts, path: str) -> str:
    # By its id: a name may have become another repository's. It is where GitHub redirects a former
    # name to ("Best practices for using the REST API").
    return f"/repositories/{repository.id}{path}"
