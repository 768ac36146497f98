"""Stories and their acceptance scenarios are read by their names, in many languages."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Spec

FOLDER = "specs/009-notes"


def notes(story: str, label: str) -> Spec:
    text = f"""\
# Feature Specification: Notes

### {story} 1 - Kitchen plans (Priority: P1)

**{label}**:

1. Kitchen plans of one day stand there, and nothing else.
2. No kitchen plan is there twice.

### {story} 2 - Garden walks (Priority: P2)

**{label}**:

1. Garden walks of one week stand there.

## Requirements

### Functional Requirements

- **FR-001**: System MUST keep kitchen plans.
- **FR-002**: System MUST list kitchen plans.
- **FR-003**: System MUST keep garden walks.
"""
    return read_spec(FOLDER, {f"{FOLDER}/spec.md": text.encode()})


@pytest.mark.parametrize(
    ("story", "label"),
    [
        ("User Story", "Acceptance Scenarios"),
        ("Historia de usuario", "Escenarios de aceptación"),
        ("História do usuário", "Cenários de Aceite"),
        ("Scénario utilisateur", "Scénarios d'acceptation"),
        ("Nutzergeschichte", "Akzeptanzszenarien"),
        ("Storia utente", "Scenari di accettazione"),
        ("История пользователя", "Сценарии приёмки"),
        ("Historyjka użytkownika", "Scenariusze akceptacyjne"),
        ("Gebruikersverhaal", "Acceptatiescenario's"),
        ("Kullanıcı Hikayesi", "Kabul Senaryoları"),
        ("Cerita Pengguna", "Skenario Penerimaan"),
        ("Câu chuyện người dùng", "Kịch bản chấp nhận"),
        ("用户故事", "验收场景"),
        ("使用者情境", "驗收情境"),
        ("ユーザーストーリー", "受け入れシナリオ"),
        ("사용자 이야기", "수락 시나리오"),
        ("유저 스토리", "인수 조건"),
    ],
)
def test_a_story_has_the_scenarios_below_its_label(story: str, label: str) -> None:
    spec = notes(story, label)
    (document,) = spec.documents
    assert [len(one.scenarios) for one in document.stories] == [2, 1]
    changes = plan(spec).changes
    assert [(c.title, len(c.requirements)) for c in changes] == [
        ("Kitchen plans", 2),
        ("Garden walks", 1),
    ]


@pytest.mark.parametrize(
    "heading", ["Acceptance scenarios", "수락 시나리오", "受け入れシナリオ", "Сценарии приёмки"]
)
def test_scenarios_below_their_own_heading_belong_to_the_story(heading: str) -> None:
    text = (
        "# Feature Specification: Notes\n\n### User Story 1 - Plans\n\nPlans are kept.\n\n"
        f"#### {heading}\n\n- Plans of one day stand there.\n- No plan is there twice.\n\n"
        "## Requirements\n\n- **FR-001**: System MUST keep plans.\n"
    )
    (document,) = read_spec(FOLDER, {f"{FOLDER}/spec.md": text.encode()}).documents
    assert [len(one.scenarios) for one in document.stories] == [2]


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("Gereksinim", "Kabul Kriterleri"),
        ("Kebutuhan", "Kriteria Penerimaan"),
        ("Yêu cầu", "Tiêu chí chấp nhận"),
        ("Вимога", "Критерії прийняття"),
    ],
)
def test_requirements_of_a_kiro_page_are_read_by_their_names(heading: str, label: str) -> None:
    path = ".kiro/specs/notes/requirements.md"
    told = "".join(
        f"### {heading} {number}: {name}\n\n#### {label}\n\n1. WHEN {name} is asked THEN it SHALL come\n"
        f"2. IF {name} is away THEN it SHALL wait\n\n"
        for number, name in (("1", "Plans"), ("1a", "Walks"), ("2", "Bells"))
    )
    found = read_spec(path, {path: f"# A\n\n{told}".encode()}).requirements
    assert [(r.title, len(r.scenarios)) for r in found] == [
        ("Plans", 2),
        ("Walks", 2),
        ("Bells", 2),
    ]
