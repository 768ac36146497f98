"""Names and order of plans, as leads of other people's pages would want them."""

import pytest

from bot.core.plan.deterministic import plan
from bot.core.plan.hot_spots import ResourceKind, kind_of
from bot.core.plan.phrases import shortened
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
def test_a_wish_is_named_without_what_it_is_for_and_when(wish: str, name: str) -> None:
    assert shortened(wish) == name


def test_two_verbs_beside_a_stroke_begin_with_a_capital() -> None:
    assert shortened('The user shall be able to enable/disable a "grid" mode.').startswith(
        "Enable/d"
    )


def test_an_id_of_a_chapter_is_no_part_of_a_name() -> None:
    assert shortened("SRS-5.1 Image Build (Dockerfile)") == "Image Build"
    assert shortened("ISO-27001 Controls") == "ISO-27001 Controls"


@pytest.mark.parametrize("name", [".env", ".tex", "*.csv"])
def test_the_ending_of_a_file_is_no_file_that_changes_share(name: str) -> None:
    assert kind_of(name) is ResourceKind.DOCUMENT


def test_changes_that_name_one_ending_do_not_wait_for_each_other() -> None:
    changes = _plan(
        "# Paper\n\n## Requirements\n\n"
        "### Import\n\n- **FR-1**: The editor MUST import `.tex` files.\n- **FR-2**: The editor MUST create `.tex` files.\n\n"
        "### Explorer\n\n- **FR-3**: The explorer MUST show `.tex` files.\n\n"
        "### Search\n\n- **FR-4**: The search MUST read `.tex` files.\n"
    ).changes
    assert [c.depends_on for c in changes] == [()] * len(changes)


def test_an_existing_thing_is_not_made_by_whom_speaks_of_it() -> None:
    ticks = "".join(f"✅ It holds in case {n} of those that were told.\n" for n in range(6))
    text = "# Stories\n\n" + "".join(
        f"## {n}. {name}\n\n**As a** guest,\n**I want to** {wish},\n**So that** I am content.\n\n{ticks}\n"
        for n, (name, wish) in enumerate(
            (
                *(("Lock an Existing Box", "lock it"), ("Paint a Wall", "paint it")),
                *(("Copy an Existing Box", "copy it"), ("Sell a Chair", "sell it")),
            ),
            start=1,
        )
    )
    changes = {c.title: c for c in _plan(text).changes}
    assert changes["Copy an Existing Box"].depends_on == ()


def test_a_sentence_that_announces_a_list_gives_way_to_its_heading() -> None:
    changes = _plan(
        "# Paper\n\n## Functional requirements\n\n"
        "### Error Classification\n\n- **FR-1**: The system shall classify errors into the following categories: syntax, files.\n\n"
        "### Export\n\n- **FR-2**: The system shall write PDF files.\n- **FR-3**: The system shall write text.\n"
    ).changes
    assert [c.title for c in changes] == ["Error Classification", "Export"]


def test_a_release_in_brackets_is_no_slug() -> None:
    text = "# 購入品\n\n## 機能要件\n\n### 発注管理（MVP）\n\n- 発注一覧を表示する\n- 発注を登録する\n\n### 納品管理（MVP）\n\n- 納品を登録する\n- 納品書を保存する\n"
    slugs = [c.slug for c in _plan(text, "docs/purchase.md").changes]
    assert slugs == ["purchase-part-1", "purchase-part-2"]
