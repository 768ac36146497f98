"""A table of answers: for one type of GitHub's schema, how each of its fields is found.

`plain` fields are read off the thing itself, `asked` ones also need who asks or the arguments.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from bot.localhub.graphql.query_context import Arguments, QueryContext

T = TypeVar("T")


class TypeResolver(Protocol):
    """A table, whatever its things are."""

    @property
    def type_name(self) -> str:
        """The type of GitHub's schema."""
        ...

    def fields(self) -> set[str]:
        """The fields that have an answer."""
        ...

    def answer(
        self, context: QueryContext, source: object, name: str, arguments: Arguments
    ) -> object:
        """The value of a field."""
        ...


@dataclass(frozen=True)
class FieldResolvers(Generic[T]):
    """The answers of one type, whose things are of one class."""

    type_name: str
    kind: type[T]
    plain: Mapping[str, Callable[[T], object]]
    arguments: Mapping[str, Callable[[QueryContext, T, Arguments], object]] = field(
        default_factory=dict
    )

    def fields(self) -> set[str]:
        """The fields that have an answer."""
        return {*self.plain, *self.arguments}

    def answer(
        self, context: QueryContext, source: object, name: str, arguments: Arguments
    ) -> object:
        """The value of a field."""
        if not isinstance(source, self.kind):
            raise TypeError(f"a {type(source).__name__} is no {self.type_name}")
        reader = self.plain.get(name)
        return (
            reader(source)
            if reader is not None
            else self.arguments[name](context, source, arguments)
        )
