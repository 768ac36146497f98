"""What chapters of a page decide about its changes: size, names and dependencies."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from bot.core.values.plan_model import Plan


def planned(text: str, path: str = "docs/requirements.md") -> Plan:
    return plan(read_spec(path, {path: text.encode()}))


def titles(of: Plan) -> list[str]:
    return [change.title for change in of.changes]


@pytest.mark.parametrize(
    ("title", "chapter", "sentence"),
    [
        ("Requisitos", "Regras de negócio", "O número {} deverá ser único."),
        ("Requisitos", "Reglas de negocio", "El número {} deberá ser único."),
        ("Exigences", "Règles métier", "Le numéro {} devra être unique."),
        ("Vereisten", "Vereisten", "Het nummer {} moet uniek zijn."),
    ],
)
def test_one_sentence_rules_are_joined_into_changes(
    title: str, chapter: str, sentence: str
) -> None:
    rules = "".join(f"### RN00{n}\n\n{sentence.format(n)}\n\n" for n in range(1, 8))
    of = planned(f"# {title}\n\n# 1. {chapter}\n\n{rules}")
    assert [len(change.requirements) for change in of.changes] in ([4, 3], [3, 4])


@pytest.mark.parametrize("name", ["Configuration", "Konfiguration", "Configuración", "設定"])
def test_a_setting_of_one_feature_is_not_a_foundation(name: str) -> None:
    text = (
        "# Requirements\n\n## 1. Fairs\n\n- Shown to all who are signed in\n- Sorted by day\n"
        f"- {name}: `FAIRS_URL` in the file of the environment (without it the whole part is switched off)\n\n"
        "## 2. Stalls\n\n- Drawn on the plan\n- Let by the week\n- Cleaned at night\n"
    )
    of = planned(text)
    assert titles(of) == ["Fairs", "Stalls"]
    assert not any(change.depends_on for change in of.changes)


@pytest.mark.parametrize(
    ("aspect", "first", "second"),
    [("Conflicts", "Series", "Fairs"), ("Regeln", "Serien", "Messen"), ("权限", "Series", "Fairs")],
)
def test_a_heading_of_an_aspect_is_named_with_its_chapter(
    aspect: str, first: str, second: str
) -> None:
    text = "# Anforderungen\n\n" + "".join(
        f"## {n}. {name}\n\n### {aspect}\n\n- {name} begin at noon\n- {name} end at six\n"
        f"- {name} have a host\n\n### {name} in winter\n\n- {name} need a tent\n- {name} need a stove\n\n"
        for n, name in enumerate((first, second), 1)
    )
    assert titles(planned(text)) == [
        f"{first}: {aspect}",
        f"{first} in winter",
        f"{second}: {aspect}",
        f"{second} in winter",
    ]


def test_a_single_line_below_a_heading_joins_its_chapter() -> None:
    text = (
        "# Requirements\n\n## 1. Board\n\n- Shows the week\n- Is open to all\n\n"
        "### Choice of hall\n\n- Three tabs, one for each hall\n\n"
        "## 2. Mail\n\n- Tells who booked\n- Tells who lost a slot\n"
    )
    of = planned(text)
    assert [(c.title, len(c.requirements)) for c in of.changes] == [("Board", 3), ("Mail", 2)]


@pytest.mark.parametrize("brackets", ["()", "（）"])
def test_a_name_in_brackets_is_the_name(brackets: str) -> None:
    opened, closed = brackets[0], brackets[1]
    names = ("Map", "Weather", "Grid", "Podium", "History")
    text = "# Hub\n\n## User Stories\n\n" + "".join(
        f"- **US-{n} {opened}{name}{closed}:** As a fan I want to see what the {name.lower()} is on the day.\n"
        for n, name in enumerate(names, 1)
    )
    assert titles(planned(text)) == list(names)


_LATE_FIRST = ("Reports", "Moorings", "Sign-in")


@pytest.mark.parametrize(
    "roadmap",
    [
        "## Roadmap\n\n### Phase 1 (MVP)\n\n- Sign-in\n\n### Phase 2\n\n- Simple moorings\n\n### Phase 3\n\n- Reports\n",
        "## Meilensteine\n\n1. **M1 — Ground:** project, sign-in\n2. **M2 — Harbour:** moorings, berths\n3. **M3 — Rest:** reports\n",
        "## 阶段\n\n| 阶段 | 内容 |\n|---|---|\n| 第一阶段 | Sign-in |\n| 第二阶段 | Moorings |\n| 第三阶段 | Reports |\n",
        "## 일정\n\n**1단계**\n\n- Sign-in\n\n**2단계**\n\n- Moorings\n\n**3단계**\n\n- Reports\n",
    ],
    ids=["headings", "milestones", "table", "bold-lines"],
)
def test_changes_come_in_the_order_of_the_authors_phases(roadmap: str) -> None:
    chapters = "".join(
        f"### 2.{n} {name}\n\n- A thing of {name.lower()} must be kept\n- It must be shown\n"
        f"- It must be told\n- It must be found\n\n"
        for n, name in enumerate(_LATE_FIRST, 1)
    )
    text = f"# Harbour\n\n## 2. Functional requirements\n\n{chapters}{roadmap}"
    assert titles(planned(text)) == list(reversed(_LATE_FIRST))
    # Nobody waits for a phase: what it names may run side by side.
    assert not any(change.depends_on for change in planned(text).changes)


@pytest.mark.parametrize("name", ["Add client", "Manage client", "New client"])
def test_adding_a_client_record_is_not_a_foundation(name: str) -> None:
    others = (
        "Weigh a parcel",
        "Print a label",
        "Count the boxes",
        "Open the till",
        "Ring the bell",
    )
    items = "".join(f"{n}. {what}.\n" for n, what in enumerate((*others, name, "Lock up"), 1))
    assert not any(
        c.depends_on for c in planned(f"# MVP features\n\n## Must have\n\n{items}").changes
    )


@pytest.mark.parametrize("chapter", ["Must have", "Funktionale Anforderungen", "功能需求"])
def test_short_lines_of_a_long_list_are_joined_into_changes(chapter: str) -> None:
    items = "".join(f"- Drawer {n} of the desk\n" for n in range(1, 13))
    of = planned(f"# Desk\n\n## {chapter}\n\n{items}")
    assert [len(change.requirements) for change in of.changes] == [3, 3, 3, 3]


@pytest.mark.parametrize(
    "heading",
    ["MVP Features (first release)", "Funktionale Anforderungen (Auszug)", "功能需求（第一版）"],
)
def test_a_heading_that_only_says_features_is_not_a_group(heading: str) -> None:
    names = ("Feed", "Memory of prices", "Advice", "Accounts")
    items = "".join(
        f"{n}. **{name}** — what the {name.lower()} shows to a buyer, and where it stands.\n"
        for n, name in enumerate(names, 1)
    )
    assert titles(planned(f"# Fetch\n\n## {heading}\n\n{items}")) == list(names)
