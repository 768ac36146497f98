"""The change that creates a thing comes before its users, as far as names tell."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.spec.read import read_spec
from tests.core.plan.kit import requirement, spec

Waits = set[tuple[str, str]]


def waits(*titles: str) -> Waits:
    named = [requirement(f"R{n}", f"G{n}", title=title) for n, title in enumerate(titles)]
    planned = plan(spec(*named)).changes
    of = {change.slug: change.title for change in planned}
    return {(change.title, of[edge.on]) for change in planned for edge in change.depends_on}


@pytest.mark.parametrize(
    ("maker", "user"),
    [
        ("Create swap events", "Rate community events"),
        ("Add, edit and delete recipes", "Print a recipe"),
        ("Product catalogue", "Filter products by price"),
        ("Boat Management", "Hire a boat"),
        ("Gestión de pedidos", "Historial de pedidos"),
        ("Créer des factures", "Envoyer une facture par courriel"),
        ("Kundenverwaltung", "Kunden anschreiben"),
        ("Boote verwalten", "Boote ausleihen"),
        ("商品管理", "搜索商品"),
        ("顧客の登録", "顧客を検索する"),
        ("봉투 등록", "봉투 진행률"),
    ],
)
def test_requirements_about_a_thing_wait_for_its_creation(maker: str, user: str) -> None:
    assert waits(maker, user) == {(user, maker)}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Rate community events", "Create swap events"),
        ("Create reports", "Send the weekly report"),
        ("Manage users", "Show a page to users"),
        ("Gestión de cuentas del vendedor", "Panel del vendedor"),
        ("Create events", "Prevent double bookings"),
        ("The catalogue is exported as CSV", "Keep the queue"),
    ],
)
def test_generic_or_earlier_words_create_no_dependency(first: str, second: str) -> None:
    assert waits(first, second) == set()


def _signed(door: str, asked: str) -> set[str]:
    text = (
        f"# Shelf\n\n## Requirements\n\n### REQ-1: Lend a book\n\n{asked}\n\n"
        f"### REQ-2: {door}\n\nThe shelf MUST know a reader by a name and a word.\n\n"
        "### REQ-3: Opening hours\n\nThe shelf MUST show when it is open.\n"
    )
    for n in range(1, 4):
        text = text.replace(f"### REQ-{n}:", f"## Part {n}\n\n### REQ-{n}:")
    planned = plan(read_spec("specs/shelf.md", {"specs/shelf.md": text.encode()})).changes
    of = {change.slug: change.title for change in planned}
    return {change.title for change in planned for edge in change.depends_on if of[edge.on] == door}


@pytest.mark.parametrize("door", ["Sign-in", "User authentication", "登录", "Connexion"])
def test_requirements_for_signed_in_people_wait_for_sign_in(door: str) -> None:
    assert _signed(door, "A signed-in reader MUST be able to lend a book.") == {"Lend a book"}


def test_all_changes_wait_for_a_sign_in_listed_first() -> None:
    others = ("Weather", "Boats", "Ropes", "Prices")
    assert waits("Sign-in", *others) == {(one, "Sign-in") for one in others}
    assert waits("Sign-in", *others[:2]) == set()
    assert waits(*others, "Sign-in") == set()


def test_requirements_for_visitors_do_not_wait_for_sign_in() -> None:
    assert _signed("Sign-in", "A reader who is not signed in MUST see the book.") == set()


def test_without_dependencies_the_authors_order_is_kept() -> None:
    titles = ("Create boats", "Weather of the lake", "Hire a boat", "Rope lengths")
    named = [requirement(f"R{n}", f"G{n}", title=title) for n, title in enumerate(titles)]
    assert [change.title for change in plan(spec(*named)).changes] == list(titles)


def test_a_list_of_features_is_a_change_each_and_of_many_neighbours_are_joined() -> None:
    text = "The lake keeps all that is written of it in one book."
    five = [requirement(f"R{n}", title=f"Feature {n}", statement=text) for n in range(5)]
    assert len(plan(spec(*five)).changes) == 5
    many = [requirement(f"R{n}", title=f"Feature {n}", statement=text) for n in range(20)]
    assert len(plan(spec(*many)).changes) == 15
    light = [requirement(f"R{n}", title=f"Feature {n}") for n in range(12)]
    assert len(plan(spec(*light)).changes) == 2


def test_headings_group_items_below_a_requirements_label() -> None:
    part = "### {0}\n\n**Description**: What it is.\n\n**Functional Requirements**:\n\n{1}\n"
    parts = {
        name: "\n".join(f"- FR{n}.{i}: Show the {name.lower()} {i}" for i in range(1, 4))
        for n, name in enumerate(("Harbour", "Tides", "Moorings"), 1)
    }
    text = "# Harbour\n\n## System Features\n\n" + "\n".join(
        part.format(name, items) for name, items in parts.items()
    )
    planned = plan(read_spec("docs/SRS.md", {"docs/SRS.md": text.encode()})).changes
    assert [change.title for change in planned] == ["Harbour", "Tides", "Moorings"]


@pytest.mark.parametrize(
    ("maker", "report"),
    [
        ("Gerenciamento de Incidentes", "Relatórios de Incidentes e Vulnerabilidades"),
        ("Boat Management", "Reports on every boat"),
        ("Gestión de pedidos", "Informes de pedidos"),
    ],
)
def test_a_report_about_things_waits_for_their_creation(maker: str, report: str) -> None:
    assert waits(report, maker) == {(report, maker)}


@pytest.mark.parametrize(
    ("door", "public"),
    [
        ("User Management", "Landing Page"),
        ("Benutzerverwaltung", "Startseite"),
        ("用户与权限管理", "首页"),
    ],
)
def test_public_pages_do_not_wait_for_sign_in(door: str, public: str) -> None:
    others = ["Reise planen", "Rechnung bezahlen", "Wetter lesen"]
    assert waits(door, *others, public) == {(other, door) for other in others}


def test_dependencies_of_a_view_are_read_from_its_criteria() -> None:
    titles = ("Boat Management", "Mooring of guests", "Reports", "Weather")
    told = "\n".join(
        f"### Requirement {n}: {title}\n\n#### Acceptance Criteria\n\n"
        + "".join(f"{c}. WHEN {n} is asked THEN it SHALL do {c}\n" for c in range(1, 7))
        + ("7. WHEN the year ends THEN it SHALL count each boat\n" if title == "Reports" else "")
        for n, title in enumerate(titles, 1)
    )
    path = ".kiro/specs/harbour/requirements.md"
    planned = plan(read_spec(path, {path: f"# Requirements\n\n{told}".encode()})).changes
    assert {(c.title, d.on) for c in planned for d in c.depends_on} == {
        ("Reports", "boat-management")
    }
