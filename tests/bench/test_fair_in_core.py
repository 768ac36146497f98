"""What the simulation of fairness counts: sound work lands, and a conflict is met once."""

from tests.bench.fair_in_core import live


def test_sound_work_lands_despite_flaky_gates() -> None:
    lived = live(0.3, days=4, changes=3, seed=2, is_union=True)
    assert lived.flakes > 3
    assert lived.landed == lived.changes == 12


def test_each_change_conflicts_once_with_earlier_landings() -> None:
    lived = live(0.0, days=1, changes=4, seed=1, is_union=False)
    assert (lived.landed, lived.conflicts, lived.agents) == (4, 3, 7)


def test_a_file_that_merges_by_a_rule_needs_no_agent() -> None:
    lived = live(0.0, days=1, changes=4, seed=1, is_union=True)
    assert (lived.landed, lived.conflicts, lived.agents, lived.gates) == (4, 0, 4, 4)
