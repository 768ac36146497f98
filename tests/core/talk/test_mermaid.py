"""A plan as a picture that GitHub can draw and other people's text cannot break."""

import re

from bot.core.talk.mermaid import graph
from bot.core.values.ids import Slug
from bot.core.values.plan_model import Dependency, DependencyKind
from tests.core.plan.kit import change, plan_of, waits


def test_boxes_arrows_and_a_class_for_each_state() -> None:
    shares = Dependency(on=Slug("end"), kind=DependencyKind.SHARES, evidence="s.md:1 'x'")
    plan = plan_of(
        change("end", "A", title="Base"),
        change("left", "B", waits("end"), title="Left"),
        change("right", "C", shares, title="Right"),
    )
    assert graph(plan, {Slug("end"): "landed", Slug("left"): "at work"}) == (
        "graph TD\n"
        '  c0["Base"]:::state_landed\n'
        '  c1["Left"]:::state_at_work\n'
        '  c2["Right"]:::state_planned\n'
        "  c0 --> c1\n"
        "  c0 -.-> c2\n"
        "  classDef state_at_work fill:#ddf4ff,stroke:#0969da,color:#1f2328\n"
        "  classDef state_landed fill:#dafbe1,stroke:#1a7f37,color:#1f2328\n"
        "  classDef state_planned fill:#ffffff,stroke:#8c959f,color:#1f2328\n"
    )


def test_a_change_that_has_not_begun_does_not_look_like_one_under_way() -> None:
    plan = plan_of(*(change(name, "A") for name in ("a", "b", "c", "d")))
    states = {Slug("a"): "waiting", Slug("b"): "judging", Slug("c"): "stopped"}
    drawn = graph(plan, states) or ""
    colours = dict(re.findall(r"classDef state_(\w+) fill:(#\w+)", drawn))
    assert colours["waiting"] == colours["planned"]
    assert len({colours[name] for name in ("waiting", "judging", "stopped")}) == 3


def test_a_title_cannot_leave_its_label() -> None:
    title = '"]\nclick c0 href "x" `a` <img src=x> #quot; %%{init}%% & [b]'
    drawn = graph(plan_of(change("one", "A", title=title)), {})
    assert drawn is not None
    lines = drawn.splitlines()
    assert len(lines) == 3
    label = re.fullmatch(r'  c0\["(.*)"\]:::state_planned', lines[1])
    assert label
    assert not set(label[1]) & set('"`<>[]{}%&\n')
    assert label[1].startswith("#34;#93; click c0 href #34;x#34; #96;a#96; #60;img")


def test_a_long_title_is_cut_before_it_is_escaped() -> None:
    drawn = graph(plan_of(change("one", "A", title='"' * 100)), {})
    assert drawn is not None
    assert '["' + "#34;" * 59 + '…"]' in drawn


def test_a_graph_that_is_too_large_is_replaced_by_a_table() -> None:
    def of(size: int) -> str | None:
        return graph(plan_of(*(change(f"c{n}", "A") for n in range(size))), {})

    assert of(0) is None
    assert of(60) is not None
    assert of(61) is None
    dense = [change(f"c{n}", "A", *(waits(f"c{m}") for m in range(n))) for n in range(33)]
    assert graph(plan_of(*dense[:32]), {}) is not None
    assert graph(plan_of(*dense), {}) is None


def test_an_edge_to_an_unknown_change_is_not_drawn() -> None:
    drawn = graph(plan_of(change("one", "A", waits("gone"))), {})
    assert drawn is not None
    assert "-->" not in drawn
