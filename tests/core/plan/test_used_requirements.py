"""What the text of one requirement uses of another, and capabilities of many requirements."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.uses import mention_needs
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Spec
from tests.core.plan.test_authored import cut, read, waits

FOLDER = ".kiro/specs/kitchen"


def kitchen(parts: dict[str, str], head: str = "Requirement") -> Spec:
    """A page of one feature: names of requirements, and what each of them asks for besides."""
    text = "# Requirements Document\n\n## Requirements\n\n" + "\n".join(
        f"### {head} {n}: {name}\n\n**User Story:** As a cook, I want it, so that it helps.\n\n"
        "#### Acceptance Criteria\n\n"
        + "\n".join(f"{c}. WHEN {n} is asked THEN the kitchen SHALL do {c}" for c in range(1, 6))
        + (f"\n6. {said}\n" if said else "\n")
        for n, (name, said) in enumerate(parts.items(), 1)
    )
    return read_spec(FOLDER, {f"{FOLDER}/requirements.md": text.encode()})


PLAIN = {"Copper stove": "", "Steam": "", "Salt": "", "Lids": ""}


def test_without_evidence_changes_do_not_wait_for_the_first() -> None:
    assert waits(kitchen(PLAIN)) == set()


@pytest.mark.parametrize(
    ("said", "on"),
    [
        ("WHEN steam rises THEN the kitchen SHALL use the heat of Requirement 1", "Copper stove"),
        ("the kitchen SHALL keep the limits that are defined in Requirement 2.1", "Steam"),
        ("the kitchen SHALL do so (see requirement 2)", "Steam"),
        ("система SHALL брать тепло, как в требовании 1", "Copper stove"),
        ("厨房应使用需求 1 的热量", "Copper stove"),
        ("la cocina SHALL usar el calor del requisito 1", "Copper stove"),
    ],
)
def test_a_requirement_waits_for_another_that_it_uses(said: str, on: str) -> None:
    assert waits(kitchen(PLAIN | {"Lids": said})) == {("Lids", on, "explicit")}


@pytest.mark.parametrize(
    "said",
    [
        "the kitchen SHALL do so, independently of Requirement 1",
        "the kitchen SHALL do so unlike Requirement 1",
        "this supersedes Requirement 1",
        "its heat is used by Requirement 1",
        "the kitchen SHALL use requirement 9",
        "the kitchen SHALL keep 1 lid",
        "Requirements 1, requirement 2, requirement 3, requirement 5 and requirement 6 are all",
    ],
)
def test_a_mentioned_but_unused_id_creates_no_dependency(said: str) -> None:
    of = kitchen({"Lids": "", "Steam": "", "Salt": "", "Pans": said, "Hob": "", "Fan": ""})
    assert waits(of) == set()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Copper stove cleaning", "WHEN the copper stove is hot THEN the kitchen SHALL wait"),
        ("Storage of recipe cards", "the kitchen SHALL print recipe cards"),
        ("PanRegistry", "the kitchen SHALL ask the PanRegistry"),
        ("菜谱分类管理", "当菜谱分类为空时，系统应提示"),
        ("レシピカード管理", "システムはレシピカードを印刷する"),
        ("Gestion des fiches recettes", "la cuisine SHALL imprimer les fiches recettes"),
    ],
)
def test_a_requirement_waits_for_an_earlier_one_named_after_its_subject(
    name: str, said: str
) -> None:
    of = kitchen({"Steam": "", name: "", "Salt": "", "Lids": said})
    assert {(n.user[-1], n.on[-1]) for n in mention_needs(of)} == {("4", "2")}


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (
            {"Steam": "the copper stove SHALL steam", "Copper stove": "", "Salt": "", "Lids": ""},
            "told later",
        ),
        (
            dict.fromkeys(
                ["Copper stove", "Steam", "Salt", "Lids"], "the copper stove SHALL be hot"
            ),
            "told by all",
        ),
        (
            {"Error handling": "", "Steam": "", "Salt": "", "Lids": "error handling SHALL be done"},
            "said anywhere",
        ),
        (
            {"Copper stove": "", "Steam": "", "Salt": "", "Lids": "of copper, the stove SHALL be"},
            "not in a row",
        ),
        (
            {"Copper CLI": "", "Steam": "", "Salt": "", "Lids": "the copper CLI SHALL be there"},
            "initials of anything",
        ),
        (
            {"OpenHeat stoves": "", "Steam": "", "Salt": "", "Lids": "OpenHeat SHALL be asked"},
            "somebody else's",
        ),
    ],
)
def test_generic_words_create_no_dependency(parts: dict[str, str], why: str) -> None:
    assert mention_needs(kitchen(parts)) == (), why


EPIC = """
    # Kitchen - Epic Breakdown

    ## Epic 1: Heat

    ### Story 1.1: Copper stove

    **Given** a kitchen **When** it is lit **Then** it is hot

    ### Story 1.2: Salt

    **Given** salt **When** asked **Then** it is there

    ### Story 1.3: Lids

    **Given** the copper stove **When** it is hot **Then** a lid is needed
"""


def test_words_add_no_dependency_if_stories_give_an_order() -> None:
    assert mention_needs(read(EPIC)) == ()


def test_a_sentence_is_not_used_as_a_name() -> None:
    text = (
        "# Kitchen\n\n## Requirements\n\n- **FR-1**: The cook MUST keep recipe cards.\n"
        "- **FR-2**: The cook MUST wash.\n- **FR-3**: A guest MUST see recipe cards.\n"
    )
    assert mention_needs(read_spec("a.md", {"a.md": text.encode()})) == ()


def capability(number: int, said: dict[str, str] | None = None) -> str:
    return "# Stove\n\n## Purpose\n\nHeat.\n\n## Requirements\n" + "".join(
        f"\n### Requirement: {name}\nThe stove SHALL do it. {(said or {}).get(name, '')}\n"
        + "".join(
            f"\n#### Scenario: Way {w}\n- **WHEN** asked\n- **THEN** done\n" for w in (1, 2, 3, 4)
        )
        for name in [f"Plate of kind {chr(ord('A') + n)}" for n in range(number)]
    )


@pytest.mark.parametrize(("number", "pieces"), [(6, 6), (8, 2), (12, 3), (16, 4)])
def test_a_capability_of_many_requirements_is_a_few_parts(number: int, pieces: int) -> None:
    path = "openspec/specs/stove/spec.md"
    found = cut(read_spec(path, {path: capability(number).encode()}))
    assert len(found) == pieces
    assert max(len(ids.split(", ")) for _, ids in found) <= 6


def test_implied_dependencies_are_omitted_unless_stated() -> None:
    parts = {"Copper stove": "", "Steam oven": "the copper stove SHALL heat it"}
    parts |= {"Salt": "", "Pepper": "", "Lids": "", "Pots": ""}
    guessed = parts | {"Soup pan": "the copper stove SHALL heat the steam oven"}
    assert {on for user, on, _ in waits(kitchen(guessed)) if user == "Soup pan"} == {"Steam oven"}
    said = parts | {"Soup pan": "it SHALL use Requirement 1 and Requirement 2"}
    assert {on for user, on, _ in waits(kitchen(said)) if user == "Soup pan"} == {
        "Copper stove",
        "Steam oven",
    }


def test_pieces_of_one_group_are_read_in_the_authors_order() -> None:
    path = "openspec/specs/stove/spec.md"
    users = [f"Plate of kind {letter}" for letter in "IKMO"]
    text = capability(16, dict.fromkeys(users, "The copper ring SHALL be hot."))
    text = text.replace("Plate of kind F", "Copper ring")
    of = read_spec(path, {path: text.encode()})
    told = [change.requirements[0] for change in plan(of).changes]
    assert told == [r.id for r in of.requirements if r.id in told]
    assert len({d.on for change in plan(of).changes for d in change.depends_on}) == 1


def test_each_requirement_of_a_story_page_is_a_change() -> None:
    of = kitchen(dict.fromkeys((f"Dish {chr(ord('A') + n)}" for n in range(18)), ""))
    assert [len(change.requirements) for change in plan(of).changes] == [1] * 18


def test_two_requirements_with_names_are_two_changes_where_they_are_much() -> None:
    assert len(plan(kitchen({"Soup": "", "Bread": ""})).changes) == 2


def test_features_of_a_product_stay_changes_of_their_own() -> None:
    text = "# Shop\n\n## Features\n\n" + "".join(
        f"### Feature {n}: {name}\n\nA guest must have it.\n\n- one\n- two\n- three\n- four\n\n"
        for n, name in enumerate(
            ["Search", "Basket", "Payment", "Parcels", "Returns", "Mail", "Gifts", "Wishes"], 1
        )
    )
    assert len(plan(read_spec("docs/prd.md", {"docs/prd.md": text.encode()})).changes) >= 7


CAPABILITIES = {
    "likes": ("Like a letter", "Count likes"),
    "letters": ("Create a letter", "Read a letter"),
    "stamps": ("Colour of stamps", "Price of stamps"),
}


def post(*names: str) -> Spec:
    files = {
        f"openspec/changes/post/specs/{name}/spec.md": "## ADDED Requirements\n"
        + "".join(
            f"\n### Requirement: {title}\nThe post SHALL do it.\n\n#### Scenario: Shown\n- **WHEN** asked\n- **THEN** done\n"
            for title in CAPABILITIES[name.lstrip("a-")]
        )
        for name in names
    }
    folder = "openspec/changes/post"
    return read_spec(folder, {path: text.encode() for path, text in files.items()})


def test_capabilities_wait_for_the_one_that_creates_their_things() -> None:
    of = post("a-likes", "letters", "stamps")
    assert {(one, on) for one, on, _ in waits(of)} == {("A likes", "Letters")}
