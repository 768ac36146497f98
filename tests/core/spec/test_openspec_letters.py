"""Details of OpenSpec's reader: blanks, markers, and what prevents the deletion of a spec."""

import pytest

from bot.core.spec.archive.delta import Folded, Refused, fold
from bot.core.spec.archive.delta_text import (
    folded,
    purpose_of,
    read_delta,
    read_main,
    requirement_name,
)
from bot.core.spec.archive.retirement import unaccounted
from bot.core.spec.markers import Marker, read_markers

STEPS = "\n\n#### Scenario: Ok\n- **WHEN** a\n- **THEN** b\n"
AT = "openspec/specs/till/spec.md"
HEAD = "# till\n\n## Purpose\nWhat the till does.\n\n## Requirements\n\n"
SUM = f"### Requirement: Sum\nIt SHALL add.{STEPS}"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("### Requirement:\ufeffA", "A"),
        ("### Requirement: A\x1c", "A\x1c"),
        ("### Requirement: A\u2028B", None),
        ("### Requirement: ", ""),
        ("### Requirement:", None),
        ("### ReQuIrEmEnT: A", "A"),
        ("### Require\u017fment: A", None),
        ("### Requirement: A ##\t", "A"),
    ],
)
def test_a_header_is_read_with_the_blanks_that_openspec_knows(line: str, name: str | None) -> None:
    assert requirement_name(line) == name


def test_names_that_differ_in_blanks_are_near() -> None:
    assert folded(" A\u3000 B ") == folded("a b")
    assert folded("A\x1cB") != folded("a b")


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("## purpose\nFor all.\n## ADDED Requirements\n", "For all."),
        ("<!--\n## Purpose\nOld.\n-->\n## Purpose\nNew.\n", "New."),
        ("## Purpose\n<!-- fill me -->\n", ""),
        ("## Purpose\n```\ncode\n```\n", ""),
        ("## Purpose\nA <!-- b\n## Not here\n--!> c\n", "A <!-- b\n## Not here\n--!> c"),
        ("<!-- never closed\n## Purpose\nHidden.\n", ""),
        ("\ufeff## Purpose\nHidden by the mark.\n", ""),
    ],
)
def test_the_purpose_of_a_delta_is_read_beside_its_comments(text: str, purpose: str) -> None:
    assert purpose_of(text) == purpose


def test_a_bare_heading_ends_a_requirement_of_a_delta() -> None:
    delta = read_delta("", "", f"## ADDED Requirements\n{SUM}## \nBeside.\n### Requirement: B\nx\n")
    assert [(b.name, b.line) for b in delta.added] == [("Sum", 2), ("B", 10)]
    assert "Beside" not in delta.added[0].text


@pytest.mark.parametrize(
    ("text", "skips"),
    [
        ("schema: spec-driven\nskip_specs: true\n", Marker.DECLARED),
        ("schema: spec-driven\nskip_specs: true\ncreated: 2026-13-45\n", Marker.DECLARED),
        ("schema: spec-driven\nskip_specs: false\n", Marker.ABSENT),
        ("skip_specs: true\n", Marker.UNREADABLE),
        ("schema: elsewhere\nskip_specs: true\n", Marker.UNREADABLE),
        ("schema: spec-driven\nskip_specs: yes\n", Marker.UNREADABLE),
        ("schema: spec-driven\nskip_specs: true\ncreated: today\n", Marker.UNREADABLE),
        ("schema: spec-driven\nskip_specs: true\ninitiative: {store: a}\n", Marker.UNREADABLE),
        ("schema: [\nskip_specs: true\n", Marker.UNREADABLE),
        ("schema: [\n", Marker.ABSENT),
        ("- skip_specs\n", Marker.ABSENT),
        ("[" * 5_000, Marker.ABSENT),
        ("", Marker.ABSENT),
    ],
)
def test_a_marker_counts_only_in_complete_metadata(text: str, skips: Marker) -> None:
    assert read_markers(text).skip_specs is skips


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        (HEAD + SUM, []),
        ("Preface.\n" + HEAD + SUM, ["Preface."]),
        (HEAD.replace("## Req", "# Second\n\n## Req") + SUM, ["# Second"]),
        (HEAD.replace("does.", "does.\nNote\n----"), ["Note"]),
        (HEAD.replace("does.", "does.\n<h2>Note</h2>"), ["<h2>Note</h2>"]),
        (HEAD + "A word first.\n\n" + SUM, ["A word first."]),
        (HEAD + SUM + "\nA word last.\n", ["A word last."]),
        (HEAD + SUM + "  goes on\n\tand on\n", []),
        (HEAD + SUM + "goes on lazily\n", []),
        (HEAD + SUM + "> said\n", ["> said"]),
        (HEAD + SUM + "\n- a bullet of its own\n", ["- a bullet of its own"]),
        (HEAD + SUM + "```\ncode\n```\n", []),
        (HEAD + SUM + "\n### Notes\nKeep.\n", ["### Notes", "Keep."]),
        (HEAD + "### Requirement: Sum\n| a |\n|---|\n" + STEPS, ["| a |", "|---|"]),
        (HEAD + "### Requirement: Sum\n- It SHALL add.\n- And more.\n" + STEPS, []),
        (HEAD + SUM + "- step\n  ===\n", ["- step"]),
        (HEAD + SUM + "\n## Notes\nKeep.\n", ["## Notes", "Keep."]),
    ],
)
def test_every_line_is_accounted_for_before_a_spec_is_deleted(text: str, lost: list[str]) -> None:
    assert unaccounted(read_main(text)) == lost


def test_a_second_list_of_requirements_is_outside() -> None:
    main = {AT: HEAD + SUM + "\n## Requirements\n\n" + SUM.replace("Sum", "Other")}
    delta = {"specs/till/spec.md": "## ADDED Requirements\n" + SUM.replace("Sum", "New")}
    outcome = fold(main, delta, "x")
    assert isinstance(outcome, Refused)
    assert [r.code for r in outcome.reasons] == ["outside_requirements"]


def test_a_note_without_a_delta_section_may_lie_beside_the_deltas() -> None:
    delta = {
        "specs/till/spec.md": "## ADDED Requirements\n" + SUM.replace("Sum", "New"),
        "specs/till/notes.md": "### Requirement: Sum\nIs what we talk about.\n",
        "specs/.draft/spec.md": "## ADDED Requirements\n",
    }
    assert isinstance(fold({AT: HEAD + SUM}, delta, "x"), Folded)


def test_a_heading_without_text_among_requirements_is_allowed() -> None:
    main = {AT: HEAD + "### Group\n#### All\n- fine\n\n" + SUM}
    delta = {"specs/till/spec.md": "## ADDED Requirements\n" + SUM.replace("Sum", "New")}
    assert isinstance(fold(main, delta, "x"), Folded)


def test_modifying_a_requirement_under_its_old_name_is_refused() -> None:
    main = {AT: HEAD + SUM + "\n" + SUM.replace("Sum", "Other")}
    delta = {
        "specs/till/spec.md": "## RENAMED Requirements\n"
        "- FROM: `### Requirement: Other`\n- TO: `### Requirement: Third`\n"
        "- FROM: `### Requirement: Sum`\n- TO: `### Requirement: Other`\n"
        "## MODIFIED Requirements\n" + SUM.replace("Sum", "Other")
    }
    outcome = fold(main, delta, "x")
    assert isinstance(outcome, Refused)
    assert [r.code for r in outcome.reasons] == ["modifies_old_name"]
