"""A pull shows the ids that its merge will give, and the plan then has the same."""

import re

import pytest

from bot.core.journal import effects as ef, events as ev
from bot.core.journal.evolve import fold
from bot.core.journal.state import pull_place
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.spec.read import read_spec
from bot.core.talk.issues import plan_region
from bot.core.values.check_run import CheckRunText
from bot.core.values.ids import PullNumber
from bot.core.values.spec_model import Spec
from tests.core.kit import World, approved, proposed
from tests.core.values import PATH, policy, sha

NUMBER = PullNumber(31)
STORE = "specs/store.md"
DELTA = "openspec/changes/add-receipts"
HEADING = "**Ids after the merge**"

SUM = ("REQ-TILL-01", "Sum up", "The till MUST sum up the prices of everything in the basket.")
DOOR = ("REQ-DOOR-01", "Open", "The door MUST open when somebody stands in front of it.")
MAIL = ("REQ-MAIL-01", "Send", "A receipt MUST be sent by mail within five minutes.")
# Half of the words are others, and so are the id and the title.
ALMOST = ("REQ-CASH-07", "Add up", "The till MUST count the weights of the things on a scale.")


def spec(*said: tuple[str, str, str], path: str = PATH, front: str = "") -> Spec:
    blocks = "\n".join(f"### {id_}: {title}\n{text}\n" for id_, title, text in said)
    return read_spec(path, {path: f"{front}# Shop\n\n## Requirements\n\n{blocks}".encode()})


def one(merged: Spec | None, before: Spec | None = None, path: str = PATH) -> ProposedSpec:
    return ProposedSpec(path=path, is_work=True, before=before, head=merged, merged=merged)


def told(world: World, *specs: ProposedSpec) -> CheckRunText:
    """The check run of a pull with these specs."""
    world.snapshots[NUMBER] = PullSnapshot(number=NUMBER, head=sha("head"), specs=specs)
    world.settle()
    return checks(world)[-1].text


def checks(world: World) -> list[ef.PublishCheckRun]:
    runs = [e for e in world.intended if isinstance(e, ef.PublishCheckRun)]
    return [e for e in runs if e.external_id.startswith("spec-pull:")]


def ids_in_table(check: CheckRunText) -> list[str]:
    return re.findall(r"`([\w.]+#[^`]*)` \|", check.text)


def planned(world: World) -> set[str]:
    changes = world.state.changes_of(world.run.id)
    return {r for c in changes for r in c.planned.requirements}


def region(world: World) -> str:
    return plan_region(world.state, policy(), world.run)


def test_a_renumbered_requirement_is_shown_with_its_future_id() -> None:
    world = proposed(spec(SUM, DOOR))
    renumbered = ("REQ-TILL-09", *SUM[1:])
    edit = spec(MAIL, renumbered, DOOR)
    check = told(world, one(edit))
    assert ids_in_table(check) == ["specs.shop#REQ-TILL-01", "specs.shop#REQ-DOOR-01"]
    assert "- new: `specs.shop#REQ-MAIL-01` “Send”" in check.summary
    assert "removed:" not in check.summary

    world.push_spec(edit, "v2")
    world.settle()
    assert planned(world) == {
        "specs.shop#REQ-TILL-01",
        "specs.shop#REQ-DOOR-01",
        "specs.shop#REQ-MAIL-01",
    }
    assert "**Ids**" not in region(world)


def test_removed_ids_are_shown_and_unchanged_ids_are_not() -> None:
    world = proposed(spec(SUM, DOOR))
    assert "- removed: `specs.shop#REQ-DOOR-01` “Open”" in told(world, one(spec(SUM))).summary
    assert HEADING not in told(world, one(spec(DOOR, SUM))).summary


def test_a_spec_unknown_to_the_register_shows_no_ids() -> None:
    check = told(World(), one(spec(SUM, DOOR)))
    assert HEADING not in check.summary
    assert ids_in_table(check) == []


def test_an_uncertain_match_shows_both_titles_before_and_after_the_merge() -> None:
    world = proposed(spec(SUM, DOOR))
    edit = spec(ALMOST, DOOR)
    said = (
        "- uncertain: `specs.shop#REQ-CASH-07` “Add up” counts as new, and "
        "`specs.shop#REQ-TILL-01` “Sum up” as removed, but their texts are "
    )
    summary = told(world, one(edit)).summary
    assert said in summary
    assert "restore the requirement's old title before the merge" in summary
    assert "- new:" not in summary
    assert "- removed:" not in summary

    world.push_spec(edit, "v2")
    world.settle()
    assert said in region(world)
    assert "specs.shop#REQ-CASH-07" in planned(world)


def test_restoring_the_old_title_keeps_the_id() -> None:
    world = proposed(spec(SUM, DOOR))
    followed = spec((ALMOST[0], SUM[1], ALMOST[2]), DOOR)
    check = told(world, one(followed))
    assert HEADING not in check.summary
    assert ids_in_table(check) == ["specs.shop#REQ-TILL-01", "specs.shop#REQ-DOOR-01"]


@pytest.mark.parametrize("front", ["---\nstatus: draft\n---\n", "```\n\n"])
def test_a_text_that_registers_no_requirement_shows_no_ids(front: str) -> None:
    check = told(proposed(spec(SUM, DOOR)), one(spec(SUM, MAIL, front=front)))
    assert HEADING not in check.summary


def test_an_edit_without_work_keeps_the_ids_of_landed_requirements() -> None:
    world = approved(spec(SUM, DOOR))
    world.work()
    world.settle()
    assert not world.run.is_open
    assert HEADING not in told(world, one(spec(SUM))).summary


def test_a_landed_requirement_is_not_planned_again_under_a_new_id() -> None:
    world = approved(spec(SUM, DOOR))
    world.work()
    world.settle()
    renumbered = (("REQ-TILL-09", *SUM[1:]), DOOR)
    assert "new change:" not in told(world, one(spec(*renumbered))).summary


def test_an_edit_during_a_run_shows_the_removed_ids() -> None:
    world = approved(spec(SUM, DOOR))
    world.work(lambda w: "specs.shop#REQ-TILL-01" in w.state.covered)
    assert world.run.is_open
    assert "specs.shop#REQ-DOOR-01" not in world.state.covered
    assert "- removed: `specs.shop#REQ-DOOR-01` “Open”" in told(world, one(spec(SUM))).summary


def test_a_file_that_the_pull_moves_keeps_its_ids() -> None:
    world = proposed(spec(SUM, DOOR))
    moved = spec(SUM, DOOR, path=STORE)
    check = told(world, one(None, spec(SUM, DOOR)), one(moved, path=STORE))
    assert HEADING not in check.summary
    assert ids_in_table(check) == ["specs.shop#REQ-TILL-01", "specs.shop#REQ-DOOR-01"]


def test_a_pull_is_checked_again_when_its_spec_is_registered() -> None:
    world = World()
    edit = spec(SUM, MAIL)
    assert ids_in_table(told(world, one(edit))) == []
    world.push_spec(spec(SUM, DOOR))
    world.settle()
    check = checks(world)[-1].text
    assert ids_in_table(check) == ["specs.shop#REQ-TILL-01"]
    assert "- removed: `specs.shop#REQ-DOOR-01` “Open”" in check.summary


def test_every_pull_is_read_again_after_a_registration() -> None:
    world = proposed(spec(SUM, DOOR))
    told(world, one(spec(SUM)))
    world.push_spec(spec(SUM, DOOR, MAIL), "v2")
    events = world.decide()
    at = next(n for n, e in enumerate(events) if isinstance(e, ev.RequirementsRegistered))
    after = fold([*world.journal[: -len(events)], *events[: at + 1]])
    assert after.is_outdated(after.pull_digests[NUMBER])


def test_questions_keep_their_numbers_topics_and_notes() -> None:
    asking = (*MAIL[:2], "A receipt MUST be sent by mail within TBD minutes.")
    fresh, known = World(), proposed(spec(SUM, DOOR))
    edit = spec(asking, ("REQ-TILL-09", *SUM[1:]), DOOR)
    checks = [told(world, one(edit)) for world in (fresh, known)]
    assert checks[0].annotations == checks[1].annotations
    place = pull_place(NUMBER)
    assert fresh.state.asked[place] == known.state.asked[place]
    assert fresh.state.asked[place].questions


def delta(text: str) -> Spec:
    return read_spec(DELTA, {f"{DELTA}/specs/till/spec.md": text.encode()})


def test_a_rename_in_a_delta_keeps_the_id_and_is_shown() -> None:
    body = (
        "The till SHALL sum up the prices.\n\n#### Scenario: Two\n- **WHEN** two\n- **THEN** sum\n"
    )
    world = World()
    world.push_spec(
        delta(f"## MODIFIED Requirements\n\n### Requirement: Sum up\n{body}"), path=DELTA
    )
    world.settle()
    (old,) = planned(world)
    renamed = delta(
        "## RENAMED Requirements\n\n- FROM: `### Requirement: Sum up`\n"
        "- TO: `### Requirement: Make a total`\n"
    )
    check = told(world, one(renamed, path=DELTA))
    assert HEADING not in check.summary
    assert old in check.text

    world.push_spec(renamed, "v2", path=DELTA)
    world.settle()
    assert planned(world) == {old}
    assert f"- renamed: `{old}` was “Sum up” and is now “Make a total”." in region(world)


def test_lists_of_ids_are_cut() -> None:
    many = [(f"REQ-A-{n:02}", f"Word {n}", f"The till MUST do {n} of it.") for n in range(15)]
    world = proposed(spec(*many, DOOR))
    summary = told(world, one(spec(DOOR))).summary
    assert summary.count("- removed:") == 12
    assert "- … and 3 more" in summary
