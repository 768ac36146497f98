"""Plans of Kiro, spec-kit and OpenSpec folders, as leads of other people's projects would want them."""

from textwrap import dedent

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.phrases import shortened
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Spec
from tests.core.plan.test_authored import cut, waits

NAMES = ("Tickets", "Answers", "Attachments", "Search", "Statistics", "Export")
LAYERS = (
    "Create the tables",
    "Create the models",
    "Create the services",
    "Create the routes",
    "Create the pages",
)


def kiro(tasks: str, names: tuple[str, ...] = NAMES, criteria: int = 6) -> Spec:
    told = "\n".join(
        f"### Requirement {at}: {name}\n\n#### Acceptance Criteria\n\n"
        + "\n".join(
            f"{n}. WHEN a guest asks for {name.lower()} THEN the desk SHALL do {n}"
            for n in range(1, criteria + 1)
        )
        + "\n"
        for at, name in enumerate(names, 1)
    )
    folder = ".kiro/specs/desk"
    return read_spec(
        folder,
        {
            f"{folder}/requirements.md": f"# Requirements\n\n## Requirements\n\n{told}".encode(),
            f"{folder}/tasks.md": f"# Implementation Plan\n\n{tasks}".encode(),
        },
    )


def spread_over_layers(first: str, second: str = "") -> str:
    """Each layer does all of each requirement, but for the first or the first two."""
    all_of_them = ", ".join(f"{number}.1-{number}.6" for number in range(1, 7))
    begins = [first, second or all_of_them]
    steps = zip(LAYERS, [*begins, *[all_of_them] * 3], strict=True)
    return "\n".join(
        f"- [ ] {at}. {title}\n  - _Requirements: {done}_"
        for at, (title, done) in enumerate(steps, 1)
    )


def test_layers_that_split_each_requirement_are_not_groups() -> None:
    of = kiro(spread_over_layers("4.1-4.6, 5.1-5.6, 6.1-6.6"))
    assert not [title for title, _ in cut(of) if title.startswith(LAYERS)]


def test_layers_do_not_reverse_the_order_of_the_page() -> None:
    of = kiro(spread_over_layers("5.1-5.6, 6.1-6.6", "5.1-5.6, 6.1-6.6"))
    assert " ".join(ids for _, ids in cut(of)).split() == list("123456")
    titles = [title for title, _ in cut(of)]
    assert not [user for user, on, _ in waits(of) if titles.index(user) < titles.index(on)]


def test_a_requirement_with_its_own_step_keeps_its_place_among_layers() -> None:
    tasks = spread_over_layers("1.1, 2.1, 3.1").replace("6.1-6.6", "5.1")
    prepare = "- [ ] 7. Prepare\n  - _Requirements: 1.1, 2.1_\n"
    titles = [
        title
        for title, _ in cut(kiro(f"{prepare}- [ ] 0. Export\n  - _Requirements: 6.1-6.6_\n{tasks}"))
    ]
    assert titles[0] == "Export"


STORIES = """
    # {title}

    ## User Scenarios

    ### {story} 1 - {first} ({priority}: P1)

    **{criteria}**:

    1. {one}

    ### {story} 2 - {second} ({priority}: P2)

    **{criteria}**:

    1. {two}

    ## Requirements

    ### {functional}

    - **FR-001**: {must} {first}。
    - **FR-002**: {must} {second}。
"""
CHINESE = {
    "title": "功能規格書：帳單",
    "story": "使用者故事",
    "first": "建立帳單",
    "second": "下載報表",
    "priority": "優先級",
    "criteria": "驗收情境",
    "one": "**情境**：訪客在首頁，**當**建立帳單，**則**顯示帳單。",
    "two": "**情境**：會員，**當**下載報表，**則**取得檔案。",
    "functional": "功能性需求",
    "must": "系統**必須**",
}


def speckit(said: dict[str, str], tasks: str = "") -> Spec:
    folder = "specs/004-invoice-desk"
    files = {f"{folder}/spec.md": dedent(STORIES).format(**said).encode()}
    if tasks:
        files[f"{folder}/tasks.md"] = dedent(tasks).encode()
    return read_spec(folder, files)


def slugs(of: Spec) -> list[str]:
    return [change.slug for change in plan(of).changes]


@pytest.mark.parametrize("story", ["使用者故事", "使用者情境", "用户场景"])
def test_stories_in_traditional_chinese_group_requirements(story: str) -> None:
    of = speckit(CHINESE | {"story": story})
    assert cut(of) == [("建立帳單", "FR-001"), ("下載報表", "FR-002")]
    assert [s.priority for d in of.documents for s in d.stories] == ["P1", "P2"]


def test_stories_in_traditional_chinese_without_requirements_are_requirements() -> None:
    page = STORIES.partition("    ## Requirements")[0]
    said = CHINESE | {"story": "使用者情境"}
    of = read_spec("specs/desk.md", {"specs/desk.md": dedent(page).format(**said).encode()})
    assert [(r.title, len(r.scenarios)) for r in of.requirements] == [
        ("建立帳單", 1),
        ("下載報表", 1),
    ]


def test_a_story_in_traditional_chinese_waits_for_the_one_that_it_names() -> None:
    of = speckit(CHINESE | {"story": "使用者情境"}, "# Tasks\n\n- US2 depends on US1\n")
    assert waits(of) == {("下載報表", "建立帳單", "explicit")}


@pytest.mark.parametrize("label", ["**驗收情境**:", "#### 驗收場景"])
def test_situations_that_are_listed_are_criteria(label: str) -> None:
    page = STORIES.replace("**{criteria}**:", label)
    said = CHINESE | {"one": "帳單有號碼", "two": "報表有日期"}
    of = read_spec("specs/desk.md", {"specs/desk.md": dedent(page).format(**said).encode()})
    assert [len(s.scenarios) for d in of.documents for s in d.stories] == [1, 1]


def test_a_situation_opens_a_scenario() -> None:
    (first, _) = [s for d in speckit(CHINESE).documents for s in d.stories]
    (scenario,) = first.scenarios
    assert scenario.given == ("訪客在首頁",)
    assert (scenario.when, scenario.then) == (("建立帳單",), ("顯示帳單。",))


def test_a_page_in_chinese_is_called_without_the_kind_of_page() -> None:
    one = speckit(CHINESE | {"story": "場面", "one": "建立帳單", "two": "下載報表"})
    assert [title for title, _ in cut(one)] == ["帳單"]


def test_a_story_that_cannot_be_spelled_is_called_by_its_number() -> None:
    assert slugs(speckit(CHINESE | {"story": "User Story", "priority": "Priority"})) == [
        "story-1",
        "story-2",
    ]


def test_the_translation_behind_a_name_is_its_slug() -> None:
    said = CHINESE | {"first": "建立新的帳單 (Create Invoice)", "second": "下載 (GET) 報表"}
    assert slugs(speckit(said)) == ["create-invoice", "story-2"]


ENGLISH = {
    "title": "Feature Specification: Invoices",
    "story": "User Story",
    "first": "See all invoices",
    "second": "Make an invoice",
    "priority": "Priority",
    "criteria": "Acceptance Scenarios",
    "one": "**Given** invoices, **When** a user opens the desk, **Then** all are seen.",
    "two": "**Given** a user, **When** they make an invoice, **Then** it is kept.",
    "functional": "Functional Requirements",
    "must": "The system MUST let a user",
}


@pytest.mark.parametrize(
    "said",
    [
        "**User Story 2 (P2)**: Can start after Foundational (Phase 2) - Depends on the invoice page from US1",
        "**User Story 2 (P2)**: Can start after Foundational (Phase 2) - Integrates with US1 (model) but independently testable",
        "US2 can be developed in parallel after US1 completion",
        "US2 begins once US1 is accepted",
    ],
)
def test_stated_dependencies_between_stories_are_read(said: str) -> None:
    tasks = f"# Tasks\n\n## Dependencies\n\n- {said}\n"
    assert waits(speckit(ENGLISH, tasks)) == {("Make an invoice", "See all invoices", "explicit")}


@pytest.mark.parametrize(
    "said",
    [
        "US2 can be developed in parallel with US1",
        "US2 may need the invoice page from US1",
        "US2 does not depend on the page from US1",
    ],
)
def test_stories_stated_as_parallel_have_no_dependency(said: str) -> None:
    assert waits(speckit(ENGLISH, f"# Tasks\n\n- {said}\n")) == set()


def test_a_blocker_column_states_dependencies() -> None:
    table = "| Story | Priority | Blocker |\n|---|---|---|\n| US1 | P1 | - |\n| US2 | P2 | US1 |\n"
    assert ("Make an invoice", "See all invoices", "explicit") in waits(speckit(ENGLISH, table))


def test_a_needed_story_of_low_priority_comes_after_urgent_ones() -> None:
    more = "\n".join(
        f"    ### User Story {n} - {name} (Priority: P3)\n\n"
        f"    1. **Given** a user, **When** they {name.lower()}, **Then** it is done.\n"
        for n, name in ((3, "Change the invoice"), (4, "Delete the invoice"))
    )
    page = STORIES.replace("    ## Requirements", f"{more}\n    ## Requirements")
    page += "    - **FR-003**: {must} change the invoice.\n    - **FR-004**: {must} delete the invoice.\n"
    folder = "specs/004-invoice-desk"
    needs = "- US3 depends on US2\n- US4 depends on US2\n"
    of = read_spec(
        folder,
        {
            f"{folder}/spec.md": dedent(page).format(**ENGLISH).encode(),
            f"{folder}/tasks.md": f"# Tasks\n\n{needs}".encode(),
        },
    )
    assert [title for title, _ in cut(of)][:2] == ["See all invoices", "Make an invoice"]


@pytest.mark.parametrize(
    "heading", ["Acceptance Criteria", "Testable Acceptance Criteria (normalized)"]
)
def test_a_chapter_of_criteria_is_not_a_story(heading: str) -> None:
    criteria = f"    ## {heading}\n\n    - **Given** a banner, **When** it is shown, **Then** the banner is blue.\n"
    page = STORIES.replace("    ## Requirements", f"{criteria}\n    ## Requirements")
    page += "    - **FR-003**: The system MUST show a blue banner.\n"
    said = ENGLISH | {"first": "Browse the ledger", "second": "Print a receipt"}
    of = read_spec("specs/desk.md", {"specs/desk.md": dedent(page).format(**said).encode()})
    assert [title for title, _ in cut(of)] == ["Browse the ledger", "Print a receipt"]


RULES = tuple(f"Rule {n} of the stove" for n in range(1, 7))


def delta(
    names: tuple[str, ...] = RULES, tasks: str = "", capability: str = "stove", cases: int = 4
) -> Spec:
    told = "\n".join(
        f"### Requirement: {name}\n\nThe stove SHALL keep rule {n}.\n\n"
        + "\n".join(
            f"#### Scenario: Case {n}.{c}\n\n- **WHEN** case {c} of rule {n} comes\n- **THEN** the stove stops\n- **AND** a light goes on\n"
            for c in range(cases)
        )
        for n, name in enumerate(names, 1)
    )
    folder = "openspec/changes/heat-the-stove"
    path = f"{folder}/specs/{capability}/spec.md"
    files = {path: f"## ADDED Requirements\n\n{told}".encode()}
    if tasks:
        files[f"{folder}/tasks.md"] = dedent(tasks).encode()
    return read_spec(folder, files)


def test_requirements_of_one_capability_share_changes() -> None:
    assert [len(ids.split("Rule")) - 1 for _, ids in cut(delta())] == [3, 3]


@pytest.mark.parametrize(("rules", "cases", "changes"), [(8, 1, 1), (9, 1, 2), (8, 4, 3)])
def test_a_capability_of_a_delta_that_is_read_in_one_go_is_one_change(
    rules: int, cases: int, changes: int
) -> None:
    names = tuple(f"Rule {n} of the stove" for n in range(1, rules + 1))
    assert len(cut(delta(names, cases=cases))) == changes


def test_all_pieces_of_a_group_are_numbered_or_none() -> None:
    warm = tuple(f"Keep the plate warm {when}" for when in ("by day", "by night", "in winter"))
    others = tuple(
        f"{what} whenever a very long and heavy pot has been left upon it"
        for what in ("Cool the door", "Ring the bell", "Close the valve")
    )
    titles = [title for title, _ in cut(delta((*warm, *others)))]
    assert titles == [
        "Stove (1/2): Keep the plate warm",
        "Stove (2/2): Whenever a very long",
    ]


def listed(body: str) -> Spec:
    text = f"# Desk\n\n## Requirements\n\n{body}"
    return read_spec("docs/desk.md", {"docs/desk.md": text.encode()})


def test_a_slug_does_not_repeat_the_name_of_its_group() -> None:
    of = listed(
        "### Add tickets\n\n- **REQ-1**: Tickets\n\n### Add answers\n\n- **REQ-2**: Answers\n"
    )
    assert slugs(of) == ["add-tickets", "add-answers"]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Система должна позволять авторизованным пользователям создавать доски", "Создавать доски"),
        ("Система должна разрешать пользователю искать доски", "Искать доски"),
        ("Система должна предотвращать создание досок с одинаковыми названиями для одного владельца доски", "Предотвращать создание досок с одинаковыми названиями"),
    ],
)  # fmt: skip
def test_a_russian_name_states_the_action_and_ends_with_a_whole_word(said: str, name: str) -> None:
    assert shortened(said, 60) == name


SCOPE = """
    {above}

    ## {scope}

    - Type a weight
    - Keep the weight over a restart

    ## Out of scope

    - A picture of each meal

    ## {criteria}

    1. A weight below zero is refused
    2. The weight is there after a restart
"""


def scoped(above: str = "", scope: str = "In scope", criteria: str = "Acceptance") -> Spec:
    text = dedent(SCOPE).format(above=above, scope=scope, criteria=criteria)
    return read_spec("specs/001-weights", {"specs/001-weights/spec.md": text.encode()})


@pytest.mark.parametrize("scope", ["In scope", "Scope", "What's in scope", "Alcance"])
def test_a_feature_page_without_ids_is_read_by_its_scope(scope: str) -> None:
    of = scoped(scope=scope)
    assert [r.title for r in of.requirements] == ["Type a weight", "Keep the weight over a restart"]
    assert [len(s.scenarios) for d in of.documents for s in d.stories] == [2]


def test_a_page_of_only_criteria_is_read_by_its_criteria() -> None:
    of = scoped(scope="Background", criteria="Acceptance Criteria")
    assert [r.title for r in of.requirements] == [
        "A weight below zero is refused",
        "The weight is there after a restart",
    ]


def test_the_scope_of_one_feature_is_one_change_that_has_its_name() -> None:
    assert [title for title, _ in cut(scoped("# Weights"))] == ["Weights"]
    assert [title for title, _ in cut(scoped("## Summary"))] == ["Weights"]


def capability(names: tuple[str, ...], scenarios: int) -> Spec:
    told = "\n".join(
        f"### Requirement: {name}\n\nThe desk SHALL do it.\n\n"
        + "\n".join(
            f"#### Scenario: Case {c}\n\n- **WHEN** {name} is asked\n- **THEN** the desk does {c}\n"
            for c in range(scenarios)
        )
        for name in names
    )
    path = "openspec/specs/desk/spec.md"
    return read_spec(path, {path: f"# Desk\n\n## Requirements\n\n{told}".encode()})


LONG = (
    "sell tickets for the evening performances of summer",
    "answer guests by mail whose seats were taken",
    "attach up to twenty photographs of damage",
    "ring", "light lamps", "open doors", "keep keys",
)  # fmt: skip


def test_all_pieces_of_a_page_are_numbered_if_one_name_is_too_long() -> None:
    told = "".join(f"- **REQ-{n}**: The desk MUST {what}.\n" for n, what in enumerate(LONG, 1))
    assert [title for title, _ in cut(listed(told))] == [
        "Desk (1/2): Desk sells tickets for the evening performances of summer",
        "Desk (2/2): Desk lights lamps, desk opens doors and desk keeps keys",
    ]


WORKS = (
    "Ticket sales for the evening performances of summer",
    "Answers by mail to guests whose seats were taken",
    "Attachments of up to twenty photographs of damage",
    "Ringing of bells in the yard before each performance",
    "Lamps that are lit along the way to each of the seats",
    "Keys that are kept for guests who come in late at night",
)


def test_pieces_have_their_numbers_in_the_order_of_the_plan() -> None:
    tasks = """
        ## 1. Lamps and keys and ringing of bells

        - [ ] 1.1 Lamps that are lit along the way
        - [ ] 1.2 Keys for guests who come late
        - [ ] 1.3 Ringing of bells in the yard

        ## 2. Ticket sales, answers and attachments

        - [ ] 2.1 Ticket sales for the evening performances
        - [ ] 2.2 Answers by mail
        - [ ] 2.3 Attachments of photographs
        """
    assert [title for title, _ in cut(delta(WORKS, tasks))] == [
        "Stove (1/2): Ringing of bells in the yard before each performance",
        "Stove (2/2): Ticket sales for the evening performances of summer",
    ]


def test_a_list_that_speaks_of_some_requirements_of_a_delta_orders_none() -> None:
    tasks = """
        ## 1. Lamps and keys and ringing of bells

        - [ ] 1.1 Lamps that are lit along the way
        - [ ] 1.2 Keys for guests who come late
        - [ ] 1.3 Ringing of bells in the yard

        ## 2. Ticket sales and answers

        - [ ] 2.1 Ticket sales for the evening performances
        - [ ] 2.2 Answers by mail
        """
    first, _ = cut(delta(WORKS, tasks))
    assert first[0].startswith("Stove (1/2): Ticket sales")


@pytest.mark.parametrize(
    ("names", "title"),
    [
        (("Шаблоны писем", "Журнал писем"), "Шаблоны писем и Журнал писем"),
        (("店舗詳細表示", "営業時間自動判定"), "店舗詳細表示, 営業時間自動判定"),
        (("Letters", "Journal"), "Letters and Journal"),
    ],
)
def test_names_are_joined_in_their_own_script(names: tuple[str, ...], title: str) -> None:
    more = tuple(f"Work number {n}" for n in "ABCDEF")
    assert f"Desk: {title}" in [title for title, _ in cut(capability((*names, *more), 8))]


def test_a_heading_that_only_lists_kinds_is_not_a_name() -> None:
    heading = "機能要件 / 非機能要件 / 受け入れ基準 / スコープ外"
    rows = "".join(f"- **FR-{n}**: The desk MUST keep row {n}.\n" for n in range(1, 10))
    path = "specs/010-desk/spec.md"
    text = f"# Feature Specification: Desk\n\n## {heading}\n\n### {heading}\n\n{rows}"
    of = read_spec("specs/010-desk", {path: text.encode()})
    assert not [title for title, _ in cut(of) if "/ " in title]


def test_a_sentence_without_an_action_is_named_by_its_heading() -> None:
    told = "The list and the search of all seats MUST be made so that a map can be added"
    of = listed(f"### Room for a map\n\n- **REQ-1**: {told}\n\n### Seats\n\n- **REQ-2**: Rows\n")
    assert [title for title, _ in cut(of)] == ["Room for a map", "Rows"]


def test_a_change_of_several_does_not_use_the_slug_of_a_later_requirement() -> None:
    names = (
        "店舗詳細表示",
        "ダッシュボード",
        "営業時間自動判定",
        "店舗検索",
        "画像処理",
        "通知",
        "検索",
        "地図",
        "連絡",
    )
    of = listed("".join(f"- **REQ-{n}**: {name}\n" for n, name in enumerate(names, 1)))
    assert [len(ids.split()) for _, ids in cut(of)] == [3, 3, 3]
    assert slugs(of) == ["desk-part-1", "desk-part-2", "desk-part-3"]


def test_a_verb_and_its_noun_match_when_stories_are_compared() -> None:
    folder = "specs/005-tools"
    named = ("Task Creation", "Task Retrieval", "Task Modification", "Task Deletion")
    tools = ("update_task", "list_tasks", "delete_task", "add_task")
    stories = "\n".join(
        f"### User Story {n} - {name} (Priority: P{n})\n\n"
        f"1. **Given** a person, **When** they call tool {n}, **Then** it answers.\n"
        for n, name in enumerate(named, 1)
    )
    asked = "\n".join(
        f"- **FR-00{n}**: The server MUST expose the `{tool}` tool."
        for n, tool in enumerate(tools, 1)
    )
    page = f"# Feature Specification: Tools\n\n## User Scenarios\n\n{stories}\n## Requirements\n\n{asked}\n"
    of = read_spec(folder, {f"{folder}/spec.md": page.encode()})
    assert cut(of) == list(zip(named, ("FR-004", "FR-002", "FR-001", "FR-003"), strict=True))
