"""Names and groups of changes from pages without a grammar."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.leads import as_written
from bot.core.plan.phrases import plain_heading, shortened
from bot.core.spec.read import read_spec


def titles(text: str, path: str = "docs/spec.md") -> list[str]:
    return [change.title for change in plan(read_spec(path, {path: text.encode()})).changes]


def slugs(text: str, path: str = "docs/spec.md") -> list[str]:
    return [change.slug for change in plan(read_spec(path, {path: text.encode()})).changes]


def test_lines_with_numbers_of_chapters_are_the_groups_of_a_page_without_marks() -> None:
    text = "**Pflichtenheft**\n\n1 Einleitung\n\n1.1 Ziel\n\nEin Register.\n\n2 Anforderungen\n\n"
    for chapter, (name, letters) in enumerate((("Benutzer", "USM"), ("Suche", "SUC")), 1):
        text += f"2.{chapter} {name}\n\n"
        for n in range(1, 5):
            text += f"REG-{letters}-00{n}: Teil {letters} {n} anlegen (Must)\n\nDas System muss Teil {n} anlegen.\n\n"
    text += "3 Anhang\n\n3.1 Quellen\n\nKeine.\n"
    assert titles(text, "docs/Pflichtenheft.md") == ["Benutzer", "Suche"]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        (r"3.1 Anmeldung \[LH-Anmeldung, Muss\] \[AP-2.1\]", "Anmeldung"),
        (r"Import \[AP-3\]", "Import"),
        (r"C\# client", "C# client"),
        ("Konten anlegen (Must)", "Konten anlegen"),
    ],
)
def test_references_are_removed_from_a_heading_name(heading: str, name: str) -> None:
    assert plain_heading(heading) == name


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (
            "Query interface returning `{verdict, path, version, citations, registry}` for each of the coins",
            "Query interface",
        ),
        ("Show {name} at the door", "Show {name} at the door"),
        ("应用级撤销与重做", "应用级撤销与重做"),
        ("系统应支持撤销", "支持撤销"),
    ],
)
def test_a_shortened_name_ends_at_a_complete_part(said: str, name: str) -> None:
    assert shortened(said) in (name, name.removeprefix("支持"))


def test_shared_words_keep_the_function_words_between_them() -> None:
    assert (
        as_written(
            ["cartes", "garder"], ["Cartes rouges", "Calcul des cartes à garder pour chacun"]
        )
        == "cartes à garder"
    )
    assert (
        as_written(["cartes", "garder"], ["Des cartes que chacun veut garder"]) == "cartes garder"
    )


def test_the_words_feature_specs_are_removed_from_a_group_name() -> None:
    stories = "".join(
        f"## {group} Feature Specs\n\n"
        + "".join(
            f"### Story: {group} {n}\n\n```gherkin\nAs a cook\nI want it\n```\n\n"
            f"```gherkin\nGiven {group} {n}\nWhen it is asked for\nThen it is there\n```\n\n"
            for n in (1, 2)
        )
        for group in ("Menu", "Oven")
    )
    assert titles(f"# Bakery\n\n{stories}") == ["Menu", "Oven"]


def test_a_group_is_named_by_its_heading_rather_than_its_ids() -> None:
    text = "# Gate\n\n## Requirements\n\n" + "".join(
        f"### {group}\n\n"
        + "".join(
            f"#### REQ-TS-{n}{at}: {group} {at}\n\nThe gate shall do {group} {at}.\n\n"
            for at in range(4)
        )
        for n, group in enumerate(("Counting people", "Closing early"), 1)
    )
    assert titles(text) == ["Counting people", "Closing early"]


def test_modules_with_tables_of_their_labels_are_changes_of_their_own() -> None:
    names = ("用户管理", "房产管理", "费用管理", "报修管理", "投诉建议", "公告通知", "停车管理")
    text = "# 系统\n\n## 3. 功能需求\n\n### 3.2 各模块详细描述\n\n" + "".join(
        f"#### 3.2.{n} {name}\n\n| 项目 | 内容 |\n|---|---|\n| **功能描述** | 有{name}的一切 |\n| **约束** | 编号唯一 |\n\n"
        for n, name in enumerate(names, 1)
    )
    assert titles(text, "docs/需求分析.md") == list(names)


def test_half_a_japanese_name_is_not_spelled() -> None:
    text = "# 予定表\n\n## 機能要件\n\n" + "".join(
        f"### FR-{n}. {name}\n\n- {name}ができる。\n\n"
        for n, name in enumerate(
            ("スケジュールの記録", "カレンダー表示", "招待リンク", "予定のコピー"), 1
        )
    )
    assert slugs(text, "docs/kansuke.md") == [f"kansuke-part-{n}" for n in range(1, 5)]


def test_a_row_with_a_description_is_a_feature() -> None:
    rows = "".join(f"| Part {n} | It does the {n}th thing |\n" for n in range(1, 7))
    text = f"# Press\n\n## Must have\n\n| Function | Description |\n|---|---|\n{rows}"
    assert titles(text) == [f"Part {n}" for n in range(1, 7)]


@pytest.mark.parametrize(
    "kind", ["Use Cases", "3.1.3 ユースケース", "Casos de uso", "User Stories"]
)
def test_a_heading_of_an_item_kind_is_not_a_group(kind: str) -> None:
    text = "# Digest\n\n## 3. Details\n\n" + "".join(
        f"### 3.{n} {group}\n\n#### {kind}\n\n"
        + "".join(
            f"**UC-{n}{at}: {group} part {at}**\n\nIt is shown where it belongs, part {at}.\n\n"
            for at in range(4)
        )
        for n, group in enumerate(("Trends", "Favourites"), 1)
    )
    assert titles(text) == ["Trends", "Favourites"]


def test_the_number_of_a_module_is_removed_from_its_name() -> None:
    assert [plain_heading(f"{one} 2: Kasse") for one in ("Module", "Modul", "Модуль")] == [
        "Kasse"
    ] * 3


def test_an_acceptance_label_is_not_a_group() -> None:
    rows = "".join(f"| **FR-00{n}** | A reader can do thing {n} | M |\n" for n in range(1, 5))
    more = "".join(f"| **FR-01{n}** | A guest can do deed {n} | M |\n" for n in range(1, 5))
    text = (
        "# Shelf — Functional Requirements\n\n## 1. Reading (FR-READ) — *brief §3.1, §5*\n\n"
        f"| ID | Requirement | Priority |\n|---|---|---|\n{rows}\n**Acceptance (samples):**\n"
        "- FR-001: A thing is done.\n\n## 2. Guests (FR-GST) — *brief §3.2*\n\n"
        f"| ID | Requirement | Priority |\n|---|---|---|\n{more}"
    )
    assert titles(text) == ["Reading", "Guests"]


def test_the_title_of_a_page_is_not_a_group() -> None:
    text = "# Requisitos funcionales de Lector\n\n" + "".join(
        f"{n}. El usuario debe poder {what}.\n"
        for n, what in enumerate(("cargar archivos", "descargar un informe"), 1)
    )
    assert titles(text) == ["Lector"]
    many = text + "".join(f"{n}. El sistema debe mostrar la parte {n}.\n" for n in range(3, 10))
    assert not [title for title in titles(many) if title.startswith("Requisitos")]


def test_a_verb_with_its_ending_gets_no_second_one() -> None:
    assert shortened("The program must exposes a page") == "Program exposes a page"
    assert shortened("The gate must process a token") == "Gate processes a token"


def test_a_heading_that_is_only_an_id_is_not_a_title() -> None:
    text = (
        "# Functional requirements\n\n## FR1\n\nThe program must have an interface.\n\n"
        "## FR2\n\nThe interface must answer in JSON.\n"
    )
    path = "docs/page.md"
    first, second = read_spec(path, {path: text.encode()}).requirements
    assert (first.source_id, first.title) == ("FR1", "The program must have an interface")
    assert second.source_id == "FR2"


@pytest.mark.parametrize("label", ["詳細", "Details", "Einzelheiten"])
def test_a_description_label_is_not_a_group(label: str) -> None:
    text = "# Disk\n\n## 1. Functional requirements\n\n" + "".join(
        f"### 1.{n} {name}\n\n**{label}**:\n"
        + "".join(f"- FR-0{n}-{at}: {name} does its part {at} here\n" for at in range(1, 5))
        + "\n"
        for n, name in enumerate(("Scanning", "Proposing"), 1)
    )
    assert titles(text) == ["Scanning", "Proposing"]


@pytest.mark.parametrize("heading", ["User Stories", "Historias de usuario", "ユーザーストーリー"])
def test_a_heading_that_only_says_stories_is_not_a_group(heading: str) -> None:
    wishes = "".join(
        f"{n}. As a player, I want to {what}, so that it is fun.\n"
        for n, what in enumerate(("see a canyon", "jump over a barrel", "hear a horse"), 1)
    )
    text = f"# Chase\n\n## {heading}\n\n{wishes}"
    assert not [title for title in titles(text) if title.startswith(heading)]
