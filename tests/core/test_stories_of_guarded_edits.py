"""Stories of pulls that edit the policy or `.headgate/`."""

from action.order import GateOrder
from bot.core.journal.effects import BuildPull
from bot.core.state.queue_view import Wait, queue_view
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState as P
from bot.core.values.repository import Role
from gates.result import Ending
from tests.core.kit import World
from tests.core.queued_pulls import gates_of_pull, judge_pull, pull_of, queue_pulls, said_at
from tests.core.values import GATES, sha

HEAD = sha("head rules")
STRICTER = GATES + "  spell: {run: codespell}\n"
LAXER = "version: 1\ngates:\n  test: {run: 'true'}\n"


def _edits(brought: str | None, *others: str) -> tuple[World, int]:
    """A pull that brings a policy (None: it edits the register) and is in the queue."""
    world = World()
    number = world.open_pull("rules")
    pull = PullNumber(number)
    world.pull_rules[pull] = (".github/headgate.yml" if brought else ".headgate/register.jsonl",)
    if brought:
        world.pull_policies[pull] = brought
    world.say(number, "/headgate queue")
    world.settle()
    queue_pulls(world, *others)
    return world, number


def _allow(world: World, number: int, head: str = HEAD, role: Role = Role.MAINTAIN) -> None:
    world.say(number, f"/headgate allow {head[:12]}", author="mia", role=role)
    world.settle()


def _asked(world: World, number: int) -> dict[str, str]:
    order = world.gate_order(gates_of_pull(world, number))
    return {gate.name: gate.command or "" for gate in order.gates}


class TestPermission:
    def test_no_gate_runs_before_a_maintainer_allowed_this_head(self) -> None:
        world, number = _edits(STRICTER)
        assert pull_of(world, number).state is P.WAITING
        assert not world.open_orders(GateOrder)
        assert f"comment `/headgate allow {HEAD[:12]}`" in said_at(world, number)
        (place,) = queue_view(world.state, world.now)
        assert place.waits_for is Wait.WORD
        check = world.check_runs[f"queue:pull-{number}:1"]
        assert check.title == "In the queue, waiting for a person to allow it"
        _allow(world, number)
        assert _asked(world, number)

    def test_write_access_is_not_enough_to_allow_a_head(self) -> None:
        world, number = _edits(STRICTER)
        _allow(world, number, role=Role.WRITE)
        assert "has the role write here" in said_at(world, number)
        assert not world.open_orders(GateOrder)

    def test_the_permission_does_not_cover_another_head(self) -> None:
        world, number = _edits(STRICTER)
        _allow(world, number, sha("head before"))
        assert "is not the queued head" in said_at(world, number)
        assert not world.open_orders(GateOrder)
        _allow(world, number)
        world.alter_pull(number, head_sha=sha("head after"))
        world.settle()
        world.say(number, "/headgate queue")
        world.settle()
        assert pull_of(world, number).needs_word
        assert not world.open_orders(GateOrder)

    def test_a_head_can_be_allowed_in_advance_and_the_ledger_names_the_maintainer(self) -> None:
        world = World()
        number = world.open_pull("rules")
        world.pull_rules[PullNumber(number)] = (".headgate/quarantine.yml",)
        words = f"/headgate queue\n/headgate allow {HEAD[:12]}"
        world.say(number, words, author="mia", role=Role.MAINTAIN)
        world.settle()
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
        assert world.state.ledger[-1].allowed == (".headgate/quarantine.yml by @mia",)

    def test_others_land_while_a_pull_waits_for_permission(self) -> None:
        world, number = _edits(STRICTER, "mend")
        (other,) = (n for n in world.state.queued_pulls if n != number)
        judge_pull(world, other)
        assert pull_of(world, other).state is P.LANDED
        assert pull_of(world, number).needs_word
        _allow(world, number)
        assert world.candidate(pull_of(world, number)).base == world.state.main

    def test_a_guarded_edit_that_is_on_main_by_now_needs_no_permission(self) -> None:
        world, number = _edits(STRICTER)
        assert [one.waits_for for one in queue_view(world.state, world.now)] == [Wait.WORD]
        # Somebody pushes the same rules to main.
        world.pull_rules.clear()
        world.pull_policies.clear()
        world.push_code("the same rules")
        world.settle()
        assert not pull_of(world, number).needs_word
        for order in world.open_orders(GateOrder):
            world.judge(order)
        world.settle()
        assert pull_of(world, number).state is P.LANDED

    def test_each_main_is_checked_once_for_guarded_edits(self) -> None:
        world, number = _edits(STRICTER, "mend")
        (other,) = (n for n in world.state.queued_pulls if n != number)
        judge_pull(world, other)
        world.settle()
        builds = [e for e in world.intended if isinstance(e, BuildPull) and e.number == number]
        assert [e.base for e in builds] == [sha("genesis"), world.state.main]
        assert [one.waits_for for one in queue_view(world.state, world.now)] == [Wait.WORD]
        assert sum("must read this and comment" in text for _, text in world.posted) == 1


class TestJudgement:
    def test_a_weaker_gate_does_not_judge_the_pull_that_brings_it(self) -> None:
        world, number = _edits(LAXER)
        _allow(world, number)
        assert _asked(world, number) == {"test": "make test", "lint": "make lint"}
        judge_pull(world, number, red=True)
        assert pull_of(world, number).state is P.EVICTED

    def test_a_new_gate_that_fails_on_main_does_not_land(self) -> None:
        world, number = _edits(STRICTER)
        _allow(world, number)
        judge_pull(world, number)
        assert pull_of(world, number).state is P.JUDGING
        assert _asked(world, number) == {"spell": "codespell"}
        for _ in range(2):
            world.judge(gates_of_pull(world, number), spell=Ending.FAILED)
            world.settle()
        assert pull_of(world, number).state is P.EVICTED
        assert "spell" in said_at(world, number)

    def test_a_policy_edit_lands_when_old_and_new_gates_passed(self) -> None:
        world, number = _edits(STRICTER)
        _allow(world, number)
        candidate = world.candidate(pull_of(world, number)).sha
        judge_pull(world, number)
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
        assert world.state.main == candidate
        assert len(world.wrote("PullGatesOrdered")) == 2

    def test_unchanged_gates_in_another_notation_do_not_run_again(self) -> None:
        world, number = _edits("# A note.\n" + GATES)
        _allow(world, number)
        judge_pull(world, number)
        assert pull_of(world, number).state is P.LANDED
        assert not world.state.open_effects

    def test_an_unreadable_policy_does_not_land(self) -> None:
        world, number = _edits("version: 1\ngates: [\n")
        assert pull_of(world, number).state is P.EVICTED
        assert "as it would be on main, cannot be read" in said_at(world, number)
