"""The graph questions, on small graphs and on one deeper than the stack."""

from bot.core.plan.graph import Reached, levels, shortest_cycle, strongly_connected

EDGES = {"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}


def test_components_come_after_their_dependencies() -> None:
    assert strongly_connected("abcd", EDGES) == (("b", "c"), ("a",), ("d",))


def test_levels_count_the_longest_wait_and_a_cycle_shares_one() -> None:
    assert levels("abcd", EDGES) == {"b": 0, "c": 0, "a": 1, "d": 2}


def reached(*edges: str) -> Reached[str]:
    found = Reached("abcd")
    for edge in edges:
        found.add(edge[0], edge[1])
    return found


def test_transitive_dependencies_are_found_in_any_order_of_edges() -> None:
    for edges in (("da", "ab", "bc"), ("bc", "ab", "da"), ("ab", "bc", "da")):
        of = reached(*edges)
        assert all(of.depends(pair[0], pair[1]) for pair in ("da", "db", "dc", "ac"))
        assert not any(of.depends(pair[0], pair[1]) for pair in ("cd", "ba", "dd"))


def test_a_node_in_a_cycle_is_not_above_its_members() -> None:
    of = reached("da", "ab", "bc", "cb")
    assert of.depends("b", "b")
    above = [pair for pair in ("ab", "dc", "bc", "cb", "bb", "ca") if of.is_above(pair[0], pair[1])]
    assert above == ["ab", "dc"]


def test_the_shortest_cycle_stays_inside_and_begins_at_its_start() -> None:
    edges = {"a": ["b", "c"], "b": ["c"], "c": ["a"]}
    assert shortest_cycle("b", "abc", edges) == ("b", "c", "a")
    assert shortest_cycle("a", "abc", edges) == ("a", "c")
    assert shortest_cycle("a", "ab", edges) == ()


def test_a_chain_deeper_than_the_recursion_limit_is_planned() -> None:
    chain = range(5000)
    edges = {n: [n + 1] for n in chain}
    assert len(strongly_connected(chain, edges)) == 5000
    assert levels(chain, edges)[0] == 4999
