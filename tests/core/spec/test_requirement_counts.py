"""How many requirements a page has, where its author gave them no ids; and which of them are done."""

from textwrap import dedent

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.put_off import left_out, put_off
from bot.core.plan.readiness import uncovered
from bot.core.spec.read import read_document, read_spec
from bot.core.values.spec_model import Spec, SpecDocument


def read(text: str, path: str = "docs/page.md") -> SpecDocument:
    return read_document(path, dedent(text).encode())


def titles(text: str) -> list[str]:
    return [r.title for r in read(text).requirements]


@pytest.mark.parametrize(
    ("title", "first", "second", "intro"),
    [
        ("Requerimientos", "Acceso", "Avisos", "Contexto"),
        ("Requirements", "Sign in", "Notices", "Purpose"),
        ("要件定義", "ログイン", "お知らせ", "目的"),
    ],
)
def test_a_page_called_requirements_has_them_in_every_chapter(
    title: str, first: str, second: str, intro: str
) -> None:
    text = f"""
        # {title}

        ## {intro}
        - A page for the shop

        ## {first}
        - [ ] A form with a name
        - [ ] A word when it is wrong

        ## {second}
        - A list of them
    """
    assert titles(text) == ["A form with a name", "A word when it is wrong", "A list of them"]


def test_a_page_called_requirements_with_a_chapter_of_them_has_no_others() -> None:
    text = """
        # Requirements

        ## Team
        - Two people

        ## Functional requirements
        - The form has a name
    """
    assert titles(text) == ["The form has a name"]


@pytest.mark.parametrize(
    ("functional", "usability", "function", "wanted"),
    [
        (
            "Функциональные требования",
            "Требования к удобству",
            "Функция",
            "Требования",
        ),
        ("Functional requirements", "Requirements of use", "Function", "Requirement"),
        ("Requisitos funcionales", "Requisitos de uso", "Función", "Requisito"),
    ],
)
def test_tables_and_lists_of_one_page_are_both_read(
    functional: str, usability: str, function: str, wanted: str
) -> None:
    text = f"""
        # 1 Page

        ## 1.1 {functional}

        ### 1.1.1 Budget

        | {function} | {wanted} |
        |---|---|
        | New | A budget is made |
        | Gone | A budget is taken away |

        ## 1.2 {usability}

        1. **Clear:** All words are known
    """
    assert titles(text) == [
        "A budget is made",
        "A budget is taken away",
        "Clear: All words are known",
    ]


@pytest.mark.parametrize("chapter", ["機能要件", "Functional requirements", "Anforderungen"])
def test_lists_below_numbered_parts_of_a_chapter_are_read(chapter: str) -> None:
    text = f"""
        # Navi

        ### 5. {chapter}

        #### 5.1 Start
        * The time is taken
        * The next bus is shown

        ### 6. Rules of {chapter}
        * Saturday is a Saturday
    """
    assert titles(text) == ["The time is taken", "The next bus is shown", "Saturday is a Saturday"]


def test_a_table_of_features_beside_a_list_of_requirements_is_a_summary() -> None:
    text = """
        # Page

        ## Functional requirements
        - The door is red

        ## Features of phase 1

        | Feature | Days |
        |---|---|
        | Doors | 3 |
    """
    assert titles(text) == ["The door is red"]


@pytest.mark.parametrize(
    ("functional", "quality"),
    [
        ("Functional requirements", "Non-functional requirements"),
        ("Exigences fonctionnelles", "8. Non-fonctionnel"),
        ("機能要件", "非機能要件"),
    ],
)
def test_qualities_without_ids_bind_every_change(functional: str, quality: str) -> None:
    text = f"""
        # Page

        ## {functional}
        - The door is red

        ## {quality}
        - It opens within 2 s

        ## Out of scope
        - It opens within 1 s
    """
    found = read(text)
    assert [r.title for r in found.requirements] == ["The door is red"]
    assert [c.text for c in found.constraints] == ["It opens within 2 s"]


def test_rows_of_qualities_bind_every_change_and_ids_do_so_once() -> None:
    text = """
        # PRD: Page

        ## Functional Requirements
        - **FR1:** The door is red

        ## Non-Functional Requirements

        - **NFR1:** It is quick

        ### Security

        | What | Value |
        |---|---|
        | Sessions | 30 days |
    """
    assert [c.text for c in read(text).constraints] == ["It is quick", "Sessions: 30 days"]


def test_a_checklist_about_the_spec_is_not_part_of_it() -> None:
    files = {
        "specs/001-door/spec.md": b"# Feature Specification: Door\n\n- **FR-001**: It MUST open.\n",
        "specs/001-door/checklists/requirements.md": b"# Quality\n\n## Requirement Completeness\n\n- [x] Scope is bounded\n",
    }
    found = read_spec("specs/001-door", files)
    assert [r.source_id for r in found.requirements] == ["FR-001"]


def _spec(text: str) -> Spec:
    return read_spec("docs/page.md", {"docs/page.md": dedent(text).encode()})


DONE = """
    # PRD: Page

    ## Functional Requirements

    - **FR-1**: It opens {0}
    - **FR-2**: It closes {0}
    - **FR-3**: It rings
"""


@pytest.mark.parametrize("mark", ["✅", "✔️", "✅ DONE"])
def test_a_requirement_marked_as_done_is_not_planned(mark: str) -> None:
    spec = _spec(DONE.format(mark))
    assert {spec.requirements[0].id, spec.requirements[1].id} == put_off(spec).keys()
    (told,) = (f for f in spec.findings if f.code == "marked_done")
    assert told.question.startswith("2 of 3 requirements are marked as done")
    assert told.lines == (6, 7)
    live = uncovered({}, spec)
    (change,) = plan(live).changes
    assert change.title == "It rings"
    first, _ = left_out(spec, {r.id for r in live.requirements}, {})
    assert first == (
        "FR-1: it is marked as done. To plan it, comment `/headgate plan include FR-1`."
    )


def test_a_single_done_mark_may_be_product_text() -> None:
    one = _spec(DONE.format("✅").replace("It opens ✅", "It opens"))
    assert put_off(one) == {}


@pytest.mark.parametrize(
    "item",
    [
        "- [x] **FR-1**: It opens",
        "- **FR-1**: It opens\n  - Status: Done",
        "### FR-1: Doors\n\nIt opens.\n\n**Status:** ✅ Implemented\n",
        "### FR-1: Doors\n\n状态：已完成\n",
        "### FR-1: Doors\n\nEstado: completado\n",
    ],
)
def test_a_ticked_box_or_a_status_says_that_it_is_done(item: str) -> None:
    spec = _spec(f"# PRD: Page\n\n## Functional Requirements\n\n{item}\n")
    assert [r.is_done for r in spec.requirements] == [True]


@pytest.mark.parametrize(
    "item",
    [
        "- [ ] **FR-1**: It opens",
        "- **FR-1**: ✅ stands beside the name",
        "- **FR-1**: It opens\n  - Status: not done",
        "- **FR-1**: It opens\n  - Status: done by the nightly job",
        "- **FR-1**: The order is done",
    ],
)
def test_other_marks_and_words_do_not_mean_done(item: str) -> None:
    spec = _spec(f"# PRD: Page\n\n## Functional Requirements\n\n{item}\n{item}\n".replace("x", "x"))
    assert not any(r.is_done for r in spec.requirements)


def test_future_work_is_planned_if_the_rest_is_done() -> None:
    spec = _spec(
        "# Requerimientos\n\n## Avisos\n\n- [x] Ver\n\n## Mejoras futuras\n\n- [ ] Borrar\n"
    )
    assert [r.title for r in uncovered({}, spec).requirements] == ["Borrar"]


def test_a_completely_done_spec_has_no_plan() -> None:
    spec = _spec(DONE.format("✅").replace("It rings", "It rings ✅"))
    assert uncovered({}, spec).requirements == ()


@pytest.mark.parametrize(
    ("functional", "column", "errors", "design", "notes"),
    [
        ("Functional requirements", "Feature", "Error handling", "Design requirements", "Notes"),
        ("機能要件", "機能", "例外・エラーハンドリング", "デザイン要件（添付）", "メモ"),
        (
            "Funktionale Anforderungen",
            "Funktion",
            "Fehlerbehandlung",
            "Gestaltungsanforderungen",
            "Notizen",
        ),
    ],
)
def test_lists_and_error_chapters_are_read_and_design_binds_every_change(
    functional: str, column: str, errors: str, design: str, notes: str
) -> None:
    text = f"""
        # Page

        ## 2. Requirements of others

        ### 2.1 Borders
        - No bank

        ## 3. {functional}

        ### 3.1 Booking

        | {column} | What |
        |---|---|
        | Free hours | They are shown |

        - as it was in the old one

        ### 3.2 Desk
        - The day is listed

        ## 4. {errors}
        - Without a network the last list stays

        ## 5. {design}
        - Yellow on black

        ## 6. {notes}
        - Ask Ines
    """
    found = read(text)
    assert [r.title for r in found.requirements] == [
        "Free hours",
        "The day is listed",
        "Without a network the last list stays",
    ]
    assert [c.text for c in found.constraints] == ["Yellow on black"]


def test_notes_after_a_feature_in_prose_are_not_requirements() -> None:
    text = """
        # Feature: Picking

        Now the pickers use paper. An order should show up on the phone of a picker.

        ## Notes

        - the printer speaks ZPL
    """
    assert titles(text) == []
    assert "maybe_requirement" in {f.code for f in read(text).findings}


@pytest.mark.parametrize("heading", ["Future work", "Ausblick", "将来の機能"])
def test_an_id_below_a_future_chapter_is_deferred(heading: str) -> None:
    spec = _spec(
        "# Spec: Meters\n\n## Requirements\n\n### REQ-XFER-001: Pieces\nThe meter SHALL ask.\n\n"
        f"## {heading}\n\n### REQ-MESH-001: Neighbours\nMeters SHALL pass pieces.\n"
    )
    assert [r.domain for r in spec.requirements] == ["XFER", heading]
    assert put_off(spec).keys() == {spec.requirements[1].id}


SRS = """
    # Till

    ## 3. {functions}

    ### 3.1 Search module

    #### 3.1.1 {core}
    - **Live list** with prices
    - **Offline cache** with its limits
    - **Filters**: colour, size

    #### 3.1.2 Printing
    - Labels of boxes

    ## 4. {qualities}

    ### 4.1 {speed}
    - Pages in a second

    ## 7. {testing}

    ### 7.1 {coverage}
    - All pages
"""
_NAMES = ("functions", "core", "qualities", "speed", "testing", "coverage")


@pytest.mark.parametrize(
    "names",
    [
        (
            "Functional Requirements",
            "Core Features",
            "Non-Functional Requirements",
            "Performance Requirements",
            "Testing & QA",
            "Coverage Requirements",
        ),
        (
            "Requisitos funcionales",
            "Funciones principales",
            "Requisitos no funcionales",
            "Requisitos de rendimiento",
            "Pruebas",
            "Requisitos de cobertura",
        ),
        ("功能需求", "核心功能", "非功能需求", "性能需求", "测试策略", "覆盖要求"),
    ],
)
def test_numbered_parts_of_functions_are_read_and_qualities_and_tests_are_not(
    names: tuple[str, ...],
) -> None:
    page = read(SRS.format(**dict(zip(_NAMES, names, strict=True))))
    assert len(page.requirements) == 4
    assert page.requirements[-1].title == "Labels of boxes"
    assert "Pages in a second" in [c.text for c in page.constraints]


def test_a_core_features_heading_takes_the_name_above_it() -> None:
    page = read(SRS.format(**dict.fromkeys(_NAMES, "Requirements") | {"core": "Core Features"}))
    assert page.requirements[0].domain == "3.1 Search module"


def test_functional_requirements_below_both_kinds_are_functions() -> None:
    text = """
        # Till

        ## Functional and non-functional requirements

        ### Functional requirements
        - The till prints labels

        ### Performance requirements
        - A label in a second
    """
    assert titles(text) == ["The till prints labels"]


FEATURES = """
    # PRD

    ## {heading}

    1. {one}
       - day and night in turns
       - who is still there

    2. {two}
       - what players did before

    ## TODO

    Write more of it.
"""


@pytest.mark.parametrize(
    ("heading", "one", "two"),
    [
        ("핵심 기능", "게임 진행 관리", "메모리 관리"),
        ("Core features", "The course of the game", "Memory of players"),
        ("主要機能", "ゲーム進行", "メモリ管理"),
        ("Funcionalidades principales", "Turnos del juego", "Memoria de jugadores"),
    ],
)
def test_a_chapter_of_features_with_lists_below_each_is_read(
    heading: str, one: str, two: str
) -> None:
    page = read(FEATURES.format(heading=heading, one=one, two=two))
    assert [r.title for r in page.requirements] == [one, two]
    assert "day and night" in page.requirements[0].statement
    assert "marker" not in {f.code for f in page.findings}


@pytest.mark.parametrize(
    ("title", "open_questions"),
    [
        ("Anforderungen — Noten für Kapellen", "Offene Fragen / Noch zu klären"),
        ("Requirements: Sheets for bands", "Open questions"),
        ("要件定義書：WabiMail", "未決事項"),
        ("Requisitos - Partituras", "Preguntas abiertas"),
    ],
)
def test_a_page_called_requirements_of_a_thing_has_them_in_every_chapter(
    title: str, open_questions: str
) -> None:
    text = f"""
        # {title}

        ## 1. Sheets

        ### 1.1a Voices
        - A player has one voice
        - **Other voices:** can be chosen

        ## 2. {open_questions}
        - Which service reads sheets?

        ## 3. 開発目的・背景
        - A quiet program for mail
    """
    page = read(text, "docs/sheets.md")
    assert [r.title for r in page.requirements] == [
        "A player has one voice",
        "Other voices: can be chosen",
    ]
    assert plan(read_spec("docs/sheets.md", {"docs/sheets.md": dedent(text).encode()})).changes[
        0
    ].title in ("Voices",)


MODULES = """
    # Plant

    ## 3. {modules}

    ### 3.1 Dashboard

    #### 3.1.2 {functions}

    ##### F01 Cards
    - Four of them

    ##### F02 Trend
    - A line of a year

    ### 3.2 Network

    #### 3.2.2 {functions}

    ##### F03 Nodes

    | Node | Where |
    |---|---|
    | MEC-01 | north |
    | MEC-02 | south |

    ##### F04 Events
    - A list
"""


@pytest.mark.parametrize(
    ("modules", "functions"),
    [
        ("Features", "Functional Requirements"),
        ("功能模块详细说明", "子功能清单"),
        ("Funcionalidades", "Requisitos funcionales"),
    ],
)
def test_functions_belong_to_the_module_above_and_rows_below_one_are_its_own(
    modules: str, functions: str
) -> None:
    page = read(MODULES.format(modules=modules, functions=functions))
    assert [(r.source_id, r.domain) for r in page.requirements] == [
        ("F01", "3.1 Dashboard"),
        ("F02", "3.1 Dashboard"),
        ("F03", "3.2 Network"),
        ("F04", "3.2 Network"),
    ]


@pytest.mark.parametrize("said", ["— COMPLETE", "- done", "— erledigt", "— terminé", "— 已完成"])
def test_a_word_behind_a_dash_says_that_work_is_done(said: str) -> None:
    of = spec_of(f"FR1: Search {said}", f"FR2: Sorting {said}", "FR3: Printing — on paper")
    assert set(put_off(of)) == {"docs.page#FR1", "docs.page#FR2"}


@pytest.mark.parametrize(
    ("gone", "stays"),
    [
        (
            "*(removido nesta versão, ver a sessão)* Lista de senhas",
            "Remover espaços (antes e depois)",
        ),
        ("（已移除——不需要）原子檔案", "移除檔案（在本地）"),
        ("*(removed in this version, see 4)* A list", "Removed files (see 4) are kept"),
        (f"*(removed in this version, {'since nobody asked for it, ' * 4}see 4)* A list", "A list"),
        ("No check of frauds (out of scope)", "A check of frauds (each night)"),
    ],
)
def test_a_row_whose_title_says_removed_is_deferred(gone: str, stays: str) -> None:
    of = spec_of(f"FR1: {gone}", f"FR2: {stays}", "FR3: Printing")
    assert set(put_off(of)) == {"docs.page#FR1"}


def spec_of(*items: str) -> Spec:
    lines = "\n".join(f"- **{item.replace(': ', ':** ', 1)}" for item in items)
    text = f"# PRD: Till\n\n## Functional Requirements\n\n{lines}\n"
    return read_spec("docs/page.md", {"docs/page.md": text.encode()})


@pytest.mark.parametrize("heading", ["Features", "Funcionalidades", "機能"])
def test_a_list_whose_items_start_in_bold_is_a_feature_list(heading: str) -> None:
    text = f"# Till\n\n## {heading}\n\n- **Live list** with prices\n- **Offline cache** of a day\n"
    assert [r.statement for r in read(text).requirements] == [
        "**Live list** with prices",
        "**Offline cache** of a day",
    ]
    plain = read(text.replace("**Offline cache** of", "A list of")).requirements
    assert [r.statement for r in plain] == ["**Live list** with prices", "A list of a day"]


@pytest.mark.parametrize(
    ("priority", "later"),
    [("Priority", "Future"), ("**Priorität:**", "später, zukünftig"), ("优先级", "后续版本")],
)
def test_a_requirement_deferred_by_its_priority_is_not_planned(priority: str, later: str) -> None:
    mark = "" if priority.endswith("**") else ":"
    text = f"""
        # Functional Requirements

        ## Doors

        - The house shall have a door.
        - The house shall have a bell.

        ## Gates

        {priority}{mark} {later if "zukünftig" not in later else "zukünftig"}

        - The garden shall have a gate.
    """
    path = "docs/page.md"
    spec = read_spec(path, {path: dedent(text).encode()})
    assert {spec.requirements[-1].id} == put_off(spec).keys()


@pytest.mark.parametrize("mark", ["[deferred]", "`[deferred]`", "[v2]", "[zurückgestellt]"])
def test_a_requirement_deferred_by_its_text_is_not_planned(mark: str) -> None:
    text = f"""
        # Requirements

        | ID | Requirement |
        |---|---|
        | FR-1 | A run can be begun. |
        | FR-2 | {mark} A run can be bought. |
    """
    path = "docs/page.md"
    spec = read_spec(path, {path: dedent(text).encode()})
    assert {spec.requirements[-1].id} == put_off(spec).keys()


@pytest.mark.parametrize(
    "when",
    ["in the post-MVP module", "in a post-MVP release", "in a future version", "in a later phase"],
)
def test_a_requirement_for_a_later_release_is_not_planned(when: str) -> None:
    text = f"# Requirements\n\n- **FR-1**: The app shall run.\n- **FR-2**: The app shall read PDF {when}.\n"
    path = "docs/page.md"
    spec = read_spec(path, {path: text.encode()})
    assert {spec.requirements[-1].id} == put_off(spec).keys()


def test_a_table_of_pairs_is_named_by_its_name() -> None:
    one = "| ID | {0} | Name | {1} |\n|---|---|---|---|\n| Actor | Reader | | |\n\n"
    tables = one.format("1", "Lend") + one.format("2", "Return") + one.format("3", "Search")
    found = read(f"# Library SRS\n\n## Use cases\n\n{tables}")
    assert [(r.source_id, r.title) for r in found.requirements] == [
        ("1", "Lend"),
        ("2", "Return"),
        ("3", "Search"),
    ]


def test_two_tables_with_an_id_are_data() -> None:
    one = "| ID | {0} |\n|---|---|\n| Name | Key |\n| Type | uuid |\n\n"
    found = read(f"# Library SRS\n\n## Data\n\n{one.format('1')}{one.format('2')}")
    assert not found.requirements


def test_an_issue_number_in_small_print_is_removed_from_a_name() -> None:
    text = """
        # Requirements

        ## Functional requirements

        - Hire <sub>#14</sub>
        - Return of H<sub>2</sub>O <small>[#15](../15)</small>
    """
    assert titles(text) == ["Hire", "Return of H2O"]


@pytest.mark.parametrize(
    ("head", "must", "may", "first", "later"),
    [
        ("必須/任意", "必須", "任意", "P1", "P3"),
        ("优先级", "必须", "可选", "P1", "P3"),
        ("Priority", "Must", "Optional", "P1", "P3"),
    ],
)
def test_an_optional_row_comes_last(head: str, must: str, may: str, first: str, later: str) -> None:
    text = f"""
        # Page

        ## 機能要件

        | 機能 | {head} |
        |---|---|
        | 借りる | {must} |
        | 知らせる | {may} |
    """
    assert [r.priority for r in read(text).requirements] == [first, later]


def test_a_mark_in_a_release_column_is_not_part_of_the_text() -> None:
    text = """
        # Page

        ## Functional requirements

        | Function | MVP |
        |---|---|
        | Hire a boat | ✅ |
        | Card | ❌ |
    """
    assert [(r.title, r.statement) for r in read(text).requirements] == [
        ("Hire a boat", "Hire a boat")
    ]
