"""Changes that only come after others because their author has listed them so."""

from bot.core.journal.state import ChangeFacts
from bot.core.spec.read import read_spec
from bot.core.state.waiting import held_back_by, waits_for
from bot.core.values.lifecycle import ChangeState
from tests.core.kit import World, approved
from tests.core.values import GATES

S = ChangeState

FOLDER = ".kiro/specs/desk"
NAMES = ("Tickets", "Answers", "Photographs", "Export")


def listed(policy: str = GATES) -> World:
    """Four requirements in the order of a list of tasks; the third one needs the second."""
    told = "\n".join(
        f"### Requirement {n}: {name}\n\n#### Acceptance Criteria\n\n"
        + "\n".join(f"{c}. WHEN a guest asks THEN the desk SHALL do {n}{c}" for c in range(1, 6))
        + ("\n\n**Depends on:** Requirement 2\n" if n == 3 else "\n")
        for n, name in enumerate(NAMES, 1)
    )
    tasks = "\n".join(
        f"- [ ] {n}. {name}\n  - _Requirements: {n}.1-{n}.5_" for n, name in enumerate(NAMES, 1)
    )
    files = {
        f"{FOLDER}/requirements.md": f"# Requirements\n\n## Requirements\n\n{told}".encode(),
        f"{FOLDER}/tasks.md": f"# Implementation Plan\n\n{tasks}\n".encode(),
    }
    return approved(read_spec(FOLDER, files), policy)


def kinds(world: World) -> dict[str, set[tuple[str, str]]]:
    return {
        c.slug: {(e.on, e.kind) for e in c.planned.depends_on} for c in world.state.changes.values()
    }


def named(world: World, slug: str) -> ChangeFacts:
    return next(c for c in world.state.changes.values() if c.slug == slug)


def stop(world: World, name: str) -> None:
    world.say(named(world, name).issue or 0, "/headgate stop")
    world.settle()


def test_each_change_starts_when_the_one_before_it_has_landed() -> None:
    world = listed()
    assert kinds(world) == {
        "tickets": set(),
        "answers": {("tickets", "ordered")},
        "photographs": {("answers", "explicit")},
        "export": {("photographs", "ordered")},
    }
    assert [c.slug for c in world.state.changes.values() if c.state is S.ORDERED] == ["tickets"]


def test_what_only_comes_after_a_failed_change_starts_and_what_needs_it_is_held_back() -> None:
    world = listed()
    stop(world, "tickets")
    assert named(world, "answers").state is S.ORDERED
    stop(world, "answers")
    assert held_back_by(world.state, named(world, "photographs")) == ("answers",)


def test_what_only_comes_after_a_change_that_is_held_back_starts() -> None:
    world = listed()
    stop(world, "answers")
    assert held_back_by(world.state, named(world, "photographs")) == ("answers",)
    assert waits_for(world.state, named(world, "export")) == ()
    world.settle()
    assert named(world, "export").state is S.ORDERED


def test_what_is_only_ordered_behind_a_stopped_change_is_not_held_back_while_it_waits() -> None:
    world = listed(GATES + "max_parallel: 1\n")
    stop(world, "answers")
    assert named(world, "tickets").state is S.ORDERED
    assert named(world, "export").state is S.WAITING
    assert not held_back_by(world.state, named(world, "export"))


def test_a_run_ends_when_only_what_is_held_back_is_left() -> None:
    world = listed()
    stop(world, "answers")
    world.work()
    states = {str(c.slug): c.state for c in world.state.changes.values()}
    assert states["tickets"] is states["export"] is S.LANDED
    assert states["photographs"] is not S.LANDED
    assert world.run.issue_closed
