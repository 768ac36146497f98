"""The meaning of columns in a table of requirements with ids."""

import pytest

from bot.core.spec.read import read_document


def _rows(table: str, heading: str = "Requirements") -> list[tuple[str, str, list[str]]]:
    text = f"# Ferry\n\n## {heading}\n\n{table}"
    document = read_document("docs/prd.md", text.encode())
    return [(r.title, r.statement, [s.text for s in r.scenarios]) for r in document.requirements]


@pytest.mark.parametrize(
    ("heading", "header"),
    [
        ("Requirements", "ID | Feature | Description"),
        ("Périmètre fonctionnel", "ID | Fonctionnalité | Description"),
        ("기능 요구사항", "ID | 요구사항 | 설명"),
        ("功能需求", "编号 | 功能 | 描述"),
        ("Funktionale Anforderungen", "ID | Anforderung | Beschreibung"),
        ("Requisitos funcionales", "ID | Funcionalidad | Descripción"),
    ],
)
def test_a_short_column_before_a_description_is_the_name(heading: str, header: str) -> None:
    table = f"| {header} |\n|---|---|---|\n| F1 | Tickets | Sold for one crossing, by card. |\n"
    assert _rows(table, heading) == [("Tickets", "Sold for one crossing, by card.", [])]


def test_a_column_of_acceptance_is_the_criterion_of_its_row() -> None:
    table = "| ID | Requirement | Acceptance signal |\n|---|---|---|\n| R1 | Sell tickets | The hour is printed |\n"
    assert _rows(table) == [("Sell tickets", "Sell tickets", ["The hour is printed"])]


def test_a_table_of_only_criteria_uses_them_as_requirements() -> None:
    table = "| ID | Acceptance criteria |\n|---|---|\n| FR-1 | The hour is printed |\n"
    assert _rows(table) == [("The hour is printed", "The hour is printed", [])]


def test_a_status_column_marks_done_requirements() -> None:
    table = (
        "| ID | 요구사항 | 우선순위 | 구현 상태 |\n|---|---|---|---|\n"
        "| AUTH-01 | 이메일 가입 | 필수 | ✅ 완료 |\n| AUTH-02 | 비밀번호 찾기 | 필수 | 미완료 |\n"
    )
    text = f"# 요구사항 정의서\n\n## 기능 요구사항\n\n{table}"
    document = read_document("docs/요구사항정의서.md", text.encode())
    assert [(r.source_id, r.is_done) for r in document.requirements] == [
        ("AUTH-01", True),
        ("AUTH-02", False),
    ]


def test_a_heading_that_says_more_than_features_names_its_group() -> None:
    text = (
        "# 地図 要件定義書\n\n## 3. 機能要件\n\n### 3.1 ログ機能\n\n| ID | 要件 |\n|---|---|\n"
        "| F-01 | 記録を残す |\n\n## 4. 機能一覧\n\n| ID | 要件 |\n|---|---|\n| F-02 | 地図を見せる |\n"
    )
    document = read_document("docs/要件定義書.md", text.encode())
    assert [r.domain for r in document.requirements] == ["3.1 ログ機能", ""]


def test_a_model_name_in_the_second_column_is_not_an_id() -> None:
    assert not _rows(
        "| Layer | Device |\n|---|---|\n| Board | ESP32-C3 |\n| Radio | SX-1276 |\n", "Parts"
    )
    (row,) = _rows("| Nr. | ID | Requirement |\n|---|---|---|\n| 1 | BS-101 | It counts |\n")
    assert row[0] == "It counts"
