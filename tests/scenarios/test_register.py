"""Ids survive edits: they are in a file on main that lands only together with work."""

import json
from pathlib import Path

import pytest

from bot.core.spec.identity.register import REGISTER_FILE, is_register, register_path
from tests.testkit.house import House, house
from tests.testkit.specs import spec

SPEC = "specs/shop/spec.md"


def numbered(*statements: str) -> str:
    """A spec whose requirements are numbered as they stand."""
    return spec(
        *(
            f"### REQ-S-{n}: {said.split(' SHALL ')[0]}\n{said}\n\n#### Scenario: It is used\n"
            f"- **WHEN** somebody uses it\n- **THEN** it holds that {said.lower()}\n"
            for n, said in enumerate(statements, 1)
        )
    )


CART = "The cart SHALL count every product that a person puts into it before paying."
MAIL = "A receipt SHALL be sent by mail within five minutes after the payment was made."
DOOR = "An administrator SHALL be able to close the shop for a night and open it again."


def ids(text: str) -> dict[str, str]:
    """The live ids of a register's file by the first words of their texts."""
    entries = [json.loads(line) for line in text.splitlines()]
    return {e["text"].split(" shall ")[0].split()[-1]: e["rid"] for e in entries}


def lines(shop: House) -> str:
    """The lines of all of main's register files."""
    files = shop.main_files()
    return "".join(files[path] for path in sorted(files) if is_register(path))


def land(shop: House, text: str) -> int:
    shop.push({SPEC: text}, "A spec")
    shop.settle()
    tracking = int(shop.tracking()["number"])
    shop.ask(tracking, "/headgate approve")
    shop.work()
    return tracking


def test_the_register_lands_with_the_work_and_a_renumbered_spec_keeps_its_ids(
    shop: House,
) -> None:
    land(shop, numbered(CART, MAIL))
    before = lines(shop)
    assert ids(before) == {"cart": "specs.shop#REQ-S-1", "receipt": "specs.shop#REQ-S-2"}
    assert before.splitlines() == sorted(before.splitlines())
    by_us = [s for s in shop.history() if s not in {"A shop", "A spec"}]
    assert len(by_us) == len([line for line in shop.state.ledger if line.kind == "landed"])

    tracking = land(shop, numbered(DOOR, CART, MAIL))

    after = ids(lines(shop))
    assert {k: v for k, v in after.items() if k != "administrator"} == ids(before)
    assert after["administrator"] not in ids(before).values()
    # Only what is new is planned: the others are on main under the ids that they have kept.
    assert "1 requirement in 1 change " in shop.body(tracking)


@pytest.mark.parametrize("path", [REGISTER_FILE, register_path("specs.shop")])
def test_a_lost_journal_takes_the_ids_from_main(shop: House, tmp_path: Path, path: str) -> None:
    land(shop, numbered(CART, MAIL))
    kept = f"{lines(shop)}\n"

    with house(tmp_path / "fresh", {path: kept}) as fresh:
        land(fresh, numbered(MAIL, CART))
        assert ids(lines(fresh)) == ids(kept)
        assert REGISTER_FILE not in fresh.main_files()


def test_a_spec_that_was_moved_keeps_its_ids(shop: House) -> None:
    land(shop, numbered(CART, MAIL))
    before = ids(lines(shop))

    shop.push({SPEC: None, "specs/store/spec.md": numbered(DOOR, CART, MAIL)}, "Move it")
    shop.settle()
    tracking = int(shop.tracking()["number"])
    assert "1 requirement in 1 change " in shop.body(tracking)
    shop.ask(tracking, "/headgate approve")
    shop.work()

    after = ids(lines(shop))
    assert {k: v for k, v in after.items() if k != "administrator"} == before
    assert register_path("specs.shop") not in shop.main_files()


def test_each_spec_has_a_register_file_of_its_own(shop: House) -> None:
    land(shop, numbered(CART))
    first = shop.main_files()[register_path("specs.shop")]

    shop.push({"specs/post.md": numbered(MAIL)}, "Another spec")
    shop.settle()
    shop.ask(int(shop.tracking()["number"]), "/headgate approve")
    shop.work()

    assert shop.main_files()[register_path("specs.shop")] == first
    assert ids(shop.main_files()[register_path("specs.post")]) == {"receipt": "specs.post#REQ-S-1"}
