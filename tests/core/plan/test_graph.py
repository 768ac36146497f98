"""The graph questions, on small graphs and on one deeper than the stack."""

from bot.core.plan.graph import dependence, levels, reaches, shortest_cycle, strongly_connected

EDGES = {"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}


def test_components_come_after_what_they_wait_for() -> None:
    assert strongly_connected("abcd", EDGES) == (("b", "c"), ("a",), ("d",))


def test_levels_count_the_longest_wait_and_a_cycle_shares_one() -> None:
    assert levels("abcd", EDGES) == {"b": 0, "c": 0, "a": 1, "d": 2}


def test_reaches_follows_edges_one_way() -> None:
    assert reaches("d", "c", EDGES)
    assert reaches("d", "d", EDGES)
    assert not reaches("c", "d", EDGES)


def test_what_is_below_a_node_is_not_what_also_depends_on_it() -> None:
    depends = dependence("abcd", EDGES)
    assert [pair for pair in ("ab", "dc", "bc", "cb", "bb", "ca") if depends(*pair)] == ["ab", "dc"]


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
