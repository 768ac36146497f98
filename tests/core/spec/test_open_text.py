"""Open values that block, and texts that only look like them."""

import pytest

from bot.core.spec.read import read_document
from bot.core.spec.triage.open_text import markers
from bot.core.values.spec_model import Finding, Severity

OPEN = {"marker", "template"}


def told(*statements: str, head: str = "# Till\n", tail: str = "") -> list[Finding]:
    items = "".join(f"- **FR-{n:03}**: {said}\n" for n, said in enumerate(statements, 1))
    text = f"{head}\n## Requirements\n\n{items}\n{tail}"
    return [f for f in read_document("spec.md", text.encode()).findings if f.code in OPEN]


@pytest.mark.parametrize(
    "statement",
    [
        "The till MUST close at [NEEDS CLARIFICATION: which hour?].",
        "The till MUST sign guests in [NEEDS CLARIFICATION]",
        "The till MUST close within TBD seconds.",
        "Limit of a basket: TBD",
        "The till MUST be closed at ???",
        "The till MUST close. TODO: at which hour?",
        "The till MUST close at [TODO].",
        "TBD",
        "La caisse DOIT fermer après un délai à définir.",
        "La caja DEBE cerrar; hora por definir.",
        "O caixa DEVE fechar: prazo a definir",
        "Die Kasse MUSS schließen, die Frist ist noch zu klären.",
        "Kasa MUSI zamknąć się po czasie do ustalenia.",
        "Касса ДОЛЖНА закрываться, время уточняется.",
        "收银台必须关闭，时间待定。",
        "レジは閉じなければならない。時刻は未定。",
        "계산대는 닫혀야 한다. 시각은 미정",
        "System MUST [specific capability, e.g., sign in]",
    ],
)
def test_an_open_value_blocks(statement: str) -> None:
    (finding,) = told(statement)
    assert (finding.severity, finding.line) == (Severity.BLOCK, 5)


@pytest.mark.parametrize(
    "statement",
    [
        # The word in code or quotes.
        "The linter MUST refuse `[NEEDS CLARIFICATION: …]` in a spec.",
        "The page MUST show “TBD” until a date is set.",
        "Die Seite MUSS „TBD“ zeigen, solange kein Termin steht.",
        "A page『未定』を表示しなければならない。",
        # Spoken of.
        "The linter MUST count TODO, FIXME and TBD markers.",
        "The spec MUST have no [NEEDS CLARIFICATION: …] markers left.",
        "A plan MUST start only when no [NEEDS CLARIFICATION] remains.",
        "The page MUST show TBD until the date is set.",
        "A TBD badge MUST be shown beside the fixture.",
        "The linter MUST count each marker [NEEDS CLARIFICATION: which hour?] that it meets.",
        "Grep for TBD/TODO/??? MUST find nothing.",
        # The status of a state machine.
        "An order MUST go TODO → DOING → DONE.",
        "A task's status MUST be one of TODO, DOING, DONE.",
        "A new fixture has the status TBD.",
        "新订单的状态必须为待确认。",
        "订单状态必须从待定变为已确认。",
        "注文の状態は未定、確定、取消のいずれかでなければならない。",
        "주문 상태는 미정, 확정, 취소 중 하나여야 한다.",
        # Number formats, globs, and questions in speech.
        "A phone number MUST have the form XXX-XXX-XXXX.",
        "An invoice number MUST look like INV-XXX.",
        "The form MUST accept ???-???? as a pattern.",
        # A placeholder that the feature writes.
        "The file MUST begin with <your-api-key> for the owner to replace.",
        "The report is named report-[DATE].csv and MUST be kept.",
        "The mail MUST begin with [Title] [Name].",
        "[DEPRECATED] The till MUST still open old files.",
        # Undefined values.
        "未定义的字段必须被忽略。",
        "未定義の値は無視しなければならない。",
        "미정의 값은 무시해야 한다. 미정산 금액을 표시해야 한다.",
        # The verb.
        "O usuário DEVE voltar a definir a senha.",
        "El sistema DEBE listar las opciones por definir por el usuario.",
        # Settled.
        "The till MUST sign in by SSO ~~[NEEDS CLARIFICATION: SSO or password?]~~.",
        "The till MUST sign in [NEEDS CLARIFICATION: how?] → by SSO.",
        "The till MUST sign in by SSO [NEEDS CLARIFICATION: resolved, see the session].",
    ],
)
def test_the_products_own_words_do_not_block(statement: str) -> None:
    assert told(statement) == []


def test_a_word_that_may_be_a_state_is_a_question_and_does_not_block() -> None:
    (finding,) = told("Exports MUST offer PDF, CSV, TBD.")
    assert finding.severity is Severity.ASK


@pytest.mark.parametrize(
    ("title", "answered", "open_"),
    [
        ("Clarifications", "- Q: Which hour, TBD? → A: 18:00", "- Q: Which hour? → A: TBD"),
        ("澄清", "- 问：时间待定？\n  - 答：18 点", "- 问：时间待定。"),
        ("Aclaraciones", "- P: la hora, TBD?\n  Respuesta: 18:00", "- P: la hora, TBD"),
        ("Klärungen", "**Q**: TBD?\n**Antwort**: 18 Uhr", "**Q**: um TBD?"),
    ],
)
def test_an_answered_question_in_the_text_is_not_asked(
    title: str, answered: str, open_: str
) -> None:
    kept = "The till MUST close at 18:00."
    assert told(kept, tail=f"## {title}\n\n{answered}\n") == []
    (finding,) = told(kept, tail=f"## {title}\n\n{open_}\n")
    assert finding.severity is Severity.ASK


def test_a_repeated_finding_is_reported_once_with_its_first_lines() -> None:
    tail = "## Measures\n\n| what | value |\n|---|---|\n" + "".join(
        f"| speed {n} | TBD |\n" for n in range(8)
    )
    (finding,) = told("The till MUST close at 18:00.", tail=tail)
    assert (finding.line, finding.lines) == (11, tuple(range(11, 19)))


def test_blocks_are_never_joined() -> None:
    assert [f.lines for f in told("Limit: TBD", "Frist: TBD", "Delay: TBD")] == [(), (), ()]


def _asked(text: str) -> list[Finding]:
    found = read_document("spec.md", text.encode()).findings
    return [f for f in found if f.severity in (Severity.ASK, Severity.BLOCK)]


def test_at_most_ten_questions_are_asked_and_the_rest_is_counted() -> None:
    items = "".join(f"- **REQ-A-{n}**: as REQ-A-{n + 700} says\n" for n in range(1, 31))
    text = f"# Till\n\n## Requirements\n\n{items}- **REQ-A-40**: closes at TBD\n"
    assert len(_asked(text)) == 10
    rest = [
        f for f in read_document("spec.md", text.encode()).findings if f.code == "more_questions"
    ]
    assert [f.severity for f in rest] == [Severity.INFO]
    assert "21 more questions" in rest[0].question
    assert "dangling_ref (21)" in rest[0].question


def test_the_most_expensive_questions_are_asked_first() -> None:
    scenarios = "".join(
        f"### Requirement: R{n}\nIt SHALL {n}.\n\n#### Scenario: S{n}\n- **WHEN** a{n}\n- **THEN** b\n\n"
        for n in range(3)
    )
    notes = "".join(f"- The hour of shop {n} [NEEDS CLARIFICATION: hour {n}?]\n" for n in range(12))
    text = f"## Purpose\nx\n\n{notes}\n\n## Requirements\n\n{scenarios}### Requirement: R9\nA till must print the long receipt.\n\n"
    text += "#### Scenario: S\n- **WHEN** a\n- **THEN** b\n\n### Requirement: R8\nA till must not print the long receipt.\n\n"
    text += "#### Scenario: S\n- **WHEN** a\n- **THEN** b\n"
    found = read_document("openspec/specs/till/spec.md", text.encode()).findings
    asked = [f for f in found if f.severity is Severity.ASK]
    assert len(asked) == 10
    assert "contradiction" in {f.code for f in asked}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("An access token must expire after 15 minutes.", "A refresh token must expire after 7 days."),
        ("A password must have at least 8 characters.", "A password must have at most 64 characters."),
        ("A guest session must expire after 30 minutes.", "If known, a guest session must expire after 8 hours."),
        ("Guests must not edit orders of other tables.", "Waiters must edit orders of other tables."),
        ("Der Token muss nach 15 Tagen ablaufen.", "Der Schlüssel muss nach 30 Tagen ablaufen."),
        ("La sesión de invitado debe durar 15 minutos.", "La sesión de cajero debe durar 8 horas."),
    ],
)  # fmt: skip
def test_two_subjects_or_two_limits_do_not_contradict(first: str, second: str) -> None:
    text = f"# Till\n\n## Requirements\n\n- {first}\n- {second}\n"
    for one in (text, text.replace(first, "#").replace(second, first).replace("#", second, 1)):
        codes = {f.code for f in read_document("spec.md", one.encode()).findings}
        assert "contradiction" not in codes


@pytest.mark.parametrize(
    "pointer",
    ["Where it lives: CRM (TBD)", "Где живёт: CRM (TBD)", "Siehe: Handbuch (TBD)", "See also: docs (TBD)"],
)  # fmt: skip
def test_a_pointer_to_a_later_text_is_asked_and_does_not_block(pointer: str) -> None:
    text = f"# Till\n\n## Requirements\n\n### FR-1: Close\n\nIt MUST close.\n\n- **{pointer.replace(':', ':**', 1)}\n"
    told_of = [f for f in read_document("spec.md", text.encode()).findings if f.code in OPEN]
    assert [f.severity for f in told_of] == [Severity.ASK]


@pytest.mark.parametrize(
    ("statement", "severity"),
    [
        ("2. TODO: Ask the bank for the rates of today", Severity.ASK),
        ("2. TODO: which bank is it?", Severity.BLOCK),
        ("2. TODO: rates", Severity.BLOCK),
    ],
)
def test_a_note_that_states_the_work_is_a_question_and_does_not_block(
    statement: str, severity: Severity
) -> None:
    (found,) = markers(statement)
    assert found.severity is severity


@pytest.mark.parametrize("value", ["It MUST close at the hour (TBD)", "Limit: ten books (TBD)"])
def test_an_open_value_in_brackets_blocks(value: str) -> None:
    assert [f.severity for f in told(value)] == [Severity.BLOCK]


def test_a_box_that_a_site_folds_is_not_open() -> None:
    text = '# Till\n\n## Requirements\n\n- **FR-001**: It MUST close.\n\n??? info "More"\n\n    It is told.\n'
    assert not [f for f in read_document("spec.md", text.encode()).findings if f.code in OPEN]
