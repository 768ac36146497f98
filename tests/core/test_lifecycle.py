"""The tables of moves: every state can be entered and left, and only a person reopens."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

import pytest

from bot.core.journal.transitions import CHANGES, MOVES
from bot.core.state.waiting import _SHOWN
from bot.core.values.ids import Frozen
from bot.core.values.lifecycle import (
    LEFT,
    OWNERS,
    TERMINAL,
    WITH_AGENT,
    CandidateState,
    ChangeState,
    DialoguePhase,
    EntryState,
    OrderState,
    QueuedPullState,
    SpecRunState,
)
from tests.core.kit import approved
from tests.core.values import beside

_CHANGE = MOVES["change"]
_STATES: Mapping[str, type[StrEnum]] = {
    "change": ChangeState,
    "person's pull": QueuedPullState,
    "entry of the queue": EntryState,
    "candidate": CandidateState,
    "spec run": SpecRunState,
    "order": OrderState,
    "dialogue": DialoguePhase,
}
_OF_A_CHANGE = tuple(dict.fromkeys(m.event for m in _CHANGE if m.before))
_A_CHANGE = next(iter(approved(beside(1)).state.changes.values()))


def _can_move(state: ChangeState, event: str) -> bool:
    return any((m.event.__name__, m.before) == (event, state) for m in _CHANGE)


def _left(name: str, *states: StrEnum) -> set[tuple[str, StrEnum]]:
    """The events that lead out of these states, with the state."""
    return {
        (m.event.__name__, m.before)
        for m in MOVES[name]
        if m.before is not None and m.before in states and m.after != m.before
    }


@pytest.mark.parametrize("state", ChangeState)
def test_every_state_has_an_owner_and_a_word_for_people(state: ChangeState) -> None:
    owner, _, what = OWNERS[state].partition(":")
    assert owner
    assert what.strip()
    assert _SHOWN[state]


@pytest.mark.parametrize("state", [s for s in ChangeState if s not in TERMINAL])
def test_every_state_except_the_last_can_be_left(state: ChangeState) -> None:
    ends = {("ChangeFailed", state), ("ChangeStopped", state)}
    assert _left("change", state) - ends
    assert _can_move(state, "ChangeFailed")


@pytest.mark.parametrize(
    ("name", "state"), [(n, s) for n, states in _STATES.items() for s in states]
)
def test_every_state_can_be_reached(name: str, state: StrEnum) -> None:
    reached: set[StrEnum | None] = {None}
    for _ in _STATES[name]:
        reached |= {m.after for m in MOVES[name] if m.before in reached}
    assert state in reached


def test_an_ended_change_is_reopened_only_by_a_person_and_a_landed_one_never() -> None:
    assert _left("change", *TERMINAL) == {
        ("ChangeReopened", ChangeState.FAILED),
        ("ChangeReopened", ChangeState.STOPPED),
        ("HeadTakenOver", ChangeState.FAILED),
    }


def test_a_pull_that_left_the_queue_enters_again_only_when_a_person_asks() -> None:
    assert _left("person's pull", *LEFT) == {("PullQueued", state) for state in LEFT}


def test_a_pull_that_moves_main_ignores_other_events() -> None:
    landing = _left("person's pull", QueuedPullState.LANDING)
    assert {event for event, _ in landing} == {"PullLanded", "PullLandAborted"}


def test_an_ended_order_never_changes_its_state() -> None:
    assert _left("order", OrderState.REPORTED, OrderState.LOST) == set()


def test_an_ended_spec_run_or_dialogue_continues_only_on_request() -> None:
    ended = SpecRunState.STOPPED, SpecRunState.ENDED
    assert _left("spec run", *ended) == {("SpecRunReopened", state) for state in ended}
    assert _left("dialogue", DialoguePhase.ENDED) == {("WorkAsked", DialoguePhase.ENDED)}


@pytest.mark.parametrize("event", _OF_A_CHANGE, ids=lambda e: e.__name__)
def test_the_table_names_events_that_are_about_a_change(event: type[Frozen]) -> None:
    assert {"change", "place"} & event.model_fields.keys()


@pytest.mark.parametrize("name", MOVES)
def test_every_check_for_a_stale_event_says_what_it_checks(name: str) -> None:
    assert [m.event for m in MOVES[name] if not all(m.stale)] == []


@pytest.mark.parametrize("event", _OF_A_CHANGE, ids=lambda e: e.__name__)
@pytest.mark.parametrize("state", ChangeState)
def test_an_unknown_event_does_not_change_the_state(
    event: type[Frozen], state: ChangeState
) -> None:
    if not _can_move(state, event.__name__):
        assert CHANGES.after(replace(_A_CHANGE, state=state), event.model_construct()) is None


def test_an_entry_that_moves_main_ignores_other_events() -> None:
    landing = _left("entry of the queue", EntryState.LANDING)
    assert {event for event, _ in landing} == {
        *("Landed", "PullLanded"),
        *("LandAborted", "PullLandAborted"),
        *("PullQueued", "ChangeFailed"),
    }


def test_only_ordering_an_agent_takes_a_slot() -> None:
    entering = {
        m.event.__name__ for m in _CHANGE if m.after in WITH_AGENT and m.before not in WITH_AGENT
    }
    assert entering == {"AgentOrdered"}
