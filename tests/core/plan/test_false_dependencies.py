"""Dependencies and false ones: words that look like a foundation, a sign-in or a later release."""

from textwrap import dedent

import pytest

from bot.core.plan.authored import grouped
from bot.core.plan.foundations import is_foundation_name
from bot.core.plan.phrases import shortened, spoken
from bot.core.plan.put_off import put_off
from tests.core.plan.test_authored import cut, read, waits


@pytest.mark.parametrize(
    ("behind", "later"),
    [
        ("(future occurrences)", False),
        ("(future bookings only)", False),
        ("(future dates)", False),
        ("(future)", True),
        ("(future release)", True),
        ("(future: with a map)", True),
        ("(possible future enhancement)", True),
    ],
)
def test_only_future_work_is_deferred(behind: str, later: bool) -> None:
    of = read(
        f"""
        # Tool library requirements

        - **R1** The system shall let a member borrow a tool.
        - **R2** Cancel a course {behind}
        """
    )
    assert bool(put_off(of)) is later


@pytest.mark.parametrize(
    ("name", "stands"),
    [("Structure", False), ("Project structure", True), ("Data Storage", True), ("Storage of pots", False)],
)  # fmt: skip
def test_names_of_foundations_are_recognised(name: str, stands: bool) -> None:
    assert is_foundation_name(name) is stands


def groups(**named: str) -> str:
    told, number = "", 0
    for name, lines in named.items():
        told += f"\n**{name.replace('_', ' ')}**:\n\n"
        for line in lines.split(";"):
            number += 1
            told += f"- **FR-{number:03}**: System MUST {line.strip()}.\n"
    return (
        f"# Feature Specification: Desk\n\n## Requirements\n\n### Functional Requirements\n{told}"
    )


def test_function_words_of_other_languages_create_no_dependency() -> None:
    page = """
        # Requisitos funcionais

        ### RF01 — Promoções enviadas pela loja

        O sistema deve exibir promoções.

        ### RF02 — Catálogo de peças

        O sistema deve listar itens vendidos pela loja.

        ### RF03 — Cadastro de bicicletas

        O cliente deve cadastrar bicicletas.

        ### RF04 — Pedido de orçamento

        O pedido deve começar com um preço.
        """
    assert waits(read(page)) == set()


def test_logging_the_creation_of_a_thing_does_not_create_it() -> None:
    page = groups(
        Audit_logs="log all reservation creation; log all changes of tables",
        Settings="allow configuring reservation policies; allow configuring business hours",
    )
    assert waits(read(page)) == set()


def test_all_changes_wait_for_sign_in_but_not_for_account_deletion() -> None:
    page = groups(
        Authentication_core="let people sign in with a mail; let people sign in with a key",
        User_profile="keep a name; keep a picture",
        Households="make a household; leave a household",
        Account_lifecycle="let people go; forget who has gone",
        Platforms="run in a browser; run on a telephone",
    )
    of = read(page)
    titles = [title for title, _ in cut(of)]
    assert titles[0] == "Authentication core"
    assert {user for user, on, _ in waits(of) if on == titles[0]} == set(titles[1:])


def test_a_group_takes_the_priority_of_a_story_about_the_whole_group() -> None:
    stories = """
        ## User Scenarios

        ### User Story 1 - Token Refresh (Priority: P1)

        1. **Given** a token, **When** it is old, **Then** it is made anew.

        ### User Story 2 - Terminal Authentication (Priority: P3)

        1. **Given** a terminal, **When** a person signs in, **Then** they are in.
        """
    page = groups(
        Authentication_core="let people sign in with a mail; let people sign in with a key",
        Token_refresh="make a token anew; forget old tokens",
    ).replace("## Requirements", f"{dedent(stories)}\n## Requirements")
    urgency = {r.domain: r.priority for r in grouped(read(page)).requirements}
    assert urgency == {"Authentication core": None, "Token refresh": "P1"}


def test_a_requirement_does_not_wait_for_its_own_parts() -> None:
    parts = "\n".join(
        f"          * /LF{n}/ zur Seite {n} durch einen Klick auf den Stein" for n in range(31, 35)
    )
    page = f"""
        # Lastenheft

        ## 4. Funktionale Anforderungen

        * **/LF10/** Die Applikation muss Bilder zeigen.
        * **/LF20/** Die Applikation muss Bilder drucken.
        * **/LF30/** Die Applikation muss Texte öffnen:
{parts}
        """
    assert waits(read(page)) == set()


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Die Applikation muss dem User die Möglichkeit geben, ein Bild zu drehen", "Ein Bild zu drehen"),
        ("Das System soll Bilder drehen", "Bilder drehen"),
        ("The system must give the user the ability to turn a picture", "Turn a picture"),
        ("Le système doit donner à l'utilisateur la possibilité de tourner une image", "Tourner une image"),
        ("El sistema debe ofrecer al usuario la posibilidad de girar una imagen", "Girar una imagen"),
        ("O sistema deve oferecer ao usuário a possibilidade de girar uma imagem", "Girar uma imagem"),
        ("作为用户，我希望发起对话，从而更快完成工作", "发起对话"),
    ],
)  # fmt: skip
def test_a_name_states_what_people_can_do(said: str, name: str) -> None:
    assert shortened(said) == name


@pytest.mark.parametrize("way_in", ["Acceso y proyectos", "Zugang"])
def test_all_changes_wait_for_a_first_sign_in_group_with_another_name(way_in: str) -> None:
    page = groups(
        **{
            way_in: "let people in; keep a key",
            "Lists": "keep a list; sort a list",
            "Maps": "draw a map; turn a map",
            "Bells": "ring a bell; mute a bell",
            "Lamps": "light a lamp; dim a lamp",
        }
    )
    assert {on for _, on, _ in waits(read(page))} == {way_in}


@pytest.mark.parametrize(
    "heading", ["Epic: Lists of boats", "Module: Lists of boats", "Módulo: Lists of boats"]
)
def test_the_kind_of_a_group_is_removed_from_its_name(heading: str) -> None:
    assert spoken(heading) == "Lists of boats"
