"""The lifecycle table: every state has an owner and a way out, and only a person reopens."""

from typing import get_args

import pytest

from bot.core.journal.events import Event
from bot.core.state.waiting import _SHOWN
from bot.core.values.lifecycle import (
    OWNERS,
    TERMINAL,
    TRANSITIONS,
    WITH_AGENT,
    ChangeState,
    can_move,
    next_state,
)

_EVENTS = {t.__name__: t for t in get_args(get_args(Event)[0])}


@pytest.mark.parametrize("state", ChangeState)
def test_every_state_has_an_owner_and_a_word_for_people(state: ChangeState) -> None:
    owner, _, what = OWNERS[state].partition(":")
    assert owner
    assert what.strip()
    assert _SHOWN[state]


@pytest.mark.parametrize("state", [s for s in ChangeState if s not in TERMINAL])
def test_every_state_that_is_not_the_end_can_be_left(state: ChangeState) -> None:
    ways = {
        event
        for event, moves in TRANSITIONS.items()
        if moves.get(state, state) is not state and event not in {"ChangeFailed", "ChangeStopped"}
    }
    assert ways
    assert can_move(state, "ChangeFailed")


@pytest.mark.parametrize("state", ChangeState)
def test_every_state_can_be_reached(state: ChangeState) -> None:
    reached = {ChangeState.WAITING}
    for _ in ChangeState:
        reached |= {
            to for moves in TRANSITIONS.values() for at, to in moves.items() if at in reached
        }
    assert state in reached


def test_the_end_is_left_only_by_a_person_who_asks_and_landed_never() -> None:
    leaving = {
        (event, at) for event, moves in TRANSITIONS.items() for at in moves if at in TERMINAL
    }
    assert leaving == {
        ("ChangeReopened", ChangeState.FAILED),
        ("ChangeReopened", ChangeState.STOPPED),
    }


@pytest.mark.parametrize("name", TRANSITIONS)
def test_the_table_names_events_that_are_about_a_change(name: str) -> None:
    assert "change" in _EVENTS[name].model_fields


@pytest.mark.parametrize("name", TRANSITIONS)
@pytest.mark.parametrize("state", ChangeState)
def test_an_event_that_the_table_does_not_know_leaves_the_state(
    name: str, state: ChangeState
) -> None:
    if not can_move(state, name):
        assert next_state(state, name) is state


def test_a_change_that_moves_main_cannot_be_stopped() -> None:
    assert not can_move(ChangeState.LANDING, "ChangeStopped")


def test_only_ordering_an_agent_takes_a_slot() -> None:
    entering = {
        event
        for event, moves in TRANSITIONS.items()
        for at, to in moves.items()
        if to in WITH_AGENT and at not in WITH_AGENT
    }
    assert entering == {"AgentOrdered"}
