"""Nodes come as Python's own walk gives them."""

import ast
from pathlib import Path

from gates.test_guard.python_walk import walk


def test_all_nodes_come_in_the_order_of_pythons_own_walk() -> None:
    files = Path(__file__).parent.glob("test_*.py")
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    assert trees
    for tree in trees:
        assert list(walk(tree)) == list(ast.walk(tree))


def test_nodes_removed_during_the_walk_are_not_visited() -> None:
    trees = [ast.parse("def one():\n    return 1\n\n\nx = 2\n") for _ in range(2)]
    seen = []
    for tree, look in zip(trees, (walk, ast.walk), strict=True):
        kinds = []
        for node in look(tree):
            kinds.append(type(node).__name__)
            if isinstance(node, ast.Module):
                node.body[0].body = []  # type: ignore[attr-defined]
        seen.append(kinds)
    assert seen[0] == seen[1]
