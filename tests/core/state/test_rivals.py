"""Property: changes that wait for changes of other specs never wait forever."""

from datetime import timedelta
from random import Random

from hypothesis import given, settings, strategies as st

from bot.core.journal.state import ChangeFacts, RepositoryState, SpecRun, SpecRunState, change_id
from bot.core.state.rivals import rivals, rivals_of_all
from bot.core.state.waiting import waits_for
from bot.core.values.ids import IssueNumber, Slug, SpecRunId
from bot.core.values.lifecycle import ChangeState
from bot.core.values.replacement import replace
from tests.core.plan.kit import change, plan_of, waits
from tests.core.values import START
from tests.testkit.examples import examples

THINGS = ["POST /orders", "orders", "src/till.py"]


@st.composite
def specs_at_work(draw: st.DrawFn) -> RepositoryState:
    """Up to four runs of up to four changes, some of the same age, their changes in any open state."""
    state = RepositoryState()
    for number in range(draw(st.integers(2, 4))):
        run = SpecRunId(f"run{number}")
        planned = []
        for at in range(draw(st.integers(1, 4))):
            before = draw(st.lists(st.integers(0, at - 1), unique=True)) if at else []
            edits = tuple(draw(st.lists(st.sampled_from(THINGS), unique=True)))
            one = change(f"c{at}", f"{number}{at}", *(waits(f"c{b}") for b in before))
            planned.append(one.replace(edits=edits))
        opened = START + timedelta(minutes=draw(st.integers(0, 2)))
        facts = SpecRun(
            id=run,
            path=f"specs/{run}.md",
            key=run,
            title=run,
            opened_at=opened,
            state=SpecRunState.RUNNING,
            plan=plan_of(*planned),
        )
        state = replace(state, spec_runs={**state.spec_runs, run: facts})
        for one in planned:
            begun = not one.depends_on and draw(st.booleans())
            id_ = change_id(run, Slug(one.slug))
            known = ChangeFacts(
                id=id_,
                spec_run=run,
                planned=one,
                issue=IssueNumber(len(state.changes) + 1),
                state=ChangeState.WORKING if begun else ChangeState.WAITING,
            )
            state = replace(state, changes={**state.changes, id_: known})
    return state


def ready(state: RepositoryState) -> list[ChangeFacts]:
    return [
        c
        for c in state.changes.values()
        if c.state is ChangeState.WAITING and not waits_for(state, c) and not rivals(state, None, c)
    ]


def moved(state: RepositoryState, one: ChangeFacts, to: ChangeState) -> RepositoryState:
    return replace(state, changes={**state.changes, one.id: replace(one, state=to)})


@settings(max_examples=examples(80))
@given(specs_at_work(), st.randoms(use_true_random=False))
def test_rival_changes_never_run_side_by_side_and_all_land(
    state: RepositoryState, order: Random
) -> None:
    while any(not c.is_ended for c in state.changes.values()):
        working = [c for c in state.changes.values() if c.state is ChangeState.WORKING]
        could = ready(state)
        assert working or could, "all that is open waits for each other"
        one = order.choice([*working, *could])
        if one.state is ChangeState.WORKING:
            state = moved(state, one, ChangeState.LANDED)
            continue
        beside = [c for c in working if c.spec_run != one.spec_run]
        assert not any(set(c.planned.edits) & set(one.planned.edits) for c in beside)
        state = moved(state, one, ChangeState.WORKING)


@settings(max_examples=examples(80))
@given(specs_at_work())
def test_the_check_of_all_changes_equals_the_check_of_each(state: RepositoryState) -> None:
    one_by_one = {
        c.id: {rival.change.id: rival for rival in found}
        for c in state.changes.values()
        if not waits_for(state, c) and (found := rivals(state, None, c))
    }
    at_once = rivals_of_all(state, None).items()
    assert {
        id_: {rival.change.id: rival for rival in found} for id_, found in at_once
    } == one_by_one
