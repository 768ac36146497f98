"""The planner, rule by rule: how a spec is cut, what waits for what, who owns what."""

import pytest

from bot.core.plan.check import PlanFault, check
from bot.core.plan.deterministic import plan, priority_rank
from bot.core.values.plan_model import ChangeType, DependencyKind, Plan
from bot.core.values.spec_model import Operation, Requirement, Spec, SpecFormat
from tests.core.plan.kit import KEY, PATH, cut, document, edges, requirement, spec, waves

ENDPOINT = "The shop MUST answer at an endpoint."


def _planned(*requirements: Requirement) -> Plan:
    """The plan, which must be lawful."""
    of = spec(*requirements)
    planned = plan(of)
    assert check(planned, of) == ()
    return planned


def test_a_spec_without_requirements_gives_an_empty_plan() -> None:
    assert plan(spec(), revision=3) == Plan(revision=3, changes=())


def test_one_requirement_gives_one_change() -> None:
    (change,) = _planned(requirement("A", "cart", title="Pay by card")).changes
    assert (change.slug, change.title) == ("cart-pay-by-card", "Pay by card")
    assert (change.type, change.domain) == (ChangeType.FEATURE, "cart")


def test_requirements_go_by_domain_and_run_side_by_side() -> None:
    planned = _planned(requirement("A", "cart"), requirement("B", "desk"), requirement("C", "cart"))
    assert cut(planned) == ["A C", "B"]
    assert len(waves(planned)) == 1


def test_without_domains_the_whole_spec_is_one() -> None:
    planned = _planned(requirement("A"), requirement("B"))
    assert [c.domain for c in planned.changes] == [KEY]


@pytest.mark.parametrize(
    ("count", "sizes"), [(6, [6]), (7, [4, 3]), (12, [6, 6]), (13, [5, 4, 4]), (20, [5, 5, 5, 5])]
)
def test_a_large_domain_is_split_in_balanced_parts(count: int, sizes: list[int]) -> None:
    planned = _planned(*(requirement(f"R{n}", "cart") for n in range(count)))
    assert [len(c.requirements) for c in planned.changes] == sizes
    assert len(waves(planned)) == 1


def test_a_split_keeps_file_order_without_references() -> None:
    planned = _planned(*(requirement(n, "cart") for n in "ABCDEFGH"))
    assert cut(planned) == ["A B C D", "E F G H"]


def test_a_split_leaves_together_neighbours_that_refer_to_one_another() -> None:
    planned = _planned(
        *(requirement(n, "cart", after=["C"] if n in "DEF" else []) for n in "ABCDEFGH")
    )
    assert any({"C", "D", "E", "F"} <= set(names.split()) for names in cut(planned))


def test_a_reference_by_id_becomes_an_edge_with_its_quote() -> None:
    planned = _planned(requirement("A", "cart"), requirement("B", "desk", after=["A"]))
    assert edges(planned) == {("B", "A", "explicit")}
    (dependency,) = planned.changes[1].depends_on
    assert dependency.evidence == "specs/shop.md:12 'Depends on A'"


def test_a_diamond_of_dependencies_is_kept() -> None:
    planned = _planned(
        requirement("A", "model"),
        requirement("B", "left", after=["A"]),
        requirement("C", "right", after=["Title of A"]),
        requirement("D", "top", after=["B", "C"]),
    )
    assert [[len(w)] for w in waves(planned)] == [[1], [2], [1]]
    assert edges(planned) == {
        ("B", "A", "explicit"),
        ("C", "A", "explicit"),
        ("D", "B", "explicit"),
        ("D", "C", "explicit"),
    }


def test_an_interface_that_two_domains_need_becomes_a_contract_placed_first() -> None:
    planned = _planned(
        requirement("Z", "aside", priority="P0"),
        requirement("A", "model"),
        requirement("B", "model", statement=ENDPOINT),
        requirement("C", "left", after=["B"]),
        requirement("D", "right", after=["B"]),
    )
    assert cut(planned) == ["B", "Z", "A", "C", "D"]
    contract = planned.changes[0]
    assert (contract.type, contract.slug) == (ChangeType.CONTRACT, "model-contract")


def test_a_requirement_without_an_interface_is_not_a_contract() -> None:
    planned = _planned(
        requirement("B", "model"),
        requirement("C", "left", after=["B"]),
        requirement("D", "right", after=["B"]),
    )
    assert ChangeType.CONTRACT not in {c.type for c in planned.changes}


def test_a_requirement_that_one_domain_needs_is_not_a_contract() -> None:
    planned = _planned(
        requirement("A", "model", after=["B"]),
        requirement("B", "model"),
        requirement("C", "left", after=["B"]),
        requirement("D", "left", after=["B"]),
    )
    assert cut(planned) == ["A B", "C D"]


def test_a_contract_includes_its_own_dependencies() -> None:
    planned = _planned(
        requirement("A", "model"),
        requirement("B", "model", statement=ENDPOINT, after=["A"]),
        requirement("X", "model"),
        requirement("C", "left", after=["B"]),
        requirement("D", "right", after=["B"]),
    )
    assert cut(planned) == ["A B", "X", "C", "D"]
    assert edges(planned) == {
        ("X", "A B", "foundation"),
        ("C", "A B", "explicit"),
        ("D", "A B", "explicit"),
    }


def test_domains_with_circular_sharing_have_no_contract() -> None:
    planned = _planned(
        requirement("A", "cart", after=["B", "C"]),
        requirement("B", "desk", after=["A"]),
        requirement("C", "till", after=["A"]),
    )
    assert [(c.type, c.domain) for c in planned.changes] == [(ChangeType.FEATURE, "cart")]


def test_contracts_of_two_domains_that_wait_for_one_another_are_one_contract() -> None:
    users = [requirement(f"U{n}", f"user {n}", after=["A", "B", "C", "D"]) for n in (1, 2)]
    planned = _planned(
        requirement("A", "cart", statement=ENDPOINT, after=["D"]),
        requirement("B", "cart", statement=ENDPOINT),
        requirement("C", "desk", statement=ENDPOINT, after=["B"]),
        requirement("D", "desk", statement=ENDPOINT),
        *users,
    )
    assert cut(planned) == ["A B C D", "U1", "U2"]
    assert planned.changes[0].type == ChangeType.CONTRACT


def test_a_requirement_that_depends_on_another_domain_is_not_a_contract() -> None:
    planned = _planned(
        requirement("F", "ground"),
        requirement("B", "model", after=["F"]),
        requirement("C", "left", after=["B"]),
        requirement("D", "right", after=["B"]),
    )
    assert ChangeType.CONTRACT not in {c.type for c in planned.changes}
    assert cut(planned) == ["F", "B", "C", "D"]


def test_two_small_interdependent_domains_become_one_change() -> None:
    planned = _planned(
        requirement("A", "cart", after=["D"]),
        requirement("B", "cart"),
        requirement("C", "desk", after=["B"]),
        requirement("D", "desk"),
    )
    assert cut(planned) == ["A B C D"]


def test_two_large_interdependent_domains_are_split_differently() -> None:
    planned = _planned(
        requirement("A", "cart", after=["F"]),
        *(requirement(n, "cart") for n in "BCD"),
        requirement("E", "desk", after=["B"]),
        *(requirement(n, "desk") for n in "FGH"),
    )
    assert cut(planned) == ["B C D", "E F G H", "A"]


def test_a_small_cycle_of_requirements_is_one_change() -> None:
    planned = _planned(
        requirement("A", "cart", after=["B"]),
        requirement("B", "desk", after=["C"]),
        requirement("C", "till", after=["A"]),
        requirement("D", "till"),
    )
    assert cut(planned) == ["A B C", "D"]
    assert edges(planned) == set()


def test_a_cycle_larger_than_a_change_is_left_for_the_check() -> None:
    ring = "ABCDEFGHIJ"
    of = spec(*(requirement(n, n, after=[ring[i - 1]]) for i, n in enumerate(ring)))
    planned = plan(of)
    (finding,) = check(planned, of)
    assert finding.code == PlanFault.CYCLE
    assert "Depends on" in finding.sentence
    assert cut(planned) == ["A B C D E F G H", "I J"]


def test_operations_on_one_requirement_stay_in_one_change() -> None:
    fillers = [requirement(f"F{n}", "cart", operation=Operation.ADDED) for n in range(7)]
    planned = _planned(
        requirement("A", "cart", title="Pay", operation=Operation.RENAMED, renamed_from="Purchase"),
        *fillers,
        requirement("B", "cart", title="Pay", operation=Operation.MODIFIED),
    )
    assert any({"A", "B"} <= set(names.split()) for names in cut(planned))


def test_a_rename_comes_before_a_reuse_of_the_old_name() -> None:
    taker = requirement("T", "cart", title="Pay", operation=Operation.ADDED)
    fillers = [requirement(f"F{n}", "cart", operation=Operation.ADDED) for n in range(5)]
    more = [requirement(f"G{n}", "cart", after=["L"]) for n in range(5)]
    leaver = requirement(
        "L", "cart", title="Pay by card", operation=Operation.RENAMED, renamed_from="Pay"
    )
    planned = _planned(taker, *fillers, leaver, *more)
    home = {name: c for c in planned.changes for name in cut(Plan(revision=1, changes=(c,)))}
    with_taker = next(c for names, c in home.items() if "T" in names.split())
    with_leaver = next(c for names, c in home.items() if "L" in names.split())
    order = planned.changes
    assert order.index(with_leaver) <= order.index(with_taker)
    if with_taker != with_leaver:
        (dependency,) = [d for d in with_taker.depends_on if d.on == with_leaver.slug]
        assert (dependency.kind, "'Pay → Pay by card'" in dependency.evidence) == ("delta", True)


def test_naming_an_added_title_is_a_dependency_unless_it_makes_a_cycle() -> None:
    added = requirement("A", "cart", title="Gift card", operation=Operation.ADDED)
    user = requirement("B", "desk", resources=["Gift card"], operation=Operation.MODIFIED)
    assert edges(_planned(user, added)) == {("B", "A", "delta")}
    circular = added.model_copy(update={"references": requirement("A", after=["B"]).references})
    assert edges(_planned(user, circular)) == {("A", "B", "explicit")}


def test_a_resource_across_domains_has_one_owner_and_the_others_wait() -> None:
    planned = _planned(
        requirement("A", "cart", resources=["LedgerEntry"]),
        requirement(
            "B", "books", statement="The shop MUST store a LedgerEntry.", resources=["LedgerEntry"]
        ),
        requirement("C", "desk", resources=["LedgerEntry"]),
    )
    assert edges(planned) == {("A", "B", "shares"), ("C", "B", "shares")}
    owner = planned.changes[0]
    assert (owner.owns, owner.type) == (("LedgerEntry",), ChangeType.CONTRACT)
    assert planned.changes[1].depends_on[0].evidence == (
        "specs/shop.md:1 'LedgerEntry', defined at specs/shop.md:11 'LedgerEntry'"
    )


def test_a_stated_dependency_overrides_a_shared_resource() -> None:
    planned = _planned(
        requirement("A", "cart", resources=["package.json"], after=["B"]),
        requirement("B", "desk", resources=["package.json"]),
    )
    assert edges(planned) == {("A", "B", "explicit")}
    assert [c.owns for c in planned.changes] == [(), ("package.json",)]


def test_an_edge_lists_all_its_reasons_the_surest_first() -> None:
    planned = _planned(
        requirement("A", "cart", resources=["package.json"]),
        requirement("B", "desk", resources=["package.json"], after=["A"]),
    )
    (dependency,) = planned.changes[1].depends_on
    assert dependency.kind == DependencyKind.EXPLICIT
    assert dependency.evidence.startswith("specs/shop.md:12 'Depends on A'; specs/shop.md:11")


def test_a_change_that_only_removes_is_a_removal() -> None:
    gone = requirement("A", "cart", title="Fax", operation=Operation.REMOVED)
    (change,) = _planned(gone).changes
    assert (change.type, change.title) == (ChangeType.REMOVAL, "Remove Fax")
    mixed = _planned(gone, requirement("B", "cart", operation=Operation.ADDED))
    assert [c.type for c in mixed.changes] == [ChangeType.FEATURE]


def test_a_bugfix_spec_gives_fixes() -> None:
    fixes = document([requirement("A", "cart")], spec_format=SpecFormat.KIRO_BUGFIX)
    planned = plan(Spec(path=PATH, key=KEY, documents=(fixes,)))
    assert [c.type for c in planned.changes] == [ChangeType.FIX]


def test_dependencies_then_priority_then_line_decide_the_order() -> None:
    planned = _planned(
        requirement("A", "a"),
        requirement("B", "b", after=["D"], priority="P0"),
        requirement("C", "c"),
        requirement("D", "d", priority="P1"),
        requirement("E", "e", priority="could"),
    )
    assert cut(planned) == ["D", "B", "A", "C", "E"]


@pytest.mark.parametrize(
    ("priority", "rank"),
    [("P1", 1), ("p0", 0), ("Must", 1), ("Won’t have", 4), (None, 2), ("", 2), ("blue", 2)],
)
def test_priorities_are_read_in_their_usual_spellings(priority: str | None, rank: int) -> None:
    assert priority_rank(priority) == rank


def test_one_id_for_several_operations_is_one_requirement() -> None:
    renamed = requirement("A", "cart", operation=Operation.RENAMED, renamed_from="Old")
    modified = requirement("A", "cart", operation=Operation.MODIFIED, after=["B"])
    planned = _planned(renamed, modified, requirement("B", "desk"))
    assert cut(planned) == ["B", "A"]
    assert edges(planned) == {("A", "B", "explicit")}
