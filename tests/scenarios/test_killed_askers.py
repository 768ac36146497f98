"""A process may die between any two steps of asking a model: no question is lost, none paid thrice.

What was answered and kept is paid for once. What was answered and not kept is asked once more: the
provider has no idempotency key that would bring the answer back.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.core.ids import EffectKey, RepositoryId
from bot.core.journal.events import ModelAsked
from bot.shell.bench import Bench
from tests.testkit.crash import Hazard, Killed, Moment, Side, Ward, bench_in_time, hazardous
from tests.testkit.house import House, ask_once
from tests.testkit.model import change, house_with_model, plan, scene
from tests.testkit.specs import requirement, spec

PLAN = plan(change("cart", "REQ-CART-01"))


def once_at(name: str, side: Side) -> Callable[[Moment], None]:
    """Die at the first moment of a name, on one side of it."""
    left = [1]

    def strike(moment: Moment) -> None:
        if name in moment.names and moment.side is side and left:
            left.pop()
            raise Killed(str(moment))

    return strike


def mortal(story: House, hazard: Hazard, deaths: list[str]) -> None:
    """From now on whoever asks may die; what starts it again frees what it was asking."""

    def ask(bench: Bench, repository: RepositoryId, effect: EffectKey) -> None:
        try:
            ask_once(hazardous(bench, hazard), repository, effect)
        except Killed as death:
            deaths.append(str(death))
            bench.questions.let_go(bench.holder)

    story.asker = ask


def paid(hazard: Hazard) -> int:
    """How many answers came back from the model, kept or not."""
    return sum(1 for m in hazard.met if m == Moment(("ask",), Side.AFTER))


def planned_once(shop: House) -> None:
    """The plan is there, and the journal holds one answer and one plan."""
    assert "Made by a model" in shop.body(int(shop.tracking()["number"]))
    calls = [e.call.outcome.value for e in shop.events("ModelAsked") if isinstance(e, ModelAsked)]
    assert calls == ["answered"]
    assert len(shop.events("ModelAnswered")) == 1
    assert len(shop.events("PlanMade")) == 1


@pytest.mark.parametrize(
    ("name", "side", "times"),
    [
        ("claim", Side.BEFORE, 1),
        ("claim", Side.AFTER, 1),
        ("ask", Side.AFTER, 2),
        ("keep", Side.BEFORE, 2),
        ("keep", Side.AFTER, 1),
    ],
)
def test_an_asker_that_dies_loses_no_question_and_pays_for_none_without_need(
    tmp_path: Path, name: str, side: Side, times: int
) -> None:
    with house_with_model(tmp_path, scene("plan", PLAN, PLAN)) as shop:
        hazard, deaths = Hazard(once_at(name, side)), list[str]()
        mortal(shop, hazard, deaths)
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        shop.settle()
        assert deaths == [f"{side} {name}"]
        # Nobody rang: the sweep finds what is due.
        shop.forward(seconds=6)
        shop.ring_due()
        planned_once(shop)
        assert paid(hazard) == times


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", ["ModelAnswered", "EffectDone AskModel"])
def test_a_worker_that_dies_while_it_writes_an_answer_down_takes_the_kept_one(
    tmp_path: Path, name: str, side: Side
) -> None:
    with house_with_model(tmp_path, scene("plan", PLAN, PLAN)) as shop:
        hazard, deaths = Hazard(once_at(name, side)), list[str]()
        mortal(shop, hazard, deaths)
        ward = Ward(shop, hazard)
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        ward.work_without_runners()
        assert len(ward.deaths) == 1
        planned_once(shop)
        assert paid(hazard) == 1


def test_an_asker_that_never_comes_back_is_stood_in_for_when_its_claim_runs_out(
    tmp_path: Path,
) -> None:
    with house_with_model(tmp_path, scene("plan", PLAN, PLAN)) as shop:
        hazard = Hazard(once_at("ask", Side.AFTER))

        def ask(bench: Bench, repository: RepositoryId, effect: EffectKey) -> None:
            try:
                ask_once(hazardous(bench, hazard), repository, effect)
            except Killed:
                shop.asker = ask_elsewhere

        def ask_elsewhere(bench: Bench, repository: RepositoryId, effect: EffectKey) -> None:
            ask_once(hazardous(bench_in_time(shop, "elsewhere"), hazard), repository, effect)

        shop.asker = ask
        shop.restart(bench_in_time(shop))
        shop.push({"specs/shop.md": spec(requirement("CART"))}, "A spec")
        shop.settle()
        shop.forward(minutes=10)
        shop.ring_due()
        assert "is being planned" in shop.body(int(shop.tracking()["number"]))
        shop.forward(minutes=40)
        shop.ring_due()
        planned_once(shop)
        assert paid(hazard) == 2
