"""A label above ids of its own is a group; a label with its own text is a requirement."""

from bot.core.spec.read import read_document


def _ids(*lines: str) -> list[str | None]:
    text = "# Requirements\n\n" + "\n".join(lines) + "\n"
    return [r.source_id for r in read_document("docs/x.md", text.encode()).requirements]


def test_a_short_name_is_a_group() -> None:
    assert _ids("- **R1** Accounts", "  - R1.1 Add a user", "  - R1.2 Drop a user") == [
        "R1.1",
        "R1.2",
    ]


def test_a_line_that_introduces_its_parts_is_a_group() -> None:
    lead = "- **R1** What a guest does before his day begins:"
    assert _ids(lead, "  - R1.1 Add a user", "  - R1.2 Drop a user") == ["R1.1", "R1.2"]


def test_a_sentence_or_a_must_is_not_a_group() -> None:
    parts = ("  - R1.1 Add a user", "  - R1.2 Drop a user")
    assert _ids("- **R1** Print a page.", *parts) == ["R1", "R1.1", "R1.2"]
    assert _ids("- **R1** It must print", *parts) == ["R1", "R1.1", "R1.2"]


def test_a_name_without_parts_is_not_a_group() -> None:
    assert _ids("- **R1** Accounts", "- **R2** Pages") == ["R1", "R2"]


def test_unknown_id_letters_are_requirements_only_in_their_chapter() -> None:
    known = (
        "## Features",
        "### F1 - Beds",
        "- Each has a number",
        "### F2 - Water",
        "- Each night",
    )
    extra = ("### E1 - Map", "- Of all beds")
    assert _ids(*known, *extra) == ["F1", "F2", "E1"]
    assert _ids(*known, "## Notes", *extra) == ["F1", "F2"]
    assert _ids("## Features", *extra) != ["E1"]
