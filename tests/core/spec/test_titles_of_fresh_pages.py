"""Titles of requirements on pages of other people, and words that need no number."""

import pytest

from bot.core.spec.read import read_document


def _titles(text: str, path: str = "docs/requirements.md") -> list[str]:
    return [r.title for r in read_document(path, text.encode()).requirements]


def test_a_bold_name_above_its_sentence_is_the_title() -> None:
    text = (
        "# Requisitos\n\n## Requisitos Funcionais\n\n**RF01 - Cadastro de conta**  \n"
        "O sistema deve criar contas.\n\n---\n\n**RF02 - Entrada**  \nO sistema deve validar a senha.\n"
    )
    assert _titles(text) == ["Cadastro de conta", "Entrada"]


def test_a_name_in_parentheses_is_shown_without_them() -> None:
    text = (
        "# Requirements\n\n**SR-1 (By key)**:\n\n- Read the key\n\n"
        "**SR-2 (Order)**:\nThe key comes first.\n\n**SR-3 (Time)**:\n\n- One hour\n"
    )
    assert _titles(text) == ["By key", "Order", "Time"]


def test_a_tick_is_removed_from_a_title() -> None:
    text = "# Films\n\n## Functional requirements\n\n- ✅ Make a film\n- ✅ List all films\n"
    assert _titles(text) == ["Make a film", "List all films"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The menu MUST offer quick access to files.",
        "The page MUST work in modern browsers with ES6.",
        "The export MUST use appropriate separators (a comma or a tab).",
        "The reader MUST be robust against broken files (it tells the line).",
    ],
)
def test_a_fixed_phrase_or_an_explained_word_is_not_vague(sentence: str) -> None:
    text = f"# Requirements\n\n- **FR-1**: {sentence}\n"
    found = read_document("docs/a.md", text.encode()).findings
    assert "vague" not in {f.code for f in found}


@pytest.mark.parametrize(
    "sentence",
    [
        "The menu MUST be quick.",
        "The look MUST be modern.",
        "The reader MUST be robust. (It reads.)",
    ],
)
def test_the_same_words_without_explanation_are_vague(sentence: str) -> None:
    text = f"# Requirements\n\n- **FR-1**: {sentence}\n"
    found = read_document("docs/a.md", text.encode()).findings
    assert "vague" in {f.code for f in found}


def test_the_word_scope_in_an_acceptance_column_raises_no_question() -> None:
    text = (
        "# Functional requirements\n\n| ID | Requirement | Acceptance |\n|---|---|---|\n"
        "| FR-GC-1 | The sweep MUST mark what is kept. | Objects that come later are out of scope. |\n"
        "| FR-GC-2 | The sweep MUST delete the rest. | Nothing else is there. |\n"
    )
    found = {f.code for f in read_document("docs/a.md", text.encode()).findings}
    assert not found & {"out_of_scope", "out_of_scope_conflict"}


def test_a_struck_out_disabled_requirement_is_not_planned() -> None:
    text = (
        "# Requirements\n\n- **FR1:** The page shows a list.\n"
        "- **FR2:** ~~The page prints it.~~ **DISABLED:** nobody prints.\n- **FR3:** The page sorts ~~twice~~ once.\n"
    )
    document = read_document("docs/requirements.md", text.encode())
    assert [r.source_id for r in document.requirements] == ["FR1", "FR3"]
    assert "withdrawn" in {f.code for f in document.findings}


def test_a_definition_of_done_column_has_the_criteria() -> None:
    text = (
        "# Shop\n\n## Requirements\n\n| Feature | Description | Definition of done |\n|---|---|---|\n"
        "| Basket | Keeps what is chosen | It is there after a day |\n| Receipt | Goes by mail | The mail has the sum |\n"
    )
    told = [len(r.scenarios) for r in read_document("docs/shop.md", text.encode()).requirements]
    assert told == [1, 1]
