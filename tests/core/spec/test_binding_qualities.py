"""Chapters of qualities bind every change, in each form that has requirements of its own."""

import pytest

from bot.core.spec.read import read_document
from bot.core.values.spec_model import SpecDocument

QUALITIES = """
## Non-functional requirements

- The till must answer within 2 seconds.
- **Keyboard**:
  - All of it can be reached by Tab
  - Nothing is caught
- **Future**: other languages
"""
FORMS = {
    "spec-kit": (
        "specs/001-till/spec.md",
        "# Feature Specification: Till\n\n## Requirements\n\n- **FR-001**: The till MUST sum up.\n",
    ),
    "req-id": (
        "docs/till.md",
        "# Spec: A till\n\n## Requirements\n\n### REQ-TILL-01: Sum up\nThe till SHALL sum up.\n",
    ),
}


def read(form: str) -> SpecDocument:
    path, asked = FORMS[form]
    return read_document(path, f"{asked}{QUALITIES}".encode())


@pytest.mark.parametrize("form", FORMS)
def test_qualities_without_ids_bind_beside_requirements_with_ids(form: str) -> None:
    document = read(form)
    assert (document.format, len(document.requirements)) == (form, 1)
    assert [one.text for one in document.constraints] == [
        "The till must answer within 2 seconds.",
        "**Keyboard**: All of it can be reached by Tab; Nothing is caught",
    ]


NAMED = "### NonFunctional Requirements\n\n" + "".join(
    f"- **NFR{n}**: The till must answer within {n} seconds.\n" for n in range(1, 7)
)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (NAMED, "6 lines (NFR1, NFR2, NFR3, NFR4, …) hold for every change of this spec, and no change is made of them alone."),
        (NAMED.split("- **NFR2")[0], "This line (NFR1) holds for every change of this spec, and no change is made of it alone."),
        ("", None),
    ],
)  # fmt: skip
def test_what_binds_every_change_is_told(more: str, said: str | None) -> None:
    asked = "# PRD\n\n## Functional requirements\n\n- **FR1**: The till must sum up.\n- **FR2**: It must print.\n\n"
    document = read_document("docs/prd.md", f"{asked}{more}".encode())
    found = [f.question for f in document.findings if f.code == "binds_all"]
    assert found == ([said] if said else [])
