"""Cuts the part that localhub serves out of GitHub's published GraphQL schema.

`python -m tests.contract.graphql_slice node_modules/@octokit/graphql-schema/schema.graphql` writes it
beside localhub's tables: their types and fields, the interfaces and unions of these, and the inputs
and enumerations that they need. Types are as published; descriptions are left out.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    get_named_type,
    print_schema,
)

from bot.localhub.graphql.schema import SCHEMA, SERVED


class Cut:
    """A whole schema, and the types and fields of it to keep."""

    def __init__(self, whole: GraphQLSchema) -> None:
        self._whole = whole
        self.kept: dict[str, GraphQLNamedType] = {}

    def make(self) -> GraphQLSchema:
        """The smaller schema."""
        for name in SERVED:
            self._keep(self._whole.type_map[name])
        for kept in list(self.kept.values()):
            if isinstance(kept, GraphQLObjectType):
                kept.interfaces = [one for one in kept.interfaces if one.name in self.kept]
        for kept in list(self.kept.values()):
            if isinstance(kept, GraphQLInterfaceType):
                kept.interfaces = []
                kept.fields = self._common_fields(kept)
        for kept in self.kept.values():
            _without_descriptions(kept)
        types = list(self.kept.values())
        query, mutation = self.kept["Query"], self.kept["Mutation"]
        if not isinstance(query, GraphQLObjectType) or not isinstance(mutation, GraphQLObjectType):
            raise TypeError("the schema has no roots")
        return GraphQLSchema(query=query, mutation=mutation, types=types)

    def _keep(self, found: GraphQLNamedType) -> None:
        if found.name in self.kept:
            return
        if isinstance(found, GraphQLObjectType) and found.name not in SERVED:
            raise ValueError(f"a field leads to {found.name}, which has no answers")
        self.kept[found.name] = found
        match found:
            case GraphQLObjectType():
                wanted = SERVED[found.name]
                found.fields = {name: found.fields[name] for name in sorted(wanted)}
                self._keep_fields(found.fields.values())
            case GraphQLUnionType():
                found.types = [one for one in found.types if one.name in SERVED]
            case GraphQLInputObjectType():
                for field in found.fields.values():
                    self._keep(get_named_type(field.type))
            case _:
                # Interfaces are cut later, once their kept types are known; the rest has no fields.
                pass

    def _keep_fields(self, fields: Iterable[GraphQLField]) -> None:
        for field in fields:
            self._keep(get_named_type(field.type))
            for argument in field.args.values():
                self._keep(get_named_type(argument.type))

    def _common_fields(self, interface: GraphQLInterfaceType) -> dict[str, GraphQLField]:
        """The fields that all kept types of an interface have."""
        common = dict(interface.fields)
        for kept in self.kept.values():
            if isinstance(kept, GraphQLObjectType) and interface in kept.interfaces:
                common = {name: held for name, held in common.items() if name in kept.fields}
        return common


def _without_descriptions(kept: GraphQLNamedType) -> None:
    """Remove descriptions."""
    kept.description = None
    match kept:
        case GraphQLObjectType() | GraphQLInterfaceType():
            for field in kept.fields.values():
                field.description = None
                for argument in field.args.values():
                    argument.description = None
        case GraphQLInputObjectType():
            for held in kept.fields.values():
                held.description = None
        case GraphQLEnumType():
            for value in kept.values.values():
                value.description = None
        case _:
            pass


def main(arguments: list[str]) -> None:
    """Cut the schema at the path that is named."""
    text = Path(arguments[0]).read_text(encoding="utf-8")
    cut = Cut(build_schema(text, assume_valid=True)).make()
    SCHEMA.write_text(print_schema(cut) + "\n", encoding="utf-8")
    sys.stdout.write(f"{SCHEMA.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
