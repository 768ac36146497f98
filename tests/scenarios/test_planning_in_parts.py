"""A large spec: a brief, parallel parts, a merge; an edit repeats only its part."""

from pathlib import Path

from bot.core.journal.events import ModelAsked
from tests.testkit.house import House
from tests.testkit.model import Turn, brief, change, house_with_model, merge, plan, scene

AREAS = ("CART", "MAIL", "PAY", "SHIP")
PER_AREA = 9
# Long enough that four areas do not fit into one question.
_LONG = (
    "It holds for every customer, on every device, in every language that the shop speaks. " * 12
)


def ids(area: str) -> list[str]:
    return [f"REQ-{area}-{at:02}" for at in range(1, PER_AREA + 1)]


def large(edited: str = "") -> str:
    """A spec of four areas; `edited` is a requirement whose text is another."""
    blocks = []
    for area in AREAS:
        for id_ in ids(area):
            more = "It does so at once. " if id_ == edited else ""
            blocks.append(
                f"### {id_}: {area.lower()} duty {id_[-2:]}\n"
                f"The {area.lower()} SHALL do duty {id_[-2:]} as described. {more}{_LONG}\n\n"
                f"#### Scenario: Duty {id_[-2:]} of the {area.lower()}\n"
                f"- **WHEN** somebody uses it\n- **THEN** it works\n"
            )
    return "# Spec: A large shop\n\n## Requirements\n\n" + "\n".join(blocks)


def part(area: str) -> Turn:
    """The planner of one area: two changes, five and four requirements."""
    name = area.lower()
    answer = plan(change(f"{name}-first", *ids(area)[:5]), change(f"{name}-second", *ids(area)[5:]))
    return scene(f"part {name}", answer, task=[rf'Requirements of the part "{area}"'])


SCENES = (
    scene("brief", brief(), task=["titles of all 36 requirements"]),
    *(part(area) for area in AREAS),
    scene(
        "merge",
        merge(
            edges=[
                {
                    "change": "pay-first",
                    "on": "cart-first",
                    "evidence": "The pay SHALL do duty 01 as described",
                }
            ]
        ),
        task=["were planned one by one", "ship-second"],
    ),
)


def roles(shop: House) -> list[str]:
    return sorted(e.call.role for e in shop.events("ModelAsked") if isinstance(e, ModelAsked))


def test_a_large_spec_is_planned_by_a_brief_parts_and_a_merge(tmp_path: Path) -> None:
    with house_with_model(tmp_path, *SCENES) as shop:
        tracking = shop.plan(large())
        body = shop.body(tracking)
        assert "36 requirements in 8 changes" in body
        row = next(line for line in body.splitlines() if line.startswith("| `pay-first`"))
        assert "`cart-first`" in row
        assert "The pay SHALL do duty 01 as described" in row
        assert roles(shop) == ["plan.brief", *["plan.domain"] * 4, "plan.merge"]

        shop.push({"specs/shop.md": large(edited="REQ-MAIL-03")}, "Say when")
        shop.settle()
        assert "revision 2" in shop.body(tracking)
        again = roles(shop)
        assert len(again) == 6 + 1, "the part that was touched: its changes are what they were"
        assert again.count("plan.domain") == 5


def test_only_the_invalid_part_is_returned_to_the_model(tmp_path: Path) -> None:
    short = plan(change("mail-first", *ids("MAIL")[:5]))
    mended = part("MAIL")
    mended["match"]["task"] = [r'part "MAIL"', "No change carries out"]
    scenes = (
        {**mended, "name": "mended"},
        scene("short", short, task=[r'Requirements of the part "MAIL"']),
        *(s for s in SCENES if s["name"] != "part mail"),
    )
    with house_with_model(tmp_path, *scenes) as shop:
        body = shop.body(shop.plan(large()))
        assert "36 requirements in 8 changes" in body
        assert roles(shop).count("plan.domain") == 5
        assert roles(shop).count("plan.brief") == 1
