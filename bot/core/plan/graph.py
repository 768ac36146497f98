"""Functions on directed graphs.

An edge points from a node to its dependency. Every result follows the order of the given nodes, so
that it is deterministic.
"""

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


def strongly_connected(
    nodes: Sequence[Node], edges: Mapping[Node, Collection[Node]]
) -> tuple[tuple[Node, ...], ...]:
    """The components in an order in which dependencies come first.

    Tarjan's algorithm without recursion, because a spec may chain more requirements than the stack
    allows.
    """
    place = {node: at for at, node in enumerate(nodes)}
    found: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    components: list[tuple[Node, ...]] = []
    for root in nodes:
        if root in found:
            continue
        walk: list[tuple[Node, Iterator[Node]]] = []
        step: Node | None = root
        while step is not None or walk:
            if step is not None:
                found[step] = low[step] = len(found)
                stack.append(step)
                on_stack.add(step)
                walk.append((step, iter(_successors(step, edges, place))))
                step = None
            node, successors = walk[-1]
            for successor in successors:
                if successor not in found:
                    step = successor
                    break
                if successor in on_stack:
                    low[node] = min(low[node], found[successor])
            if step is not None:
                continue
            walk.pop()
            if walk:
                parent = walk[-1][0]
                low[parent] = min(low[parent], low[node])
            if low[node] == found[node]:
                members = [stack.pop()]
                while members[-1] != node:
                    members.append(stack.pop())
                on_stack.difference_update(members)
                components.append(tuple(sorted(members, key=place.__getitem__)))
    return tuple(components)


def levels(nodes: Sequence[Node], edges: Mapping[Node, Collection[Node]]) -> dict[Node, int]:
    """The longest chain of dependencies of each node; nodes of a cycle have one level."""
    level: dict[Node, int] = {}
    for component in strongly_connected(nodes, edges):
        below = [
            level[successor] + 1
            for node in component
            for successor in edges.get(node, ())
            if successor in level
        ]
        for node in component:
            level[node] = max(below, default=0)
    return level


class Reached(Generic[Node]):
    """Which nodes depend on which, directly or not, while edges are added."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        # One bit a node: thousands in a row would be millions of pairs.
        self._bit = {node: 1 << at for at, node in enumerate(nodes)}
        self._below = dict.fromkeys(self._bit, 0)

    def add(self, node: Node, on: Node) -> None:
        new = self._bit[on] | self._below[on]
        if not new & ~self._below[node]:
            return
        for one, below in self._below.items():
            if one == node or below & self._bit[node]:
                self._below[one] = below | new

    def depends(self, node: Node, on: Node) -> bool:
        return bool(self._below[node] & self._bit[on])

    def is_above(self, node: Node, on: Node) -> bool:
        """Whether `node` depends on `on`, and not the other way round, too."""
        return self.depends(node, on) and not self.depends(on, node)


def shortest_cycle(
    start: Node, nodes: Sequence[Node], edges: Mapping[Node, Collection[Node]]
) -> tuple[Node, ...]:
    """The shortest way from `start` back to itself among `nodes`, `start` first; empty if none."""
    place = {node: at for at, node in enumerate(nodes)}
    came_from: dict[Node, Node] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for successor in _successors(node, edges, place):
            if successor == start:
                way = [node]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return tuple(reversed(way))
            if successor not in came_from:
                came_from[successor] = node
                queue.append(successor)
    return ()


def _successors(
    node: Node, edges: Mapping[Node, Collection[Node]], place: Mapping[Node, int]
) -> list[Node]:
    return sorted({s for s in edges.get(node, ()) if s in place}, key=place.__getitem__)
