"""Changes of two specs that edit the same thing: the later one waits for the other."""

import pytest

from action.order import AgentOrder
from action.report import AgentEnding
from bot.core.decide.specs.plan_by_model import others_under_way
from bot.core.journal.state import ChangeFacts, SpecRun, SpecRunState
from bot.core.spec.read import read_spec
from bot.core.state.queue_view import Wait, not_begun
from bot.core.state.reason import Cause, reason_of
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Role
from tests.core.kit import World
from tests.core.values import GATES

ORDERS = "The endpoint `POST /orders` SHALL {}."


def put(world: World, name: str, *statements: str) -> SpecRun:
    """Commit a spec of so many requirements, each of a feature of its own, and approve its plan."""
    path = f"specs/{name}.md"
    parts = [f"# The {name}\n"]
    for number, said in enumerate(statements, start=1):
        parts.append(
            f"## Part {number} of {name}\n\n### REQ-{name.upper()}{number}-01: Do {name} {number}\n\n"
            f"{said}\n"
        )
    world.push_spec(read_spec(path, {path: "\n".join(parts).encode()}), path=path)
    world.settle()
    run = next(r for r in world.state.spec_runs.values() if r.path == path)
    world.pass_time(10)
    assert run.issue is not None
    world.say(run.issue, "/headgate approve")
    world.settle()
    world.pass_time(10)
    return run


def only(world: World, run: SpecRun, at: int = 0) -> ChangeFacts:
    return world.state.changes_of(run.id)[at]


def editor(world: World, run: SpecRun) -> ChangeFacts:
    """The change of the spec that edits the endpoint."""
    return next(c for c in world.state.changes_of(run.id) if c.planned.edits)


def has_agent(world: World, run: SpecRun, at: int = 0) -> bool:
    change = only(world, run, at)
    return any(world.state.orders[o].change == change.id for o in world.open_orders(AgentOrder))


def both(first: str = ORDERS, second: str = ORDERS) -> tuple[World, SpecRun, SpecRun]:
    world = World()
    return (
        world,
        put(world, "coupons", first.format("accept a coupon")),
        put(world, "gifts", second.format("wrap a gift")),
    )


def why(world: World, run: SpecRun) -> str:
    issue = only(world, run).issue
    assert issue is not None
    world.posted.clear()
    world.say(issue, "/headgate why")
    world.settle()
    return world.replies()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(ORDERS, id="an endpoint"),
        pytest.param("`PATCH /orders/{{id}}` SHALL {}.", id="a route"),
        pytest.param("The table `orders` SHALL {}.", id="a table"),
        pytest.param("The `OrderPlaced` event SHALL {}.", id="a contract"),
        pytest.param("The total in `src/orders/total.py` SHALL {}.", id="a file"),
        pytest.param("A column SHALL {}, added by `db/migrate/0042_one.sql`.", id="migrations"),
    ],
)
def test_the_later_of_two_rival_changes_waits_for_the_landing(said: str) -> None:
    world, coupons, gifts = both(said, said)
    assert has_agent(world, coupons)
    assert not has_agent(world, gifts)
    assert reason_of(world.state, only(world, gifts)).cause is Cause.RIVALS
    world.work(lambda w: only(w, coupons).landed is not None)
    world.settle()
    assert has_agent(world, gifts)
    world.work()
    assert only(world, gifts).landed is not None


@pytest.mark.parametrize(
    "second",
    [
        pytest.param("The endpoint `POST /refunds` SHALL {}.", id="another endpoint"),
        pytest.param("The endpoint `GET /orders` SHALL {}.", id="another method"),
        pytest.param("The till SHALL call `POST /orders` and {}.", id="it only calls it"),
        pytest.param("It SHALL {}, as `docs/orders.md` says.", id="a document"),
    ],
)
def test_changes_that_edit_different_things_run_in_parallel(second: str) -> None:
    world, coupons, gifts = both(ORDERS, second)
    assert has_agent(world, coupons)
    assert has_agent(world, gifts)


def test_a_shared_everyday_word_does_not_make_rivals() -> None:
    world, coupons, gifts = both("The button `orders` SHALL {}.", "The button `orders` SHALL {}.")
    assert has_agent(world, coupons)
    assert has_agent(world, gifts)


def test_two_deltas_of_one_requirement_of_the_main_specs() -> None:
    world = World()
    for name in ("coupons", "gifts"):
        folder = f"openspec/changes/{name}"
        text = (
            "## ADDED Requirements\n\n### Requirement: Sum up\n"
            f"The till SHALL add {name}.\n\n#### Scenario: One\n- **WHEN** one\n- **THEN** two\n"
        )
        spec = read_spec(folder, {f"{folder}/specs/till/spec.md": text.encode()})
        world.push_spec(spec, path=folder)
        world.settle()
        world.pass_time(10)
        assert world.run.issue is not None
        world.say(world.run.issue, "/headgate approve")
        world.settle()
        world.pass_time(10)
    waiting = [
        c for c in world.state.changes.values() if reason_of(world.state, c).cause is Cause.RIVALS
    ]
    assert [c.spec_run for c in waiting] == [world.run.id]
    assert reason_of(world.state, waiting[0]).sentence == "till: Sum up"


def test_a_change_continues_when_its_rival_failed() -> None:
    world = World()
    coupons = put(world, "coupons", ORDERS.format("take a coupon"), "The shop SHALL know coupons.")
    gifts = put(world, "gifts", ORDERS.format("wrap a gift"))
    rival = editor(world, coupons)
    while not world.state.changes[rival.id].is_ended:
        order = world.state.changes[rival.id].order
        assert order is not None
        world.hand_in(order, AgentEnding.GAVE_UP, "It cannot be done.")
        world.settle()
        world.pass_time(10)
    assert has_agent(world, gifts)
    assert world.state.changes[rival.id].state is ChangeState.FAILED
    assert world.state.spec_runs[coupons.id].state is SpecRunState.RUNNING


def test_a_change_continues_when_its_rival_was_stopped() -> None:
    world, coupons, gifts = both()
    assert coupons.issue is not None
    world.say(coupons.issue, "/headgate stop")
    world.settle()
    assert has_agent(world, gifts)


def test_a_person_can_start_a_waiting_rival_at_once() -> None:
    world, _, gifts = both()
    issue = only(world, gifts).issue
    assert issue is not None
    world.say(issue, "/headgate now", role=Role.MAINTAIN)
    world.settle()
    assert has_agent(world, gifts)


def test_why_names_the_rival_and_the_shared_thing() -> None:
    world, coupons, gifts = both()
    issue = only(world, coupons).issue
    said = why(world, gifts)
    assert (
        f"It starts when #{issue} (working) has ended, because another spec also edits POST "
        "/orders." in said
    )
    assert f"comment `/headgate now` on #{only(world, gifts).issue}" in said


def test_the_queue_issue_is_opened_for_a_waiting_rival() -> None:
    world, coupons, gifts = both()
    world.pass_time(60)
    world.settle()
    kept = world.state.queue_issue
    assert kept is not None
    line = (
        f"- #{only(world, gifts).issue} {only(world, gifts).planned.title}: it starts after "
        f"#{only(world, coupons).issue}, which also edits POST /orders, for another spec"
    )
    assert line in world.issues[kept.number]
    (place,) = not_begun(world.state)
    assert (place.place, place.waits_for) == (0, Wait.RIVALS)


def test_a_change_that_waits_in_its_own_spec_does_not_block_rivals() -> None:
    world = World()
    waits = "Depends on REQ-COUPONS1-01. " + ORDERS.format("accept a coupon")
    coupons = put(world, "coupons", "The shop SHALL know coupons.", waits)
    assert only(world, coupons, 1).planned.depends_on
    gifts = put(world, "gifts", ORDERS.format("wrap a gift"))
    assert has_agent(world, gifts)
    # By now the older spec's change could begin, and the other has begun.
    world.work(lambda w: only(w, coupons).landed is not None)
    world.settle()
    if only(world, gifts).landed is None:
        assert reason_of(world.state, only(world, coupons, 1)).cause is Cause.RIVALS
    world.work()
    assert only(world, coupons, 1).landed is not None


def test_an_unapproved_plan_does_not_block_rivals() -> None:
    world = World()
    path = "specs/coupons.md"
    text = f"# Coupons\n\n### REQ-CO-01: Take\n\n{ORDERS.format('accept a coupon')}\n"
    world.push_spec(read_spec(path, {path: text.encode()}), path=path)
    world.settle()
    gifts = put(world, "gifts", ORDERS.format("wrap a gift"))
    assert has_agent(world, gifts)


def test_a_change_without_budget_does_not_block_rivals() -> None:
    # An attempt of the kit costs a dollar.
    prices = "agent: {model: m1, dollars_max: 4}\nprices: {m1: {input: 10000, output: 0}}\n"
    world = World(f"{GATES}{prices}max_parallel: 1\nbudgets: {{run_dollars: 1}}\n")
    coupons = put(
        world, "coupons", "The shop SHALL know coupons.", ORDERS.format("accept a coupon")
    )
    gifts = put(world, "gifts", ORDERS.format("wrap a gift"))
    world.work(lambda w: bool(only(w, gifts).landed))
    assert only(world, gifts).landed is not None
    assert editor(world, coupons).state is ChangeState.WAITING


def test_the_tracking_issue_links_the_rival() -> None:
    world, coupons, gifts = both()
    waits = only(world, coupons).issue
    assert (
        f"| waiting | 0 | – | #{waits} |"
        in world.issues[world.state.spec_runs[gifts.id].issue or 0]
    )


def test_the_planning_prompt_lists_edits_of_other_changes() -> None:
    world, _, _ = both()
    told = others_under_way(tuple(world.state.changes.values()))
    assert [one.touches for one in told] == [("POST /orders",), ("POST /orders",)]
