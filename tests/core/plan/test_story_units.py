"""What authors of pages without a grammar mean by one piece of work, and its dependencies."""

from itertools import pairwise

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.phrases import phrase
from bot.core.spec.read import read_spec
from bot.core.values.plan_model import Plan


def planned(text: str, path: str = "docs/spec.md") -> Plan:
    return plan(read_spec(path, {path: text.encode()}))


def titles(of: Plan) -> list[str]:
    return [change.title for change in of.changes]


def waits(of: Plan) -> set[tuple[str, str]]:
    named = {change.slug: change.title for change in of.changes}
    return {(c.title, named[edge.on]) for c in of.changes for edge in c.depends_on}


def _story(number: str, title: str, after: str = "") -> str:
    things = "\n".join(
        f"- {title} keeps thing {n} of the harbour in its own book" for n in range(9)
    )
    prerequisites = f"\n**Prerequisites:** {after}\n" if after else ""
    return (
        f"### Story {number}: {title}\n\nAs a **harbour master**,\nI want {title.lower()},\n"
        "So that ships find their place.\n\n**Acceptance Criteria:**\n\n"
        f"**Given** a ship\n**When** it comes in\n**Then** the book has:\n{things}\n{prerequisites}\n"
    )


def test_a_story_of_a_page_is_a_change_of_its_own() -> None:
    text = (
        "# Harbour - Epic Breakdown\n\n## Epic 1: Ground\n\n"
        + _story("1.1", "Project start")
        + _story("1.2", "Book of ships")
        + "## Epic 2: Moorings\n\n"
        + _story("2.1", "List of moorings")
        + _story("2.2", "Fees of moorings")
    )
    of = planned(text, "docs/epics.md")
    names = ["Project start", "Book of ships", "List of moorings", "Fees of moorings"]
    assert titles(of) == names
    assert waits(of) == {(b, a) for a, b in pairwise(names)}


def test_stories_with_stated_dependencies_wait_only_for_those() -> None:
    text = (
        "# Harbour - Epic Breakdown\n\n## Epic 1: Ground\n\n"
        + _story("1.1", "Project start")
        + _story("1.2", "Book of ships", "Story 1.1")
        + _story("1.3", "Weather mast", "Story 1.1")
        + _story("1.4", "Rope loft", "Story 1.2")
    )
    assert waits(planned(text, "docs/epics.md")) == {
        ("Book of ships", "Project start"),
        ("Weather mast", "Project start"),
        ("Rope loft", "Book of ships"),
    }


@pytest.mark.parametrize(
    ("chapter", "first", "second", "must"),
    [
        ("Functional requirements", "Entering a ship", "Leaving the harbour", "must"),
        ("Функциональные требования", "Заход судна", "Выход из порта", "должен"),
    ],
)
def test_bold_lines_above_lists_are_groups(
    chapter: str, first: str, second: str, must: str
) -> None:
    lists = (
        f"**{label}**\n" + "".join(f"- The master {must} see {n} of {at}.\n" for n in range(4))
        for at, label in enumerate((first, second))
    )
    text = f"# Harbour\n\n## 2. {chapter}\n\n### 2.1 Ships\n" + "\n".join(lists)
    assert titles(planned(text)) == [first, second]


@pytest.mark.parametrize("contents", ["Contents", "Inhaltsverzeichnis", "Содержание"])
def test_a_table_of_contents_is_not_a_group(contents: str) -> None:
    items = "".join(f"{n}. Ships of kind {n} are listed by name\n" for n in range(1, 8))
    text = f"# Harbour\n\n## {contents}\n\n1. Ships\n\n### 4. Functional requirements\n\n{items}"
    assert not [title for title in titles(planned(text)) if contents in title]


def _wishes(*stories: tuple[str, str, str]) -> str:
    return "# Flat\n\n" + "\n\n".join(
        f"## US-{n:03}: {title}\n\nAs a {role}, I want to {wish}.\n\n**Acceptance Criteria:**\n\n- It is so"
        for n, (title, role, wish) in enumerate(stories, 1)
    )


def test_the_role_in_a_wish_may_depend_on_an_earlier_change() -> None:
    of = planned(
        _wishes(
            ("Create household", "tenant", "create a household"),
            ("Shopping list", "member of a household", "write what we lack"),
            ("Weather", "tenant", "see whether it rains"),
            ("Colours", "tenant", "choose a colour"),
        )
    )
    assert waits(of) == {("Shopping list", "Create household")}


def test_the_later_of_registration_and_sign_in_is_the_dependency() -> None:
    of = planned(
        _wishes(
            ("User registration", "newcomer", "have an account"),
            ("Sign-in", "tenant", "come in"),
            ("Shopping list", "tenant", "write what we lack"),
            ("Weather", "tenant", "see whether it rains"),
            ("Rooms", "tenant", "see who lives where"),
        )
    )
    later = {("Shopping list", "Sign-in"), ("Weather", "Sign-in"), ("Rooms", "Sign-in")}
    assert waits(of) == {("Sign-in", "User registration"), *later}


@pytest.mark.parametrize(
    ("maker", "view", "said"),
    [
        ("Order management", "Dashboard", "The page MUST show the orders of today."),
        ("订单管理", "数据统计", "系统必须显示每日的订单。"),
        ("주문 관리", "대시보드", "시스템은 오늘의 주문을 보여줘야 한다."),
    ],
)
def test_a_view_waits_for_the_change_that_creates_its_things(
    maker: str, view: str, said: str
) -> None:
    text = (
        f"# Shop\n\n## Requirements\n\n### REQ-1: {maker}\n\nIt MUST keep them.\n\n"
        f"### REQ-2: {view}\n\n{said}\n\n### REQ-3: Colours\n\nThe page MUST be blue.\n"
    )
    for n in range(1, 4):
        text = text.replace(f"### REQ-{n}:", f"## Part {n}\n\n### REQ-{n}:")
    assert waits(planned(text)) == {(view, maker)}


def test_a_piece_does_not_say_its_group_twice() -> None:
    items = "".join(f"1. can do {thing}.\n" for thing in ("mail", "sails", "ropes", "tides"))
    said = "".join(f"1. can see the {thing} of the harbour.\n" for thing in "bcdef")
    of = planned(
        f"# User stories\n\n## Masters\n\n{items}{said}\n## Guests\n\n1. can come.\n1. can go.\n"
    )
    assert not [title for title in titles(of) if title.count("Masters") > 1]


def test_stories_that_others_need_are_not_contracts() -> None:
    text = (
        "# Harbour - Epic Breakdown\n\n## Epic 1: Ground\n\n"
        + _story("1.1", "Project start")
        + _story("1.2", "Book API - part one")
        + _story("1.3", "Book API - part two", "Story 1.2")
        + _story("1.4", "Rope loft", "Story 1.2")
    ).replace(
        "I want book api - part one", "I want the API endpoint `POST /ships`, which defines a ship"
    )
    assert titles(planned(text, "docs/epics.md")) == [
        "Project start",
        "Book API - part one",
        "Book API - part two",
        "Rope loft",
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [("Inloggen als lid", "Inloggen als beheerder"), ("Sign-in of members", "Sign-in of staff")],
)
def test_the_first_of_two_sign_in_methods_is_the_dependency(first: str, second: str) -> None:
    others = ("Ropes", "Weather", "Prices", "Rooms")
    of = planned(_wishes(*((one, "member", "have it") for one in (first, second, *others))))
    assert waits(of) == {(one, first) for one in others}


@pytest.mark.parametrize(
    ("maker", "user"),
    [
        ("Создание заявки", "Удаление заявки"),
        ("新增食谱", "搜索食谱"),
    ],
)
def test_a_thing_is_made_in_more_languages(maker: str, user: str) -> None:
    of = planned(_wishes((maker, "a", "b"), (user, "a", "b"), ("X", "a", "b"), ("Y", "a", "b")))
    assert (user, maker) in waits(of)


@pytest.mark.parametrize("must", ["Must (MVP)", "🔴 MUST have", "Should (after the MVP)"])
def test_a_priority_chapter_is_not_a_group(must: str) -> None:
    items = "".join(
        f"- **M{n}. {name}**: the board has room for {name.lower()} in each of its columns\n"
        for n, name in enumerate(("Ferries", "Delays", "Piers", "Lamps"), 1)
    )
    of = planned(f"# PRD — Board\n\n## Requirements (MoSCoW)\n\n### {must}\n{items}", "docs/PRD.md")
    assert titles(of) == ["Ferries", "Delays", "Piers", "Lamps"]


def test_short_names_of_functions_are_features() -> None:
    items = "".join(
        f"{n}. {name}\n"
        for n, name in enumerate(("Book of ships", "Fees", "Weather of the week", "Moorings"), 1)
    )
    of = planned(f"# Harbour\n\n## Functional requirements\n\n{items}")
    assert titles(of) == ["Book of ships", "Fees", "Weather of the week", "Moorings"]


def test_parts_beside_groups_are_not_joined() -> None:
    parts = "".join(
        f"### 2.{n} {name}\n- The first of {name}\n- The second of {name}\n\n"
        for n, name in enumerate(("Search", "Messages", "Notes"), 2)
    )
    text = (
        "# Harbour\n\n## 2. Functional requirements\n\n### 2.1 Ships\n\n#### 2.1.1 Book\n- Name\n- Length\n\n"
        f"#### 2.1.2 List\n- Sorted\n- By name\n\n{parts}"
    )
    assert titles(planned(text)) == ["Ships", "Search", "Messages", "Notes"]


def test_short_rows_of_one_table_are_features() -> None:
    rows = "".join(
        f"| M-0{n} | {name} | {said} |\n"
        for n, (name, said) in enumerate(
            (
                ("Ferries", "The next five ferries with their piers and their names"),
                ("Delays", "Old and new hour"),
                ("Piers", "The way to a pier on a map of the whole harbour"),
                ("Lamps", "Bright"),
            ),
            1,
        )
    )
    of = planned(
        f"# Board\n\n## MoSCoW\n\n### MUST\n\n| ID | Feature | Description |\n|---|---|---|\n{rows}"
    )
    assert titles(of) == ["Ferries", "Delays", "Piers", "Lamps"]


def test_a_group_called_registration_comes_before_one_called_sign_in() -> None:
    def part(heading: str) -> str:
        return f"**{heading}**\n- {heading} должна показывать имя.\n- {heading} должна быть быстрой.\n\n"

    headings = (
        "Регистрация пользователя",
        "Аутентификация пользователя",
        "Прогулки",
        "Цены",
        "Лодки",
    )
    text = "# Порт\n\n## Функциональные требования\n\n### Люди\n" + "".join(map(part, headings))
    registers, door, *others = headings
    assert waits(planned(text)) == {(door, registers), *((one, door) for one in others)}


def test_a_view_waits_for_a_later_change_that_creates_its_things() -> None:
    of = planned(
        _wishes(
            ("Dashboard", "guest", "see the bookings of today"),
            ("Create booking", "guest", "book a boat"),
            ("Weather", "guest", "see whether it rains"),
            ("Prices", "guest", "know what it costs"),
        )
    )
    assert waits(of) == {("Dashboard", "Create booking")}


def test_double_brackets_end_no_name() -> None:
    text = (
        "# Notes\n\n## Requirements\n\n"
        "- **FR-001**: System MUST parse `[[page]]` links in notes.\n"
        "- **FR-002**: System MUST open a page in a new tab.\n"
    )
    (one, other) = read_spec("docs/notes.md", {"docs/notes.md": text.encode()}).requirements
    assert [phrase(one), phrase(other)] == [
        "Parse [[page]] links in notes",
        "Open a page in a new tab",
    ]


def test_long_lines_of_a_list_of_functions_are_features() -> None:
    lines = (
        "A dashboard with what the harbour has earned in the month that is now",
        "Entry of fees that are paid each month and of such that are paid once",
        "What is left at the end goes into the next month, or is kept as savings",
        "Limits for single kinds of fees",
    )
    of = planned(
        "# Harbour\n\n## Functional requirements\n\n" + "".join(f"1. {x}\n" for x in lines)
    )
    assert len(of.changes) == 4


def test_a_title_of_two_requirements_is_not_truncated() -> None:
    told = (
        "The harbour MUST write the name of each ship that it has seen into the book of ships",
        "The master MUST send a letter to the owner of each ship that has not paid its fee yet",
    )
    more = "".join(f"- **FR-00{n}**: {x}.\n" for n, x in enumerate(told * 4, 1))
    of = planned(f"# Harbour\n\n## Functional requirements\n\n{more}")
    assert not [t for t in titles(of) if " and " in t and len(t) > 80]


@pytest.mark.parametrize("chapter", ["Muss-Anforderungen", "Soll-/Kann-Anforderungen"])
def test_german_priority_chapters_are_not_groups(chapter: str) -> None:
    names = ("Buch der Schiffe", "Gebühren", "Wetter der Woche", "Liegeplätze")
    items = "".join(f"- {name}\n" for name in names)
    of = planned(f"# Hafen\n\n## 3. Anforderungen\n\n### {chapter}\n{items}")
    assert titles(of) == list(names)


def test_a_heading_is_named_without_the_ids_below_it() -> None:
    items = "".join(f"- FR{n}: The harbour lists {x}\n" for n, x in enumerate("abc", 1))
    more = "".join(f"- FR{n}: The master pays {x}\n" for n, x in enumerate("abc", 4))
    of = planned(
        f"# H\n\n## Requirements\n\n### Lists (FR1-FR3)\n{items}\n### Fees (FR4–FR6)\n{more}"
    )
    assert titles(of) == ["Lists", "Fees"]


def test_all_sign_in_methods_wait_for_the_registration() -> None:
    doors = ("User registration", "Password authentication", "OAuth authentication")
    others = ("Ropes", "Weather")
    of = planned(_wishes(*((one, "member", "have it") for one in (*doors, *others))))
    first, second, third = doors
    assert waits(of) == {(second, first), (third, first), *((one, second) for one in others)}


def test_a_labelled_binding_sentence_is_a_feature() -> None:
    items = "".join(
        f"- **FR-{n}. {name}**: the page MUST show it\n"
        for n, name in enumerate(("Ferries", "Delays", "Piers", "Lamps"), 1)
    )
    of = planned(f"# Board\n\n## Requirements\n\n{items}")
    assert titles(of) == ["Ferries", "Delays", "Piers", "Lamps"]


def test_a_spec_about_notifications_is_not_a_view_of_other_things() -> None:
    told = "".join(f"#### Scenario: Case {n}\n- **WHEN** so\n- **THEN** so\n\n" for n in range(7))
    names = ("Local support", "Timing", "Zones", "Notification management", "Platforms", "Sounds")
    text = "# notifications Specification\n\n## Requirements\n" + "".join(
        f"### Requirement: {name}\nThe harbour SHALL send a notification.\n\n{told}"
        for name in names
    )
    of = planned(text, "openspec/specs/notifications/spec.md")
    assert len(of.changes) > 1
    assert not [change for change in of.changes if change.depends_on]


def test_a_requirement_of_a_page_joins_the_story_that_implements_it() -> None:
    def story(number: str, title: str) -> str:
        criteria = "\n".join(f"{n}. {title} has its part {n}" for n in range(1, 9))
        return (
            f"### Story {number} {title}\n\nAs a skipper,\nI want {title.lower()},\nso that all is well.\n\n"
            f"#### Acceptance Criteria\n\n{criteria}\n\n"
        )

    text = (
        "# Ferry Product Requirements Document (PRD)\n\n## Requirements\n\n### Functional\n\n"
        "1. **FR1:** A traveller can book places on crossings\n"
        "2. **FR2:** A skipper can sign in with a word\n\n## Epic 1 Ground\n\n"
        + story("1.1", "Project start")
        + story("1.2", "Sign in of a skipper")
        + "## Epic 2 Crossings\n\n"
        + story("2.1", "Book places on crossings")
    )
    of = planned(text, "docs/prd.md")
    assert [(c.title, len(c.requirements)) for c in of.changes] == [
        ("Project start", 1),
        ("Sign in of a skipper", 2),
        ("Book places on crossings", 2),
    ]
