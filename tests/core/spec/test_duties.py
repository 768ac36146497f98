"""Duty sentences are requirements if a page mostly consists of them, and otherwise not."""

import pytest

from bot.core.spec.read import read_document

DUTIES = "## Valves\n\nEl sistema debe abrir la válvula.\n\nEl sistema debe cerrar la válvula.\n\n"
MORE = "## Avisos\n\nEl sistema deberá avisar.\n\nEl usuario podrá callar el aviso.\n\n"


def _lines(text: str) -> list[int]:
    document = read_document("docs/riego.md", f"# Riego\n\n{text}".encode())
    return [r.line_start for r in document.requirements]


def test_optional_sentences_are_read_beside_duties() -> None:
    assert _lines(DUTIES + MORE) == [5, 7, 11, 13]


def test_two_sentences_alone_are_not_duties() -> None:
    assert _lines(DUTIES) == []


def test_duties_are_not_read_if_most_chapters_have_none() -> None:
    told = "".join(f"## Zona {n}\n\nHay flores.\n\n" for n in range(3))
    assert _lines(DUTIES + MORE + told) == []


def test_a_chapter_with_few_duties_is_left_out() -> None:
    few = "## Historia\n\nNació en mayo.\n\nCreció en junio.\n\nEl jardín debe florecer.\n"
    assert _lines(DUTIES + MORE + few) == [5, 7, 11, 13]


@pytest.mark.parametrize(
    "heading",
    [
        "Objetivos",
        "Problemas",
        "Testing",
        "Technical requirements",
        "Rendimiento",
        "Flujo de datos",
        "Mejoras futuras",
        "Open questions",
        "Fuera de alcance",
    ],
)
def test_chapters_without_requirements_are_skipped(heading: str) -> None:
    aside = f"## {heading}\n\nEl jardín debe florecer.\n\nEl jardín debe oler.\n"
    assert _lines(DUTIES + MORE + aside) == [5, 7, 11, 13]


def test_a_modal_verb_late_in_a_sentence_is_not_a_duty() -> None:
    late = "Y después de muchos años, cuando la gente ya no se acordaba de nada de lo que pasó allí, alguien debe volver."
    assert _lines(f"{DUTIES}## Avisos\n\n{late}\n\n{late}\n\n{late}\n") == []


def test_a_duty_stated_as_out_of_scope_is_skipped() -> None:
    sky = "## Cielo\n\nEl cielo debe verse.\n\nLa luna debe verse.\n\nEl sol debe verse.\n\n"
    out = sky + "La lluvia debe quedar fuera del alcance.\n"
    assert _lines(DUTIES + MORE + out) == [5, 7, 11, 13, 17, 19, 21]


def test_introductory_lines_and_nested_items_are_not_duties() -> None:
    items = "## Panel\n\nEl panel es así:\n\n- Debe mostrar el agua\n  - Debe ser azul\n- Debe mostrar el sol\n"
    assert _lines(DUTIES + MORE + items) == [5, 7, 11, 13, 19, 21]
