"""Property: with a second queue on a release branch any events keep the laws, and all work ends."""

from collections import Counter
from collections.abc import Callable

from hypothesis import HealthCheck, given, settings, strategies as st

from action.order import GateOrder
from bot.core.journal import events as ev
from bot.core.journal.branches import on
from bot.core.journal.effects import PostComment
from bot.core.journal.evolve import fold
from bot.core.journal.state import LedgerKind, snapshot_of, state_of
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState
from bot.core.values.queue_label import QueueLabel
from bot.core.values.repository import PullState, Role
from gates.result import Ending
from tests.core.kit import World
from tests.core.queue_laws import check_queue
from tests.core.queued_pulls import said_at
from tests.core.test_stories_of_branches import RELEASE, SERVED, served
from tests.core.values import sha
from tests.testkit.examples import examples

POLICY = f"{SERVED}smoke:\n  serves: {{run: make smoke, repeat: 0}}\n"
BRANCHES = ("main", RELEASE)

Deed = Callable[[World, int], None]


def _some_pull(world: World, number: int) -> PullNumber | None:
    opened = list(world.pulls)
    return opened[number % len(opened)] if opened else None


def _open(world: World, number: int) -> None:
    base = BRANCHES[number % 2]
    world.say(world.open_pull(f"b{len(world.pulls)}", base=base), "/headgate queue")


def _retarget(world: World, number: int) -> None:
    pull = _some_pull(world, number)
    if pull is not None and world.pulls[pull].state is PullState.OPEN:
        before = world.pulls[pull].base_branch
        world.alter_pull(pull, base_branch=BRANCHES[before == "main"])


def _close(world: World, number: int) -> None:
    pull = _some_pull(world, number)
    if pull is not None and world.pulls[pull].state is PullState.OPEN:
        world.close_pull(pull)


def _push_head(world: World, number: int) -> None:
    pull = _some_pull(world, number)
    if pull is not None and world.pulls[pull].state is PullState.OPEN:
        world.alter_pull(pull, head_sha=sha(f"head {number} {len(world.journal)}"))


def _label(world: World, number: int) -> None:
    pull = _some_pull(world, number)
    if pull is not None and number % 3:
        world.label_pull(pull)
    elif pull is not None:
        world.queue_labels[pull] = QueueLabel()


def _say(words: str) -> Deed:
    def deed(world: World, number: int) -> None:
        pull = _some_pull(world, number)
        if pull is not None:
            world.say(pull, f"/headgate {words}")

    return deed


def _judge(*endings: Ending) -> Deed:
    def deed(world: World, number: int) -> None:
        orders = world.open_orders(GateOrder)
        if orders:
            ending = endings[number % len(endings)]
            world.judge(orders[number % len(orders)], test=ending, serves=ending)

    return deed


def _lose(world: World, number: int) -> None:
    orders = world.open_orders(GateOrder)
    if orders:
        order = orders[number % len(orders)]
        world.lease(order)
        world.ended_runs[order] = "cancelled"


def _push(world: World, number: int) -> None:
    name = sha(f"by hand {number} {len(world.journal)}")
    if number % 2:
        world.push(name, "src/by_hand.py")
    else:
        world.push_to(RELEASE, name, "src/by_hand.py")


def _force(world: World, number: int) -> None:
    world.others[RELEASE] = []
    world.push_to(RELEASE, sha(f"another past {number} {len(world.journal)}"))


def _conflict(world: World, number: int) -> None:
    pull = _some_pull(world, number)
    if pull is not None:
        world.pull_conflicts[pull] = ("src/shop.py",)


def _wait(world: World, number: int) -> None:
    world.pass_time(1 + number % 4_000)


DEEDS: tuple[Deed, ...] = (
    *(_open, _open, _retarget, _close, _push_head, _label, _lose, _push, _force, _conflict, _wait),
    *(_judge(Ending.PASSED), _judge(Ending.PASSED), _judge(Ending.FAILED, Ending.PASSED)),
    *(
        _say(w)
        for w in ("queue", "queue", "dequeue", "hold", "release", "now", "freeze", "unfreeze")
    ),
)


def _check(world: World) -> None:
    """No pull is in two queues or lands twice; each ledger is the line of its branch."""
    state = world.state
    known = Counter(n for b in ("", RELEASE) for n in on(state, b).queued_pulls)
    assert not [number for number, times in known.items() if times > 1]
    landed = Counter(e.number for e in world.journal if isinstance(e, ev.PullLanded))
    assert not [number for number, times in landed.items() if times > 1]
    for branch, line in (("", world.main), (RELEASE, world.others[RELEASE])):
        there = on(state, branch)
        check_queue(there)
        for before, after in zip(there.ledger, there.ledger[1:], strict=False):
            assert after.previous in {before.sha, None}
            assert after.kind is not LedgerKind.LANDED or after.previous == before.sha
        on_line = {commit.sha for commit in line}
        assert there.main not in on_line or there.main == there.ledger[-1].sha


def _tick(world: World) -> None:
    world.tick()
    _check(world)


def _finish(world: World) -> None:
    """Faults off: whoever holds or freezes lets go, and runners do what they should."""
    world.pull_conflicts = {}
    for _ in range(12):
        for base in BRANCHES:
            there = on(world.state, "" if base == "main" else base)
            if FreezeCause.PERSON in there.freezes or FreezeCause.SMOKE in there.freezes:
                world.say(
                    world.open_pull(f"word {len(world.pulls)}", base=base), "/headgate unfreeze"
                )
            for number in there.queued_pulls:
                world.say(number, "/headgate release", role=Role.ADMIN)
        world.work()
        for base in BRANCHES:
            if on(world.state, "" if base == "main" else base).frozen is not None:
                _push(world, int(base == "main"))
        world.pass_time(3_600)
    world.work()


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 10_000)), max_size=30))
def test_any_day_of_two_queues_keeps_the_laws(day: list[tuple[Deed, int]]) -> None:
    world = served(POLICY)
    for deed, number in day:
        deed(world, number)
        _tick(world)
    _finish(world)
    _check(world)
    for branch in ("", RELEASE):
        there = on(world.state, branch)
        assert not there.freezes
        for pull in there.queued_pulls.values():
            assert pull.has_left
            is_landed = pull.state is QueuedPullState.LANDED
            assert is_landed or pull.sentence or said_at(world, pull.number)
    assert not world.state.open_effects
    assert not world.state.incidents
    told = Counter(
        e.effect.key
        for e in world.journal
        if isinstance(e, ev.EffectIntended) and isinstance(e.effect, PostComment)
    )
    assert not [key for key, times in told.items() if times > 1]
    assert fold(world.journal) == world.state
    assert state_of(snapshot_of(world.state)) == world.state
