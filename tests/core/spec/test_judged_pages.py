"""Pages that a blind reader counted: constraints, and lines that are not requirements."""

from pathlib import Path

import pytest

from bot.core.spec.formats.prose_words import FUNCTIONS
from bot.core.spec.read import read_document
from bot.core.spec.triage.words import (
    HeadingKind,
    heading_kind,
    is_future,
    says_only_requirements,
)

SHAPES = Path(__file__).with_name("shapes")


def _shape(name: str) -> tuple[str, str]:
    head, _, text = (SHAPES / f"{name}.txt").read_text(encoding="utf-8").partition("\n")
    return head.removeprefix("@ "), text.replace(" «R»", "").replace(" «S»", "")


def test_qualities_bind_with_any_letters_and_with_a_word_that_looks_like_an_id() -> None:
    path, text = _shape("qualitaeten-mit-eigenen-kuerzeln")
    found = read_document(path, text.encode()).constraints
    assert [(c.source_id, c.text.partition(":")[0]) for c in found] == [
        ("LQB10", "Jede Seite *muss* auf einem Telefon lesbar sein."),
        ("LQB20", "Die Texte *sollen* kurz sein."),
        (None, "**E2E-Verschlüsselung"),
    ]


@pytest.mark.parametrize(
    ("letters", "count"), [("N", 1), ("P", 1), ("XYZ", 1), ("RISK", 0), ("TEST", 0), ("Q", 0)]
)
def test_every_line_except_tasks_is_a_constraint_in_a_qualities_chapter(
    letters: str, count: int
) -> None:
    text = (
        "# A\n\n## Functional requirements\n\n- FR-1: The till MUST open.\n\n"
        f"## Non-functional requirements\n\n- {letters}-1: Somebody looks after the till.\n"
    )
    assert len(read_document("docs/a.md", text.encode()).constraints) == count


@pytest.mark.parametrize(
    ("column", "priorities"),
    [
        ("Prioridad", ["P0", "P0", "P1"]),
        ("Priorité", ["P0", "P0", "P1"]),
        ("Приоритет", ["P0", "P0", "P1"]),
        ("優先度", ["P0", "P0", "P1"]),
        ("우선순위", ["P0", "P0", "P1"]),
        ("Öncelik", ["P0", "P0", "P1"]),
        ("重要度", ["P0", "P0", "P1"]),
        ("Phase", ["P1", "P1", "P2"]),
        ("Release", ["R1", "R1", "R2"]),
        ("Status", ["S1", "S1", "S2"]),
    ],
)
def test_priorities_and_times_in_a_row_are_not_ids(column: str, priorities: list[str]) -> None:
    rows = "".join(
        f"| {priority} | Function {n} | It opens door {n} |\n"
        for n, priority in enumerate(priorities, 1)
    )
    text = f"# A\n\n## Functional requirements\n\n| {column} | Function | Description |\n|-|-|-|\n{rows}"
    document = read_document("docs/a.md", text.encode())
    assert [r.title for r in document.requirements] == ["Function 1", "Function 2", "Function 3"]
    assert not [r.source_id for r in document.requirements if r.source_id]
    assert not [f for f in document.findings if f.code == "duplicate_id"]


def test_a_priority_before_the_name_is_read() -> None:
    path, text = _shape("xuqiu-de-youxianji")
    found = read_document(path, text.encode()).requirements
    assert [r.priority for r in found] == ["P0", "P0", "P1"]


def test_a_column_of_priorities_holds_no_ids() -> None:
    rows = "".join(f"| R{n} | Work {n} of the till |\n" for n in (1, 2, 3))
    text = f"# A\n\n## Functional requirements\n\n| Priority | Function |\n|---|---|\n{rows}"
    found = read_document("docs/a.md", text.encode()).requirements
    assert [(r.source_id, r.title) for r in found] == [
        (None, f"Work {n} of the till") for n in (1, 2, 3)
    ]


def test_a_requirements_label_among_others_is_not_a_chapter() -> None:
    text = (
        "# A\n\n## 1. Words\n\n- **Requirements**:\n  - A browser\n- **Requirements**: none\n\n"
        "## 2. Functional requirements\n\n- The till opens.\n- The till closes.\n"
    )
    found = read_document("docs/a.md", text.encode()).requirements
    assert [r.title for r in found] == ["The till opens", "The till closes"]


@pytest.mark.parametrize(
    ("functional", "other"),
    [
        ("Fonksiyonel Gereksinimler", "Fonksiyonel Olmayan Gereksinimler"),
        ("İşlevsel Gereksinimler", "İşlevsel Olmayan Gereksinimler"),
        ("Funktionella krav", "Icke-funktionella krav"),
        ("Funktionelle krav", "Ikke-funktionelle krav"),
        ("Funksjonelle krav", "Ikke-funksjonelle krav"),
        ("Funkční požadavky", "Nefunkční požadavky"),
        ("Функціональні вимоги", "Нефункціональні вимоги"),
        ("Функционални изисквания", "Нефункционални изисквания"),
        ("Cerințe funcționale", "Cerințe nefuncționale"),
        ("Funkcionalni zahtjevi", "Nefunkcionalni zahtjevi"),
        ("Yêu cầu chức năng", "Yêu cầu phi chức năng"),
        ("Kebutuhan Fungsional", "Kebutuhan Non-Fungsional"),
        ("Λειτουργικές απαιτήσεις", "Μη λειτουργικές απαιτήσεις"),
        ("Functionele eisen", "Niet-functionele eisen"),
        ("Funkcionális követelmények", "Nem funkcionális követelmények"),
        ("Requisiti funzionali", "Requisiti non funzionali"),
        ("Wymagania funkcjonalne", "Wymagania pozafunkcjonalne"),
    ],
)
def test_functional_and_other_requirements_are_known_in_many_languages(
    functional: str, other: str
) -> None:
    assert heading_kind(functional) is HeadingKind.REQUIREMENTS
    assert says_only_requirements(functional)
    assert FUNCTIONS.search(functional)
    assert heading_kind(other) is HeadingKind.NONFUNCTIONAL


@pytest.mark.parametrize("heading", ["Gelecekte eklenecekler", "3. Framtida funktioner"])
def test_headings_of_future_work_are_known_in_more_languages(heading: str) -> None:
    assert is_future(heading)


def test_a_chapter_of_gaps_has_no_requirements() -> None:
    text = (
        "# A\n\n## Functional requirements\n\n- The till opens.\n- The till closes.\n\n"
        "## Requirements gap analysis\n\n- The till closes.\n"
    )
    found = read_document("docs/a.md", text.encode()).requirements
    assert [r.line_start for r in found] == [5, 6]


def test_two_checkboxes_of_a_folder_are_not_requirements() -> None:
    text = b"# Harbour\n\n## Now\n\n- [ ] A panel\n- [ ] A list\n"
    assert not read_document(".kiro/specs/harbour/requirements.md", text).requirements


def test_a_few_formulas_do_not_exclude_the_rules_around_them() -> None:
    text = (
        "# A\n\n## Functional requirements\n\n- The till opens.\n- The till closes.\n\n## Business rules\n\n"
        "- `sum = price * count`.\n- `tax = sum * rate`.\n"
        "- A child pays half.\n- A dog pays nothing.\n- A guide pays nothing.\n"
    )
    found = read_document("docs/a.md", text.encode()).requirements
    assert [r.line_start for r in found] == [5, 6, 10, 11, 12, 13, 14]


@pytest.mark.parametrize(
    "heading", ["Security & Access", "6. Sécurité et accès", "Security and Privacy"]
)
def test_a_chapter_of_security_and_access_binds_every_change(heading: str) -> None:
    text = (
        f"# A\n\n## Functional requirements\n\n- The till opens.\n\n## {heading}\n\n- HTTPS only.\n"
    )
    document = read_document("docs/a.md", text.encode())
    assert [c.line for c in document.constraints] == [9]


def test_unread_tables_of_a_page_are_reported_once() -> None:
    part = (
        "## {}\n\n| Key | What it does |\n|---|---|\n| up | moves up |\n| down | moves down |\n\n"
    )
    parts = ("Keys", "Bombs", "Clocks", "Walls", "Architecture")
    text = "# Falling blocks: requirements\n\n" + "".join(part.format(name) for name in parts)
    findings = read_document("docs/game.md", text.encode()).findings
    assert [(f.line, f.question) for f in findings if f.code == "maybe_requirement"] == [
        (
            7,
            "8 rows of tables below 'Keys', 'Bombs', 'Clocks' and 1 more may be requirements. "
            "A first column 'ID' ('REQ-1') would make each of them certain.",
        )
    ]


@pytest.mark.parametrize(
    ("title", "rows"), [("Requirements of A", 1), ("Where components went", 9)]
)
def test_small_tables_and_tables_of_other_pages_are_not_reported(title: str, rows: int) -> None:
    lines = "| up | moves up |\n" * rows
    text = f"# {title}\n\n## Keys\n\n| Key | What |\n|---|---|\n{lines}".encode()
    assert "maybe_requirement" not in {f.code for f in read_document("docs/a.md", text).findings}
