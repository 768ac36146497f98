"""The archive as a pure function: what changes, what is refused, and what one change may fold."""

import itertools
import re
from datetime import date
from functools import cache, reduce

import pytest
from hypothesis import assume, given, settings, strategies as st

from bot.core.spec.archive.delta import Folded, Refused, archived_name, fold
from tests.testkit.examples import examples

AT = "openspec/specs/shop/spec.md"
DELTA = "specs/shop/spec.md"


def requirement(name: str, *scenarios: str, text: str = "The system SHALL do it.") -> str:
    told = "".join(
        f"\n#### Scenario: {s}\n- **WHEN** a\n- **THEN** b\n" for s in scenarios or ("Ok",)
    )
    return f"### Requirement: {name}\n{text}\n{told}"


def main(*requirements: str) -> dict[str, str]:
    head = "# shop\n\n## Purpose\nWhat a shop must do for the people who buy from it.\n\n"
    return {AT: head + "## Requirements\n\n" + "\n".join(requirements)}


def folded(outcome: Folded | Refused) -> dict[str, str | None]:
    assert isinstance(outcome, Folded), outcome
    return dict(outcome.files)


def codes(outcome: Folded | Refused) -> list[str]:
    assert isinstance(outcome, Refused), outcome
    assert all(r.sentence.endswith((".", "?")) for r in outcome.reasons)
    return [r.code for r in outcome.reasons]


def test_added_requirements_are_appended() -> None:
    delta = {DELTA: "## ADDED Requirements\n\n" + requirement("New")}
    after = folded(fold(main(requirement("Old")), delta, "x"))
    assert after == {AT: main(requirement("Old"), requirement("New"))[AT]}


def test_line_endings_are_kept_and_a_byte_order_mark_is_removed() -> None:
    windows = {AT: "\ufeff" + main(requirement("Old"))[AT].replace("\n", "\r\n")}
    delta = {
        DELTA: "\ufeff## REMOVED Requirements\n- `### Requirement: Old`\n\n## ADDED Requirements\n"
        + requirement("New")
    }
    after = folded(fold(windows, delta, "x"))[AT]
    assert after == main(requirement("New"))[AT].replace("\n", "\r\n")


def test_a_new_capability_gets_a_file_of_its_own() -> None:
    delta = {"specs/pay/card/spec.md": "## ADDED Requirements\n" + requirement("Pay")}
    after = folded(fold(main(requirement("Old")), delta, "add-pay"))
    text = after["openspec/specs/pay/card/spec.md"]
    assert text is not None
    assert text.startswith(
        "# pay/card Specification\n\n## Purpose\nTBD - created by archiving change add-pay."
    )


def test_a_nested_openspec_folder_is_found() -> None:
    inside = {"apps/web/" + AT: main(requirement("Old"))[AT]}
    delta = {"specs/new/spec.md": "## ADDED Requirements\n" + requirement("N")}
    assert set(folded(fold(inside, delta, "x"))) == {"apps/web/openspec/specs/new/spec.md"}


def test_a_change_folds_only_its_own_operations_and_the_last_one_the_rest() -> None:
    before = main(requirement("A"), requirement("B"), requirement("C"))
    delta = {
        DELTA: "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: A2`\n\n"
        "## REMOVED Requirements\n### Requirement: B\n\n"
        "## MODIFIED Requirements\n" + requirement("C", text="It SHALL do more.") + "\n"
        "## ADDED Requirements\n" + requirement("D")
    }
    at_once = folded(fold(before, delta, "x"))[AT]
    state = dict(before)
    for owned in ({"D"}, {"A2"}, {"B"}):
        files = folded(fold(state, delta, "x", frozenset(owned)))
        state |= {k: v for k, v in files.items() if v is not None}
    assert "It SHALL do more." not in state[AT]
    state |= {k: v for k, v in folded(fold(state, delta, "x")).items() if v is not None}
    assert state[AT] == at_once
    assert folded(fold(state, delta, "x")) == {}


MIXED = (
    "## ADDED Requirements\n\n"
    + "\n".join(requirement(name) for name in ("N1", "N2", "N3"))
    + "\n## MODIFIED Requirements\n\n"
    + requirement("B", "Ok", "Also")
    + "\n## REMOVED Requirements\n- `### Requirement: C`\n\n"
    + "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: A2`\n"
)
ADDED_ALONE = "## ADDED Requirements\n\n" + "\n".join(requirement(n) for n in ("N1", "N2", "N3"))


@pytest.mark.parametrize(
    ("before", "delta", "owned"),
    [
        (
            main(*(requirement(n) for n in ("A", "B", "C"))),
            MIXED,
            ("N1", "N2", "N3", "B", "C", "A"),
        ),
        (main(requirement("A")), ADDED_ALONE, ("N1", "N2", "N3")),
        ({}, ADDED_ALONE, ("N1", "N2", "N3")),
    ],
    ids=["mixed", "added", "new file"],
)
def test_the_result_does_not_depend_on_the_order_of_landings(
    before: dict[str, str], delta: str, owned: tuple[str, ...]
) -> None:
    @cache
    def landed(text: str | None, name: str) -> str:
        there = {} if text is None else {AT: text}
        return folded(fold(there, {DELTA: delta}, "x", frozenset({name}))).get(AT) or text or ""

    whole = folded(fold(before, {DELTA: delta}, "x"))
    for order in itertools.permutations(owned):
        assert {AT: reduce(landed, order, before.get(AT))} == whole, order


def test_an_addition_is_placed_beside_others_of_its_delta() -> None:
    """On main N3 was moved up, and another change added X after N1."""
    there = main(*(requirement(n) for n in ("N3", "A", "N1", "X")))
    after = folded(fold(there, {DELTA: ADDED_ALONE}, "x", frozenset({"N2"})))
    assert after == main(*(requirement(n) for n in ("N3", "A", "N1", "N2", "X")))


def test_a_stale_operation_of_another_change_does_not_block_this_one() -> None:
    before = main(requirement("A", "One", "Two"), requirement("B"))
    delta = {
        DELTA: "## MODIFIED Requirements\n"
        + requirement("A", "One")
        + "\n"
        + requirement("B", "Ok", "More")
    }
    assert "drops_scenarios" in codes(fold(before, delta, "x"))
    assert AT in folded(fold(before, delta, "x", frozenset({"B"})))


@pytest.mark.parametrize(
    ("delta", "code"),
    [
        ("# nothing\n", "no_delta_section"),
        ("## ADDED Requirements\n", "no_entries"),
        ("## ADDED Requirements\n### Requirement: N\n#### Scenario: s\n- x\n", "no_text"),
        ("## ADDED Requirements\n### Requirement: N\nIt SHALL.\n", "no_scenario"),
        ("## ADDED Requirements\n" + requirement("N") + requirement("N"), "duplicate_in_delta"),
        ("## RENAMED Requirements\n- FROM: `### Requirement: A`\n", "unpaired_rename"),
        ("## MODIFIED Requirements\n" + requirement("Nope"), "modified_missing"),
        ("## ADDED Requirements\n" + requirement("A", text="Other SHALL."), "added_exists"),
        ("## ADDED Requirements\n" + requirement("a"), "near_miss"),
        ("## REMOVED Requirements\n### Requirement: a\n", "near_miss"),
        ("## REMOVED Requirements\n### Requirement: A\n## MODIFIED Requirements\n" + requirement("A"), "conflicting_operations"),
        ("## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: Z`\n## MODIFIED Requirements\n" + requirement("A"), "modifies_old_name"),
        ("## RENAMED Requirements\n- FROM: `### Requirement: Q`\n- TO: `### Requirement: Z`\n", "rename_source_missing"),
        ("## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n", "rename_target_exists"),
    ],
)  # fmt: skip
def test_deltas_that_openspec_refuses_are_refused_with_a_reason(delta: str, code: str) -> None:
    outcome = fold(main(requirement("A"), requirement("B")), {DELTA: delta}, "x")
    assert code in codes(outcome)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("## ADDED Requirements\n\n" + requirement("A"), "delta_in_main"),
        ("## Purpose\nx\n\n" + requirement("A") + "\n## Requirements\n\n" + requirement("B"), "outside_requirements"),
        ("## Purpose\nx\n\n## Requirements\n\n" + requirement("A") + "\n" + requirement("A"), "duplicate_in_main"),
        ("## Requirements\n\n" + requirement("A"), "no_purpose"),
        ("## Purpose\nx\n\n## Requirements\n\n" + requirement("A", text="```\nSHALL\n```"), "no_text_in_main"),
        ("## Purpose\nx\n\n## Requirements\n\n" + requirement("B") + "\n###Requirement: A\n\n#### Scenario: S\n- x\n", "no_text_in_main"),
    ],
)  # fmt: skip
def test_a_main_spec_that_cannot_be_changed_safely_is_left_alone(text: str, code: str) -> None:
    delta = {DELTA: "## ADDED Requirements\n" + requirement("N")}
    outcome = fold({AT: text}, delta, "x")
    assert code in codes(outcome)
    assert isinstance(outcome, Refused)
    assert next(r for r in outcome.reasons if r.code == code).proposal


def test_one_failing_capability_prevents_all_changes() -> None:
    delta = {
        DELTA: "## ADDED Requirements\n" + requirement("N"),
        "specs/other/spec.md": "## MODIFIED Requirements\n" + requirement("X"),
    }
    assert codes(fold(main(requirement("A")), delta, "x")) == ["target_missing"]


def test_dropped_scenarios_come_back_in_the_proposal() -> None:
    delta = {DELTA: "## MODIFIED Requirements\n" + requirement("A", "New")}
    outcome = fold(main(requirement("A", "Old")), delta, "x")
    assert isinstance(outcome, Refused)
    proposal = outcome.reasons[0].proposal
    assert "#### Scenario: New" in proposal
    assert "#### Scenario: Old" in proposal
    repaired = {DELTA: "## MODIFIED Requirements\n" + proposal + "\n"}
    assert isinstance(fold(main(requirement("A", "Old")), repaired, "x"), Folded)


def test_a_misspelt_name_is_proposed() -> None:
    delta = {DELTA: "## MODIFIED Requirements\n" + requirement("Send a recipt")}
    outcome = fold(main(requirement("Send a receipt")), delta, "x")
    assert isinstance(outcome, Refused)
    assert outcome.reasons[0].proposal == "### Requirement: Send a receipt"


def test_a_capability_is_retired_only_on_request_and_without_loss() -> None:
    delta = {DELTA: "## REMOVED Requirements\n### Requirement: A\n"}
    retire = {**delta, ".openspec.yaml": "schema: spec-driven\nretire_capabilities: true\n"}
    assert codes(fold(main(requirement("A")), delta, "x")) == ["no_requirement_left"]
    assert folded(fold(main(requirement("A")), retire, "x")) == {AT: None}
    assert folded(fold({}, retire, "x")) == {}
    noted = main(requirement("A") + "\n## Notes\n\nkeep\n")
    assert codes(fold(noted, retire, "x")) == ["retire_loses_text"]


def test_misplaced_deltas_are_refused() -> None:
    flat = {"specs/shop.md": "## ADDED Requirements\n" + requirement("N")}
    assert codes(fold({}, flat, "x")) == ["misplaced_delta"]


def test_the_archive_folder_carries_its_date_once() -> None:
    assert archived_name("add-x", date(2026, 3, 1)) == "2026-03-01-add-x"
    assert archived_name("2025-12-31-add-x", date(2026, 3, 1)) == "2025-12-31-add-x"


_NAMES = st.sampled_from(["A", "a", "B", "B ", "C#", "D", "E  E", "E E"])
_TEXTS = st.sampled_from(["It SHALL.", "It MUST.", "", "```\n### Requirement: F\n```\nSHALL"])


@st.composite
def _delta(draw: st.DrawFn) -> str:
    parts = []
    for kind in draw(st.permutations(["ADDED", "MODIFIED", "REMOVED"])):
        names = draw(st.lists(_NAMES, max_size=3))
        parts.append(
            f"## {kind} Requirements\n\n"
            + "\n".join(requirement(n, text=draw(_TEXTS)) for n in names)
        )
    if draw(st.booleans()):
        parts.append(
            f"## RENAMED Requirements\n- FROM: `### Requirement: {draw(_NAMES)}`\n- TO: `### Requirement: {draw(_NAMES)}`\n"
        )
    return "\n".join(parts)


def _section(delta: str, operation: str) -> str:
    parts = re.split(r"(?m)^## (\w+) Requirements$", delta)
    return "".join(t for name, t in itertools.pairwise(parts) if name == operation)


# Names that differ only in case are near misses of one another, and refused for that.
@given(st.lists(_NAMES, max_size=4, unique_by=lambda n: " ".join(n.lower().split())), _delta())
@settings(max_examples=examples(150), deadline=None)
def test_folding_twice_equals_folding_once(names: list[str], delta: str) -> None:
    # A delta that removes what it renames to contradicts itself; OpenSpec lets it pass, once.
    targets = set(re.findall(r"- TO: `### Requirement: (.+)`", delta))
    removed = set(re.findall(r"### Requirement: (.+)", _section(delta, "REMOVED")))
    assume(not targets & removed)
    before = main(*(requirement(n) for n in names)) if names else {}
    outcome = fold(before, {DELTA: delta}, "x")
    if isinstance(outcome, Folded):
        after = {**before, **outcome.files}
        present = {k: v for k, v in after.items() if v is not None}
        assert folded(fold(present, {DELTA: delta}, "x")) == {}


@given(st.text(max_size=300), st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_no_text_raises(text: str, delta: str) -> None:
    fold({AT: text}, {DELTA: delta, ".openspec.yaml": text}, "x")
    fold({AT: text}, {DELTA: "## ADDED Requirements\n" + delta}, "x")
