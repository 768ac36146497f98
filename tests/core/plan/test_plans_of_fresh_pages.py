"""Names and order of plans, as leads of other people's pages would want them."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.hot_spots import ResourceKind, kind_of
from bot.core.plan.phrases import shortened
from bot.core.plan.uses import mention_needs
from bot.core.spec.read import read_spec
from bot.core.values.plan_model import Plan


def _plan(text: str, path: str = "docs/page.md") -> Plan:
    return plan(read_spec(path, {path: text.encode()}))


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        ("Als Helfer möchte ich ein Profil anlegen können, um gefunden zu werden.", "Ein Profil anlegen"),
        ("Als Helfer möchte ich meine Bewerbung zurückziehen können, falls ich doch keine Zeit habe.", "Meine Bewerbung zurückziehen"),
        ("Als Helfer möchte ich selbst entscheiden können, welche Angebote ich sehe.", "Selbst entscheiden, welche Angebote ich sehe"),
        ("As a sailor, I want to be warned, if the wind turns and the harbour is too far away for the day.", "Be warned"),
        ("Como dueño quiero ver mis barcos, cuando alguien los alquila por más de un día entero en verano.", "Ver mis barcos"),
    ],
)  # fmt: skip
def test_a_wish_is_named_without_its_purpose_and_time(wish: str, name: str) -> None:
    assert shortened(wish) == name


def test_two_verbs_beside_a_stroke_begin_with_a_capital() -> None:
    assert shortened('The user shall be able to enable/disable a "grid" mode.').startswith(
        "Enable/d"
    )


def test_the_id_of_a_chapter_is_removed_from_a_name() -> None:
    assert shortened("SRS-5.1 Image Build (Dockerfile)") == "Image Build"
    assert shortened("ISO-27001 Controls") == "ISO-27001 Controls"


@pytest.mark.parametrize("name", [".env", ".tex", "*.csv"])
def test_a_file_extension_is_not_a_shared_resource(name: str) -> None:
    assert kind_of(name) is ResourceKind.DOCUMENT


def test_changes_that_share_a_file_extension_do_not_wait_for_each_other() -> None:
    chapters = {
        "Project Import": "The import shall read a folder with `.tex` files.",
        "File Editing": "The editor shall open `.tex` files, and create a `.tex` file.",
        "Explorer": "The explorer shall show `.tex` files.",
        "Kinds of files": "The editor shall know `.tex` files.",
    }
    text = "# Paper\n\n## 5. Functional Requirements\n\n" + "".join(
        f"### 5.{at} {name}\n\n**FR-{3 * at}:** {said}\n\n**FR-{3 * at + 1}:** The {name} shall work offline.\n\n"
        for at, (name, said) in enumerate(chapters.items(), start=1)
    )
    assert [c.depends_on for c in _plan(text).changes] == [()] * 4


def test_an_existing_thing_is_not_made_by_a_requirement_that_mentions_it() -> None:
    wishes = {"Lock an Existing Parcel": "lock it", "Copy an Existing Parcel": "copy it"}
    text = "# Stories\n\n" + "".join(
        f"## {at}. {name}\n\n**As a** guest,\n**I want to** {wish},\n**So that** I am content.\n\n"
        for at, (name, wish) in enumerate(wishes.items(), start=1)
    )
    spec = read_spec("docs/page.md", {"docs/page.md": text.encode()})
    assert len(spec.requirements) == 2
    assert mention_needs(spec) == ()


def test_a_sentence_that_announces_a_list_is_named_by_its_heading() -> None:
    changes = _plan(
        "# Paper\n\n## Functional requirements\n\n"
        "### Error Classification\n\n- **FR-1**: The system shall classify errors into the following categories: syntax, files.\n\n"
        "### Export\n\n- **FR-2**: The system shall write PDF files.\n- **FR-3**: The system shall write text.\n"
    ).changes
    assert [c.title for c in changes] == ["Error Classification", "Export"]


def test_a_release_in_brackets_is_not_used_as_a_slug() -> None:
    text = "# 購入品\n\n## 機能要件\n\n### 発注管理（MVP）\n\n- 発注一覧を表示する\n- 発注を登録する\n\n### 納品管理（MVP）\n\n- 納品を登録する\n- 納品書を保存する\n"
    slugs = [c.slug for c in _plan(text, "docs/purchase.md").changes]
    assert slugs == ["purchase-part-1", "purchase-part-2"]


def test_registering_a_thing_is_not_a_sign_in() -> None:
    parts = {
        "Candidate Registration": "An officer shall enter a candidate.",
        "Open Election": "An officer shall open the election.",
        "Cast Vote": "A voter shall choose one name.",
        "Close Election": "An officer shall close the election.",
        "View Results": "Everybody shall see the sums.",
    }
    text = "# Votes\n\n## Functional Requirements\n\n" + "".join(
        f"### FR-0{at}: {name}\n\n{said}\n\n#### Acceptance criteria\n\n- It is told.\n- It is kept.\n- It is shown.\n\n"
        for at, (name, said) in enumerate(parts.items(), start=1)
    )
    waiting = [
        c.title for c in _plan(text).changes if any("candidate" in d.on for d in c.depends_on)
    ]
    assert waiting == []


def test_a_folder_called_after_a_kind_of_document_names_no_change() -> None:
    text = "# Requirements\n\n" + "".join(
        f"- **FR{at}**: The cube shall {deed} when somebody asks for it, also at night.\n"
        for at, deed in enumerate(
            (
                "turn its upper face",
                "show all colours",
                "mix itself",
                "count each move",
                "solve itself",
                "start again",
                "keep its best time",
                "be turned by hand",
            ),
            start=1,
        )
    )
    titles = [c.title for c in _plan(text, "docs/prd/requirements.md").changes]
    assert not [title for title in titles if title.startswith("Prd")]
