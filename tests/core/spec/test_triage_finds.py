"""Which texts triage reports, and which it does not."""

import pytest

from bot.core.spec.read import read_document


def codes(text: str, path: str = "spec.md") -> list[str]:
    found = read_document(path, text.encode()).findings
    return [f.code for f in found if f.code != "no_scenario"]


def listed(*items: str) -> str:
    return "# Till\n\n## Requirements\n\n" + "".join(f"- {item}\n" for item in items)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("An account must be locked after 5 failed attempts.", "Lock the account after 3 failed attempts; this must be told."),
        ("Sessions must expire after 30 minutes.", "A session must expire 15 minutes after the last click."),
        ("A receipt must be kept for 10 years in the archive.", "The archive must keep a receipt for 7 years."),
        ("Uploads of pictures must be at most 5 MB.", "Pictures must be uploads of 10 MB at most."),
        ("The search page must show 20 results.", "The search page shall show 50 results."),
        ("The discount on bread must be 10 % at night.", "At night the discount on bread must be 20 %."),
        ("The printer must start within 0,5 seconds.", "The printer must start in 2 seconds."),
        ("The till must not print a red receipt twice.", "The till must print a red receipt twice."),
    ],
)  # fmt: skip
def test_two_numbers_for_one_thing_contradict(first: str, second: str) -> None:
    assert codes(listed(first, second)).count("contradiction") == 1
    assert codes(listed(second, first)).count("contradiction") == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("An account must be locked after 5 failed attempts.", "An account must be deleted after 3 years."),
        ("A receipt must be kept for 24 hours in the archive.", "A receipt must be kept for 1 day in the archive."),
        ("The search page must show 20 results.", "The start page must list 50 books."),
        ("Bread costs 2 coins, milk 3 coins and eggs 5 coins.", "Bread costs 3 coins, milk 2 coins and eggs 1 coins."),
        ("A card of up to 15 000 coins must be taken.", "A card of up to 20 000 coins must be given."),
        ("The till must answer in 200 ms.", "The printer must answer in 2 seconds."),
        ("The till must not print a red receipt twice.", "The till must print a blue ticket at once."),
        ("Step 1 of the sale must weigh the sack.", "Step 2 of the sale must price the sack."),
    ],
)  # fmt: skip
def test_numbers_of_two_things_do_not_contradict(first: str, second: str) -> None:
    assert "contradiction" not in codes(listed(first, second))


KIRO = """\
# Requirements Document

## Glossary

- **Till_Keeper**: keeps the till
- **Printer**: prints

## Requirements

### Requirement 1: Sum

**User Story:** As a guest, I want a quick sum, so that I leave in a reasonable time.

#### Acceptance Criteria

1. WHEN a guest pays, THE TillKeeper SHALL sum up within 2 seconds
{criterion}
"""


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("2. THE Till_Keeper SHALL clear the display immediately after the sale", []),
        ("2. THE Till_Keeper SHALL answer quickly", ["vague"]),
        ("2. THE Till_Keeper SHALL answer quickly, within 200 ms", []),
        ("2. THE Tax_Office SHALL hear of it", ["undefined_term"]),
        ("2. THE system SHALL do as Requirement 1.1 says", []),
        ("2. THE system SHALL do as Requirement 1.7 says", ["dangling_ref"]),
        ("2. THE system SHALL do as Requirement 9 says", ["dangling_ref"]),
        ("2. WHEN the paper ends", ["no_then"]),
        ("2. THE system SHALL print within TBD", ["marker"]),
        ("2. THE system SHALL print TBD", []),
        ("2. THE system SHALL print the word `TBD`", []),
    ],
)
def test_criteria_are_questioned_and_reasons_are_not(criterion: str, expected: list[str]) -> None:
    path = ".kiro/specs/till/requirements.md"
    assert codes(KIRO.format(criterion=criterion), path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The till must be fast.", ["vague"]),
        ("The till must be fast: 200 ms.", []),
        ("Guests come at noon. The till must sum up. A quick guest leaves at once.", []),
        ("The till must show the `fast` lane.", []),
        ("The till must show the Clear button.", []),
        ("The till must retry a reasonable number of times (e.g., 3).", []),
        ("The till must hash words securely (never plain).", []),
        ("The till must show a price in the appropriate currency based on the card.", []),
        ("The till must show what is relevant to that guest.", []),
        ("The till must show what is appropriate.", ["vague"]),
        ("**Quick Pay**: The till must sum up.", []),
        ("**I want** a till that is fast and must sum up.", []),
        ("The till must close at ???", ["marker"]),
        ("The till must say [NEEDS CLARIFICATION which language?]", ["marker"]),
        ("The till must keep todo lists.", []),
    ],
)
def test_vague_words_are_questioned_only_in_binding_text(text: str, expected: list[str]) -> None:
    assert codes(listed(text)) == expected


def test_the_archives_own_purpose_is_a_warning() -> None:
    text = "# till\n\n## Purpose\nTBD - created by archiving change x. Update Purpose after archive.\n\n"
    text += "## Requirements\n### Requirement: Sum\nThe till SHALL sum up.\n\n#### Scenario: One\n- **WHEN** a\n- **THEN** b\n"
    found = read_document("openspec/specs/till/spec.md", text.encode()).findings
    assert [(f.code, f.severity.value, f.line) for f in found] == [("marker", "warn", 4)]


def _codes(text: str, path: str = "docs/page.md") -> list[str]:
    return [f.code for f in read_document(path, text.encode()).findings]


TWO = "## Requirements\n\n- **FR-1**: It MUST open.\n- **FR-2**: It MUST close.\n"


@pytest.mark.parametrize(
    "chapter", ["12. Cas d’usage à tester (acceptation)", "Acceptance tests", "受入テスト"]
)
def test_a_chapter_of_acceptance_says_how_all_of_it_is_seen(chapter: str) -> None:
    assert "no_scenario" in _codes(f"# Page\n\n{TWO}")
    assert "no_scenario" not in _codes(f"# Page\n\n{TWO}\n## {chapter}\n\n- It opens.\n")


def test_done_requirements_raise_no_questions() -> None:
    text = f"# Page\n\n{TWO.replace('open.', 'open quickly ✅').replace('close.', 'close ✅')}"
    assert set(_codes(text)) == {"marked_done"}


GLOSSARY = """# Requirements Document

## Glossary

- **RichText（富文本）**: an editor

## Requirements

### Requirement 1: Notes

#### Acceptance Criteria

1. WHEN it opens THE RichText SHALL show it.
2. WHEN it opens THE {name} SHALL show it.
"""


@pytest.mark.parametrize(
    ("name", "is_asked"),
    [("Favorites_Page", False), ("ToastContainer", False), ("Order_Service", True)],
)
def test_a_self_explanatory_actor_needs_no_glossary_entry(name: str, is_asked: bool) -> None:
    found = _codes(GLOSSARY.format(name=name), ".kiro/specs/notes/requirements.md")
    assert found.count("undefined_term") == is_asked


def test_a_step_that_ends_with_a_colon_continues_below() -> None:
    text = (
        "# Requirements Document\n\n## Requirements\n\n### Requirement 1: Till\n\n#### Acceptance Criteria\n\n"
        "1. WHEN the net is back{}\n"
    )
    assert "no_then" in _codes(text.format(""), ".kiro/specs/till/requirements.md")
    assert "no_then" not in _codes(text.format(":"), ".kiro/specs/till/requirements.md")


@pytest.mark.parametrize("word", ["securely", "with the relevant page"])
def test_words_that_name_no_measure_are_not_asked_about(word: str) -> None:
    text = "# A\n\n## Requirements\n\n- **FR-001**: The till MUST open it {}.\n- **FR-002**: It MUST close.\n"
    assert "vague" not in _codes(text.format(word))
    assert "vague" in _codes(text.format("gracefully"))


@pytest.mark.parametrize("name", ["JWT_Auth_Guard", "Create_Order_DTO", "Orders_Controller"])
def test_a_part_of_the_program_that_says_its_kind_needs_no_glossary(name: str) -> None:
    found = _codes(GLOSSARY.format(name=name), ".kiro/specs/notes/requirements.md")
    assert "undefined_term" not in found


@pytest.mark.parametrize("mark", ["(ex)", "예)", "(for example:", "(zum Beispiel"])
def test_numbers_of_examples_do_not_contradict(mark: str) -> None:
    text = (
        "# Spending\n\n## Requirements\n\n"
        f"- The page shows the share of the month for food {mark} food 150% of the month).\n"
        f"- The page shows the share of the month for food {mark} food 120% of the month).\n"
    )
    found = read_document("docs/spending.md", text.encode()).findings
    assert "contradiction" not in {finding.code for finding in found}


@pytest.mark.parametrize(
    "story",
    [
        "**Como** cajero,  \n**Quiero** acceder rápidamente a la caja,  \n**Para** cobrar rápidamente.",
        "Как кассир,\nя хочу открыть кассу,\nчтобы быстро принять деньги.",
        "**As a** guest,\n**I want** to pay,\n**so that** I leave quickly.",
    ],
)
def test_a_wish_in_several_lines_may_explain_vague_words(story: str) -> None:
    text = f"# Till\n\n## US-001: Pay\n\n{story}\n\n## US-002: Leave\n\n{story}\n"
    assert "vague" not in codes(text, "docs/stories.md")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("The till must fail fast without paper.", []),
        ("The till must be fast.", ["vague"]),
        ("The bell must ring (P2 - nice to have).", []),
        ("The bell must sound nice.", ["vague"]),
        ("The till must log its graceful shutdown.", []),
        ("The till must be graceful.", ["vague"]),
    ],
)
def test_terms_that_hold_a_vague_word_are_not_vague(said: str, expected: list[str]) -> None:
    assert codes(listed(said, "The till must print.")) == expected


WISHES = """# 要件定義

## 要件

### 要件 1

**ユーザーストーリー:** 管理者として、在庫を管理したい。そうすることで、適切な在庫レベルを維持できる。

#### 受入基準

1. WHEN 管理者が在庫を開く THEN システムは在庫を表示しなければならない{more}
"""


def test_the_reason_of_a_wish_in_japanese_is_not_vague() -> None:
    path = ".kiro/specs/stock/requirements.md"
    assert "vague" not in codes(WISHES.format(more=""), path)
    told = WISHES.format(
        more="\n2. WHEN 接続が切れる THEN システムは適切な画面を表示しなければならない"
    )
    assert "vague" in codes(told, path)


@pytest.mark.parametrize(
    ("criterion", "is_asked"),
    [
        ("When a seller leaves, they're removed from all tills", False),
        ("When a seller changes tills, the old one is locked", False),
        ("If the paper is out, it rings", False),
        ("When a seller, a guest or the owner comes", True),
    ],
)
def test_a_criterion_that_says_what_happens_after_a_comma_is_not_asked(
    criterion: str, *, is_asked: bool
) -> None:
    text = (
        "# Requirements Document\n\n## Requirements\n\n### Requirement 1: Tills\n\n#### Acceptance Criteria\n\n"
        f"- WHEN asked THE till SHALL print\n- {criterion}\n"
    )
    assert ("no_then" in codes(text, ".kiro/specs/till/requirements.md")) is is_asked
