"""Requests about one repository, each with the least token that will do.

The rule: a token that GitHub does not take (401) is minted anew once, which is safe for a write,
too, because nothing was done; a second 401 is a refusal.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar
from urllib.parse import quote

from bot.adapters.github.api import Api, Json
from bot.adapters.github.app_tokens import AppTokens, Purpose
from bot.adapters.github.classify import Refused
from bot.adapters.github.graphql import CannotAsk, GraphQLAnswer
from bot.adapters.github.shapes import read
from bot.core.values.repository import RepositoryFacts

_Found = TypeVar("_Found")


class Conversation:
    """What `looking` and `doing` share; `path` is below the repository."""

    def __init__(self, api: Api, tokens: AppTokens) -> None:
        self.api = api
        self.tokens = tokens

    def get(
        self,
        repository: RepositoryFacts,
        path: str,
        parameters: Mapping[str, str | int] | None = None,
    ) -> Json | None:
        """The answer, or None where there is no such thing."""
        try:
            return self._with_token(
                lambda: self.tokens.token_for(repository, Purpose.LOOK),
                lambda token: self.api.send("GET", _at(repository, path), token, parameters),
            )
        except Refused as refused:
            if refused.is_absence:
                return None
            raise

    def get_pages(
        self, repository: RepositoryFacts, path: str, parameters: Mapping[str, str | int]
    ) -> list[Json]:
        """The answers of all pages; none where there is no such thing."""
        where = _at(repository, path)
        try:
            return self._with_token(
                lambda: self.tokens.token_for(repository, Purpose.LOOK),
                lambda token: list(self.api.pages(where, token, parameters)),
            )
        except Refused as refused:
            if refused.is_absence:
                return []
            raise

    def write(
        self,
        repository: RepositoryFacts,
        purpose: Purpose,
        verb: str,
        path: str,
        body: Mapping[str, object] | None = None,
    ) -> Json:
        """The answer to a write, which is sent once."""
        return self._with_token(
            lambda: self.tokens.token_for(repository, purpose),
            lambda token: self.api.send(verb, _at(repository, path), token, body=body),
        )

    def ask(
        self,
        repository: RepositoryFacts,
        purpose: Purpose,
        question: str,
        variables: Mapping[str, object],
    ) -> GraphQLAnswer:
        """GraphQL's answer to a question or a mutation. Raises `CannotAsk` where there is no door."""
        try:
            answer = self._with_token(
                lambda: self.tokens.token_for(repository, purpose),
                lambda token: self.api.ask(question, token, variables),
            )
        except Refused as refused:
            raise CannotAsk(refused.sentence) from refused
        return read(GraphQLAnswer, answer)

    def find(self, token: Callable[[], str], path: str) -> Json | None:
        """An answer that is not about a repository that we know; None where it is not there."""
        try:
            return self._with_token(token, lambda given: self.api.send("GET", path, given))
        except Refused as refused:
            if refused.is_absence:
                return None
            raise

    def find_pages(self, token: Callable[[], str], path: str) -> list[Json]:
        """The pages of a list that is not about a repository that we know."""
        return self._with_token(token, lambda given: list(self.api.pages(path, given, {})))

    def follow(self, token: Callable[[], str], path: str, pages_max: int) -> Iterator[Json]:
        """The pages of a list whose next page only its answer names."""
        asked: dict[str, str | int] = {}

        def send(given: str) -> tuple[Json, str]:
            return self.api.page(path, given, asked)

        for _ in range(pages_max):
            page, cursor = self._with_token(token, send)
            yield page
            if not cursor:
                return
            asked["cursor"] = cursor

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
    return f"/repos/{quote(repository.full_name)}{path}"
