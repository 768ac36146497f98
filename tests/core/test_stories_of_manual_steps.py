"""Manual steps: which changes wait for them, where they are listed, and how they are done."""

import re

from action.order import AgentOrder
from bot.core.journal.state import ChangeFacts, SpecRunState
from bot.core.plan.by_hand import manual_steps
from bot.core.plan.deterministic import plan
from bot.core.plan.put_off import put_off
from bot.core.spec.read import read_spec
from bot.core.talk.manual_text import steps_text, ticked_in
from bot.core.talk.now_text import now_text
from bot.core.values.ids import IssueNumber
from bot.core.values.lifecycle import ChangeState
from bot.core.values.manual_step import ManualStep
from bot.core.values.repository import Role
from bot.core.values.spec_model import Spec
from tests.core.kit import World, approved
from tests.core.values import GATES, PATH, policy

S = ChangeState
SHOP = """# Shop

## Requirements

### Payments

- **FR-1**: {first}Somebody MUST open an account at the bank.
- **FR-2**: The shop MUST charge cards{refers}.

### Books

- **FR-3**: The books MUST name every sale.
"""


def shop(first: str = "[manual] ", refers: str = "") -> Spec:
    return read_spec(PATH, {PATH: SHOP.format(first=first, refers=refers).encode()})


def ids(spec: Spec) -> list[str]:
    return [id_.partition("#")[2] for id_ in put_off(spec)]


def change_of(world: World, name: str) -> ChangeFacts:
    """The change with a requirement whose id ends so."""
    return next(
        c
        for c in world.state.changes.values()
        if any(r.endswith(f"#{name}") for r in c.planned.requirements)
    )


def issue_of(world: World, name: str) -> int:
    number = change_of(world, name).issue
    assert number is not None
    return int(number)


def ordered(world: World) -> set[str]:
    return {
        r.partition("#")[2]
        for o in world.open_orders(AgentOrder)
        if (change := world.state.orders[o].change)
        for r in world.state.changes[change].planned.requirements
    }


def say(world: World, name: str, text: str, role: Role = Role.WRITE) -> None:
    world.pass_time(1)
    world.say(issue_of(world, name), text, role=role)
    world.settle()


class TestWaitingChanges:
    def test_a_requirement_for_people_becomes_no_change(self) -> None:
        assert ids(shop()) == ["FR-1"]
        assert ids(shop(first="")) == []

    def test_the_change_that_comes_next_waits_and_others_do_not(self) -> None:
        world = approved(shop())
        assert ordered(world) == {"FR-3"}
        assert "Somebody MUST open an account" in steps_text(change_of(world, "FR-2"))
        assert change_of(world, "FR-3").steps == ()

    def test_a_change_waits_for_a_task_before_the_work(self) -> None:
        found = steps_of(
            "- [ ] 1. Order the key [manual]\n  - _Requirements: 1.1_\n"
            "- [ ] 2. Charge\n  - _Requirements: 1.1_\n"
        )
        assert [(s.text, s.is_before) for s in found] == [("Order the key", True)]

    def test_a_change_does_not_wait_for_a_task_after_the_work(self) -> None:
        found = steps_of(
            "- [ ] 1. Charge\n  - _Requirements: 1.1_\n"
            "- [ ] 2. [manual] Try it with a real card\n  - _Requirements: 1.1_\n"
        )
        assert [(s.text, s.is_before) for s in found] == [("Try it with a real card", False)]

    def test_a_task_that_is_ticked_in_the_spec_is_done(self) -> None:
        assert steps_of("- [x] 1. Order the key [manual]\n  - _Requirements: 1.1_\n") == ()


class TestDoneSteps:
    def test_a_manual_step_is_done_by_a_tick(self) -> None:
        world = approved(shop())
        (step,) = change_of(world, "FR-2").steps
        world.ticked[IssueNumber(issue_of(world, "FR-2"))] = (step.key,)
        world.settle()
        assert ordered(world) == {"FR-2", "FR-3"}
        world.work()
        assert world.run.state is SpecRunState.ENDED

    def test_a_tick_of_another_step_does_not_count(self) -> None:
        world = approved(shop())
        world.ticked[IssueNumber(issue_of(world, "FR-2"))] = ("00000000",)
        world.settle()
        assert ordered(world) == {"FR-3"}

    def test_a_manual_step_is_done_by_a_command(self) -> None:
        world = approved(shop())
        say(world, "FR-2", "/headgate done")
        assert ordered(world) == {"FR-2", "FR-3"}
        assert "(done by @ann)" in steps_text(change_of(world, "FR-2"))

    def test_the_done_command_needs_the_role_write(self) -> None:
        world = approved(shop())
        say(world, "FR-2", "/headgate done", role=Role.READ)
        assert ordered(world) == {"FR-3"}

    def test_an_unknown_step_number_is_refused(self) -> None:
        world = approved(shop())
        say(world, "FR-2", "/headgate done 7")
        assert ordered(world) == {"FR-3"}
        assert "Which one? Write `/headgate done N`" in world.replies()

    def test_a_change_without_manual_steps_says_so(self) -> None:
        world = approved(shop())
        say(world, "FR-3", "/headgate done")
        assert "lists no steps for a person" in world.replies()

    def test_drawn_checkboxes_are_read_back(self) -> None:
        world = approved(shop())
        drawn = steps_text(change_of(world, "FR-2"))
        assert ticked_in(drawn) == ()
        ticked = re.sub(r"- \[ \]", "- [x]", drawn)
        assert ticked_in(ticked) == tuple(s.key for s in change_of(world, "FR-2").steps)


class TestTexts:
    def test_the_issue_and_why_list_the_manual_steps(self) -> None:
        world = approved(shop())
        now = now_text(world.state, policy(), world.run)
        assert f"do the steps in #{issue_of(world, 'FR-2')} (Somebody MUST open an account" in now
        say(world, "FR-2", "/headgate why")
        assert "A person must first do a step by hand" in world.replies()


class TestAfterTheWork:
    def test_the_run_and_dependents_wait_for_a_step_after_the_work(self) -> None:
        world = approved(with_tasks(), GATES)
        world.work()
        assert change_of(world, "1").state is S.LANDED
        assert change_of(world, "2").state is S.WAITING
        assert world.wrote("SpecRunEnded") == []
        assert not change_of(world, "1").issue_closed
        say(world, "1", "/headgate done 1")
        world.work()
        assert change_of(world, "2").state is S.LANDED
        assert world.run.state is SpecRunState.ENDED
        assert change_of(world, "1").issue_closed

    def test_the_run_does_not_end_before_its_last_step(self) -> None:
        world = approved(with_tasks(LAST))
        world.work()
        assert change_of(world, "2").state is S.LANDED
        assert world.wrote("SpecRunEnded") == []
        say(world, "2", "/headgate done")
        assert world.run.state is SpecRunState.ENDED


LAST = "- [ ] 1. Books\n  - _Requirements: 2.1_\n- [ ] 2. [manual] Read them\n  - _Requirements: 2.1_\n"
TASKS = (
    "- [ ] 1. Charge\n  - _Requirements: 1.1_\n"
    "- [ ] 2. [manual] Try it with a real card\n  - _Requirements: 1.1_\n"
    "- [ ] 3. Books\n  - _Requirements: 2.1_\n"
)
# Long enough for a change each.
PLAIN = "# Requirements Document\n\n## Requirements\n" + "".join(
    f"\n### Requirement {n}: {title}\n\n#### Acceptance Criteria\n\n"
    + "".join(f"{c}. WHEN a user asks THEN the shop SHALL do {c}.\n" for c in range(1, 21))
    for n, title in enumerate(("Charge cards", "Keep books"), 1)
)


def with_tasks(tasks: str = TASKS) -> Spec:
    folder = ".kiro/specs/shop"
    files = {
        f"{folder}/requirements.md": PLAIN.encode(),
        f"{folder}/tasks.md": f"# Implementation Plan\n\n{tasks}".encode(),
    }
    return read_spec(folder, files)


def steps_of(tasks: str) -> tuple[ManualStep, ...]:
    spec = with_tasks(tasks)
    found = manual_steps(spec, plan(spec))
    return next(iter(found.values()), ())
