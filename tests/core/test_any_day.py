"""Property: any events in any order keep the laws, and all work ends.

One example is a day: runners finish, fail and die, people push, stop and retry, old events come
again. Afterwards the faults are off, and everything must come to an end with a reason.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from hypothesis import HealthCheck, given, settings, strategies as st

from action.order import AgentOrder, GateOrder
from action.report import AgentEnding, AgentQuestion
from bot.core.decide.decide import decide
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.evolve import fold
from bot.core.journal.ground import after, ground_of
from bot.core.journal.state import (
    LedgerKind,
    RepositoryState,
    SpecRunState,
    change_id,
    snapshot_of,
    state_of,
)
from bot.core.state.candidates import is_landing
from bot.core.state.queue_order import blocked_by
from bot.core.state.waiting import held_back_by
from bot.core.values.ids import OrderId, PullNumber
from bot.core.values.lifecycle import (
    WITH_AGENT,
    CandidateState,
    ChangeState,
    EntryState,
    QueuedPullState,
)
from bot.core.values.repository import PullState, Role
from gates.result import Ending
from tests.core.kit import World, approved
from tests.core.queue_laws import check_landings, check_queue
from tests.core.queued_pulls import said_at
from tests.core.test_stories_of_candidates import assert_kept_are_needed
from tests.core.values import GATES, requirement, sha, spec
from tests.testkit.examples import examples

# Deeds that a person would see twice, or pay for twice.
_ONCE = (
    ef.OpenIssue
    | ef.LinkSubIssue
    | ef.LinkBlockedBy
    | ef.PostComment
    | ef.OpenPull
    | ef.ClosePull
    | ef.DispatchOrder
    | ef.RevokeOrder
    | ef.ImportBundle
    | ef.OfferGates
)
_PARALLEL = 2

Deed = Callable[[World, int], None]


def _pick(orders: list[OrderId], number: int) -> OrderId | None:
    return orders[number % len(orders)] if orders else None


def _hand_in(world: World, number: int) -> None:
    if order := _pick(world.open_orders(AgentOrder), number):
        world.hand_in(order)


def _give_up(world: World, number: int) -> None:
    if order := _pick(world.open_orders(AgentOrder), number):
        world.hand_in(order, AgentEnding.GAVE_UP, "No.")


def _ask(world: World, number: int) -> None:
    if order := _pick(world.open_orders(AgentOrder), number):
        world.ask(order, AgentQuestion(question="Which?", assumption="That."))


def _answer(world: World, number: int) -> None:
    changes = list(world.state.changes.values())
    asked = f"/headgate answer {1 + number % 2} This."
    world.say(changes[number % len(changes)].issue or 0, asked)


def _break_a_rule(world: World, number: int) -> None:
    if order := _pick(world.open_orders(AgentOrder), number):
        world.bundles[order] = "refuse"
        world.hand_in(order)


def _pass(world: World, number: int) -> None:
    if order := _pick(world.open_orders(GateOrder), number):
        world.judge(order)


def _fail(world: World, number: int) -> None:
    if order := _pick(world.open_orders(GateOrder), number):
        world.judge(order, test=Ending.FAILED)


def _die(world: World, number: int) -> None:
    orders = [*world.open_orders(AgentOrder), *world.open_orders(GateOrder)]
    if order := _pick(orders, number):
        world.lease(order)
        world.decide()
        world.pass_time(60)


def _push(world: World, number: int) -> None:
    world.push_code(f"{number} {len(world.main)}")


def _push_notes(world: World, number: int) -> None:
    world.push(sha(f"notes {number} {len(world.main)}"), "specs/notes.txt")


def _stop(world: World, number: int) -> None:
    changes = list(world.state.changes.values())
    world.say(changes[number % len(changes)].issue or 0, "/headgate stop")


def _retry(world: World, number: int) -> None:
    del number
    world.say(world.run.issue or 0, "/headgate retry")


def _close_a_pull(world: World, number: int) -> None:
    pulls = [p.number for p in world.pulls.values() if p.state is PullState.OPEN]
    if pulls:
        world.close_pull(pulls[number % len(pulls)])


def _conflict(world: World, number: int) -> None:
    world.conflicts = [bool(number % 2)]


def _again(world: World, number: int) -> None:
    """An event that was written before is written again."""
    event = world.journal[number % len(world.journal)]
    if not isinstance(
        event,
        ev.EffectIntended | ev.ChangeReopened | ev.SpecRunReopened | ev.CandidateBuilt,
    ):
        world.write((event,))


def _wait(world: World, number: int) -> None:
    world.pass_time(number % 2_000)


def _pull_of(world: World, number: int) -> int | None:
    pulls = list(world.state.queued_pulls)
    return pulls[number % len(pulls)] if pulls else None


def _queue(world: World, number: int) -> None:
    opened = world.open_pull(f"by hand {len(world.pulls)}")
    if number % 5 == 0:
        world.pull_rules[PullNumber(opened)] = (".headgate/quarantine.yml",)
    world.say(opened, f"/headgate queue priority {number % 3}")


def _say_at_pull(words: str) -> Deed:
    def said(world: World, number: int) -> None:
        pull = _pull_of(world, number)
        if pull is not None:
            head = world.pulls[PullNumber(pull)].head_sha[:12]
            text = words.format(head=head)
            world.say(pull, f"/headgate {text}", role=Role.ADMIN)

    return said


def _push_to_pull(world: World, number: int) -> None:
    pull = _pull_of(world, number)
    if pull is not None:
        world.alter_pull(pull, head_sha=sha(f"head {number} {len(world.journal)}"))


def _close_persons_pull(world: World, number: int) -> None:
    pull = _pull_of(world, number)
    if pull is not None and world.pulls[PullNumber(pull)].state is PullState.OPEN:
        world.close_pull(PullNumber(pull))


def _freeze(world: World, number: int) -> None:
    words = "unfreeze" if number % 3 else "freeze for a release"
    world.say(world.run.issue or 0, f"/headgate {words}", role=Role.ADMIN)


OF_THE_QUEUE: tuple[Deed, ...] = (
    _queue,
    _queue,
    _pass,
    _pass,
    _pass,
    _fail,
    _die,
    _hand_in,
    _push,
    _again,
    _wait,
    _push_to_pull,
    _close_persons_pull,
    _freeze,
    _say_at_pull("queue"),
    _say_at_pull("dequeue"),
    _say_at_pull("hold until later"),
    _say_at_pull("release"),
    _say_at_pull("now"),
    _say_at_pull("allow {head}"),
)

_DEEDS: tuple[Deed, ...] = (
    _hand_in,
    _hand_in,
    _pass,
    _pass,
    _give_up,
    _ask,
    _ask,
    _answer,
    _break_a_rule,
    _fail,
    _die,
    _push,
    _push_notes,
    _stop,
    _retry,
    _close_a_pull,
    _conflict,
    _again,
    _again,
    _wait,
)


def _check(world: World, before: RepositoryState) -> None:
    state = world.state
    assert sum(c.state in WITH_AGENT for c in state.changes.values()) <= _PARALLEL
    for change in state.changes.values():
        was = before.changes.get(change.id)
        if was is not None and was.state is ChangeState.LANDED:
            assert (change.state, change.landed) == (was.state, was.landed)
        if change.attempt or change.state not in {
            ChangeState.WAITING,
            ChangeState.STOPPED,
            ChangeState.RETRYING,
        }:
            waits = [change_id(change.spec_run, e.on) for e in change.planned.depends_on]
            assert all(state.changes[w].state is ChangeState.LANDED for w in waits)
    assert_kept_are_needed(state)
    ground = ground_of(before)
    for change in state.changes.values():
        was = before.changes.get(change.id)
        candidate = state.candidate_of(change)
        if change.landed is not None and (was is None or was.landed is None):
            # What was assumed of a landing is what came.
            assert candidate is not None
            ground = after(ground, candidate.carried)
    assert ground_of(state) == ground
    for change in state.changes.values():
        candidate = state.candidate_of(change)
        entry = state.entry_of(change)
        is_on_its_way = entry.entered is not None and change.state is ChangeState.OFFERED
        assert is_on_its_way == (entry.state in {EntryState.QUEUED, EntryState.LANDING})
        if is_landing(state, change):
            assert candidate is not None
            assert candidate.state is CandidateState.JUDGED
        if change.state is ChangeState.OFFERED and candidate is not None:
            # What failed, or what other work was built as, is offered no more.
            assert candidate.state not in {CandidateState.LANDED, CandidateState.UNBUILDABLE}
            if candidate.state is CandidateState.JUDGED:
                assert "test" in {r.gate for r in candidate.results if r.is_accepted}
                assert change.head is not None
                assert candidate.head == change.head.sha
    for line in state.ledger:
        if line.kind is LedgerKind.LANDED:
            # A person's pull has no scope that it was given.
            asked = {"test", "scope_check"} if line.change else {"test"}
            assert asked <= set(line.gates)
    assert state.ledger[: len(before.ledger)] == before.ledger
    assert state.orders_placed >= before.orders_placed


def tick(world: World) -> None:
    """One look, whose decision leaves nothing to decide; all that must hold, holds."""
    before, written = world.state, len(world.journal)
    observed = world.observe()
    doubtful = blocked_by(before) is not None
    world.write(decide(before, observed, world.now))
    again = decide(world.state, observed, world.now)
    # What waited for main to be known as sound is free one decision later.
    assert again == () or doubtful
    world.perform()
    _check(world, before)
    check_landings(world, before, world.journal[written:])
    check_queue(world.state)


def finish(world: World) -> None:
    """Faults off: people and runners do what they should until nothing is left."""
    world.conflicts = []
    for _ in range(6):
        world.work()
        if any(c.state is ChangeState.ASKING for c in world.state.changes.values()):
            # Nobody answers any more.
            world.pass_time(80 * 3_600)
            world.work()
        if world.state.pauses:
            # What an outage or a missing runner put off is tried again.
            world.pass_time(3_600)
        elif world.state.frozen is None:
            break
        if world.state.frozen is not None:
            world.push_code(f"a fix {len(world.main)}")
    world.settle()


def plan_of_four(policy: str) -> World:
    """A plan in which one waits for another, just approved."""
    return approved(
        spec(
            requirement("A", "cart"),
            requirement("B", "till", after=["A"]),
            requirement("C", "books"),
            requirement("D", "desk", after=["B"]),
        ),
        policy,
    )


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(_DEEDS), st.integers(0, 10_000)), max_size=25))
def test_after_any_day_every_change_has_ended_or_is_blocked(day: list[tuple[Deed, int]]) -> None:
    world = plan_of_four(GATES + f"max_parallel: {_PARALLEL}\nattempts_max: 2\n")
    for deed, number in day:
        deed(world, number)
        tick(world)
    finish(world)
    _check(world, world.state)
    assert world.run.state in {SpecRunState.ENDED, SpecRunState.STOPPED}
    for change in world.state.changes.values():
        assert change.is_ended or held_back_by(world.state, change)
        if change.state is ChangeState.FAILED:
            assert change.failure is not None
            assert change.sentence
    keys = Counter(
        e.effect.key
        for e in world.journal
        if isinstance(e, ev.EffectIntended) and isinstance(e.effect, _ONCE)
    )
    assert {key: times for key, times in keys.items() if times > 1} == {}
    built = Counter((e.change, e.number) for e in world.journal if isinstance(e, ev.CandidateBuilt))
    assert {one: times for one, times in built.items() if times > 1} == {}
    assert not world.state.open_effects
    assert world.state.frozen is None
    assert fold(world.journal) == world.state
    searched = replace(world.state, main=None)
    assert world.state.main is not None
    assert world.state.adoption_under(world.state.main) == searched.adoption_under(world.state.main)
    loaded = state_of(snapshot_of(world.state))
    assert loaded == world.state


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(OF_THE_QUEUE), st.integers(0, 10_000)), max_size=40))
def test_any_day_of_the_queue_keeps_the_laws(day: list[tuple[Deed, int]]) -> None:
    world = plan_of_four(GATES + f"max_parallel: {_PARALLEL}\nattempts_max: 2\n")
    for deed, number in day:
        deed(world, number)
        tick(world)
    world.say(world.run.issue or 0, "/headgate unfreeze", role=Role.ADMIN)
    world.settle()
    for number in world.state.queued_pulls:
        head = world.pulls[number].head_sha[:12]
        words = f"/headgate release\n/headgate allow {head}"
        world.say(number, words, role=Role.ADMIN)
    finish(world)
    _check(world, world.state)
    check_queue(world.state)
    # Everybody has left the queue, and is told why.
    for pull in world.state.queued_pulls.values():
        assert pull.has_left
        assert pull.state is QueuedPullState.LANDED or pull.sentence or said_at(world, pull.number)
    assert not world.state.open_effects
    # Every commit of main has its line, in the order in which main got it.
    assert [line.sha for line in world.state.ledger] == [commit.sha for commit in world.main]
    assert fold(world.journal) == world.state
