"""What GitHub counts of a query before it runs it: the nodes that it may ask for, and its points.

GitHub, "Rate limits and query limits for the GraphQL API": at most 500,000 nodes; a point for every
hundred connections that would be read if each were full, and one at least. Aliases alone cost nothing.
"""

from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
)

from bot.localhub.github_json import Json

NODES_MAX = 500_000
_PAGES = {"first", "last"}


@dataclass
class _Size:
    nodes: int = 0
    connections: int = 0


def nodes_and_points(document: DocumentNode, variables: Json) -> tuple[int, int]:
    """Of a query that is valid; the largest of its operations."""
    fragments = {
        one.name.value: one
        for one in document.definitions
        if isinstance(one, FragmentDefinitionNode)
    }
    found = []
    for operation in document.definitions:
        if isinstance(operation, OperationDefinitionNode):
            size = _Size()
            _add(size, operation.selection_set, 1, (fragments, _values(operation, variables)))
            found.append((size.nodes, max(1, round(size.connections / 100))))
    return max(found, default=(0, 1))


_Known = tuple[dict[str, FragmentDefinitionNode], Json]


def _values(operation: OperationDefinitionNode, variables: Json) -> Json:
    defaults = {
        one.variable.name.value: int(one.default_value.value)
        for one in operation.variable_definitions or ()
        if isinstance(one.default_value, IntValueNode)
    }
    return {**defaults, **variables}


def _add(size: _Size, selected: SelectionSetNode | None, times: int, known: _Known) -> None:
    """Add what is selected below one of `times` objects."""
    for one in selected.selections if selected is not None else ():
        below = times
        part: SelectionSetNode | None = None
        if isinstance(one, FieldNode):
            part, page = one.selection_set, _page(one, known[1])
            if page is not None:
                size.connections += times
                size.nodes += times * page
                below = times * page
        elif isinstance(one, InlineFragmentNode):
            part = one.selection_set
        elif isinstance(one, FragmentSpreadNode):
            part = known[0][one.name.value].selection_set
        _add(size, part, below, known)


def _page(field: FieldNode, variables: Json) -> int | None:
    """How many objects of a connection are asked for; None for a field that is none."""
    for argument in field.arguments or ():
        if argument.name.value in _PAGES:
            if isinstance(argument.value, IntValueNode):
                return int(argument.value.value)
            if isinstance(argument.value, VariableNode):
                value = variables.get(argument.value.name.value)
                return value if isinstance(value, int) else None
    return None
