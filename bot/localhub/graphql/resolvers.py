"""Resolvers: for one type of GitHub's schema, how each field is computed.

`plain` fields need the object alone, those in `arguments` also need the caller or arguments.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from bot.localhub.graphql.query_context import Arguments, QueryContext

T = TypeVar("T")


class TypeResolver(Protocol):
    @property
    def type_name(self) -> str: ...

    def fields(self) -> set[str]: ...

    def answer(
        self, context: QueryContext, source: object, name: str, arguments: Arguments
    ) -> object: ...


@dataclass(frozen=True)
class FieldResolvers(Generic[T]):
    type_name: str
    kind: type[T]
    plain: Mapping[str, Callable[[T], object]]
    arguments: Mapping[str, Callable[[QueryContext, T, Arguments], object]] = field(
        default_factory=dict
    )

    def fields(self) -> set[str]:
        return {*self.plain, *self.arguments}

    def answer(
        self, context: QueryContext, source: object, name: str, arguments: Arguments
    ) -> object:
        if not isinstance(source, self.kind):
            raise TypeError(f"a {type(source).__name__} is not a {self.type_name}")
        reader = self.plain.get(name)
        return (
            reader(source)
            if reader is not None
            else self.arguments[name](context, source, arguments)
        )
