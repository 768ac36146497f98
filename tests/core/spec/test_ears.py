"""EARS as it is published: any case, every leading word, and the languages that specs are written in."""

import pytest

from bot.core.spec.read import read_document
from bot.core.values.spec_model import Scenario

KIRO = """\
# Requirements Document

## Requirements

### Requirement 1: Till

**User Story:** As a guest, I want a receipt, so that I can show it.

#### Acceptance Criteria

1. {criterion}
"""


def criterion(text: str) -> Scenario:
    document = read_document(
        ".kiro/specs/till/requirements.md", KIRO.format(criterion=text).encode()
    )
    assert "no_then" not in {f.code for f in document.findings}
    (found,) = document.scenarios
    return found


@pytest.mark.parametrize(
    ("text", "condition", "response"),
    [
        ("WHEN a guest pays, THE till SHALL print", "a guest pays", "THE till SHALL print"),
        ("When a guest pays, the till shall print", "a guest pays", "the till shall print"),
        ("when a guest pays, then the till shall print", "when a guest pays", "the till shall print"),
        ("If a card is refused, the till shall ask", "If a card is refused", "the till shall ask"),
        ("Once a guest has paid, the till shall close", "Once a guest has paid", "the till shall close"),
        ("After 30 minutes, the session shall end", "After 30 minutes", "the session shall end"),
        ("Upon a refund, the till shall print two lines", "Upon a refund", "the till shall print two lines"),
        ("Wenn der Gast zahlt, muss das System drucken", "der Gast zahlt", "muss das System drucken"),
        ("Quand le client paie, le système doit imprimer", "le client paie", "le système doit imprimer"),
        ("Cuando el cliente paga, el sistema debe imprimir", "el cliente paga", "el sistema debe imprimir"),
        ("Quando o cliente paga, o sistema deve imprimir", "o cliente paga", "o sistema deve imprimir"),
        ("Gdy gość płaci, system musi drukować", "gość płaci", "system musi drukować"),
        ("Когда гость платит, система должна печатать", "гость платит", "система должна печатать"),
        ("当客人付款时，系统应打印收据", "客人付款时", "系统应打印收据"),
        ("顧客が支払った場合、レジは印刷しなければならない", "顧客が支払った", "レジは印刷しなければならない"),
        ("고객이 결제하면 시스템은 출력해야 한다", "고객이 결제하면", "시스템은 출력해야 한다"),
        ("When 客が払った, the レジ shall 印刷する", "客が払った", "the レジ shall 印刷する"),
    ],
)  # fmt: skip
def test_the_response_begins_with_its_actor(text: str, condition: str, response: str) -> None:
    found = criterion(text)
    assert (found.given, found.when, found.then) == ((), (condition,), (response,))


@pytest.mark.parametrize(
    "text",
    [
        "While the door is open, the alarm shall ring",
        "Where a printer is built in, the alarm shall ring",
        "Solange die Tür offen ist, muss die Sirene heulen",
        "Mientras la puerta está abierta, la sirena debe sonar",
    ],
)
def test_a_state_is_given(text: str) -> None:
    found = criterion(text)
    assert (found.when, found.given) == ((), (text.partition(",")[0],))
    assert found.then


def test_a_criterion_that_always_holds_has_no_condition() -> None:
    assert criterion("The till shall print every receipt").then == (
        "The till shall print every receipt",
    )


@pytest.mark.parametrize(
    ("steps", "then"),
    [
        ("- **WHEN** it ends\n- **THEN** `exit 0`", "`exit 0`"),
        ("- **WHEN** it ends\n- **THEN** `exit 0` is told", "`exit 0` is told"),
        ("- **CUANDO** termina\n- **ENTONCES** `exit 0`", "`exit 0`"),
        ("- **当** 结束\n- **那么** `exit 0`", "`exit 0`"),
        ("- **WHEN** it ends\n- **THEN**\n  ```\n  exit 0\n  ```", "```\nexit 0\n```"),
    ],
)
def test_a_then_step_that_is_only_code_keeps_its_text(steps: str, then: str) -> None:
    text = f"## Purpose\nx\n\n## Requirements\n\n### Requirement: A\nIt SHALL.\n\n#### Scenario: S\n{steps}\n"
    document = read_document("openspec/specs/a/spec.md", text.encode())
    (found,) = document.scenarios
    assert found.then == (then,)
    assert "no_then" not in {f.code for f in document.findings}


def test_a_list_below_a_step_belongs_to_it() -> None:
    text = (
        "# Harbour\n\n## Epic 1: Ground\n\n### Story 1.1: Start\n\nAs a master,\nI want a book.\n\n"
        "**Acceptance Criteria:**\n\n**Given** a desk\n**When** I begin\n**Then** the book has:\n- a name\n- a date\n\n"
        "**And** the lamp is green\n\n**Technical Notes:**\n- Paper\n"
    )
    (start,) = read_document("docs/epics.md", text.encode()).requirements
    (told,) = start.scenarios
    assert told.then == ("the book has:\n- a name\n- a date", "the lamp is green")


def test_a_table_below_a_step_does_not_end_the_scenario() -> None:
    text = (
        "# Gate\n\n### REQ-G-1: Tokens\n\nThe gate shall count.\n\n**Given:** A token\n\n**When:** People come:\n\n"
        "| # | Time |\n|---|---|\n| 1 | 0.0 |\n\n**Then:** One is inside.\n"
    )
    (gate,) = read_document("docs/gate.md", text.encode()).requirements
    (told,) = gate.scenarios
    assert told.then == ("One is inside.",)


@pytest.mark.parametrize(
    ("line", "given", "when", "then"),
    [
        (
            "Given a card, when it is shown, then the door opens.",
            "a card",
            "it is shown",
            "the door opens.",
        ),
        (
            "Étant donné dix actions, quand je calcule, alors le prix est de cent.",
            "dix actions",
            "je calcule",
            "le prix est de cent.",
        ),
        (
            "Dado un libro, cuando se presta, entonces no está.",
            "un libro",
            "se presta",
            "no está.",
        ),
    ],
)
def test_a_scenario_may_be_one_sentence(line: str, given: str, when: str, then: str) -> None:
    text = f"# Page\n\n## Requirements\n\n- **FR-001**: It MUST do so.\n\n## Examples\n\n- {line}\n"
    (told,) = read_document("docs/page.md", text.encode()).scenarios
    assert (told.given, told.when, told.then) == ((given,), (when,), (then,))


def test_criteria_that_start_with_given_are_separate_scenarios() -> None:
    text = (
        "# Functional Requirements\n\n## Doors\n\n- The door shall open.\n- The door shall close.\n\n"
        "Acceptance criteria:\n\n- Given a card, when it is shown, then the door opens.\n"
        "- Given no card, the door stays closed.\n"
    )
    assert len(read_document("docs/page.md", text.encode()).scenarios) == 2
