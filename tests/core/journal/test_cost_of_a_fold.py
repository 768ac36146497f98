"""The cost of an event depends on what it changes, not on the size of the state."""

import dataclasses
import sys
from types import FrameType

import pytest

from bot.core.journal import events as ev
from bot.core.journal.change_state import Head
from bot.core.journal.evolve import evolve
from bot.core.journal.state import RepositoryState
from bot.core.spec.identity.register import Entry
from bot.core.values.ids import RequirementId
from bot.core.values.replacement import replace
from tests.core.values import START, sha


def test_folding_an_event_does_not_read_every_field() -> None:
    state = evolve(RepositoryState(), ev.CommentsRead(up_to=START))
    calls: list[str] = []

    def note(_frame: FrameType, what: str, _of: object) -> None:
        calls.append(what)

    sys.setprofile(note)
    try:
        after = evolve(state, ev.CommentsRead(up_to=START))
    finally:
        sys.setprofile(None)
    assert after.events == 2
    assert calls.count("c_call") < len(dataclasses.fields(RepositoryState))


def test_a_copy_differs_only_in_the_named_fields() -> None:
    before = RepositoryState(policy_version="v", events=3)
    after = replace(before, events=4)
    assert (before.events, after.events, after.policy_version) == (3, 4, "v")
    assert after == dataclasses.replace(before, events=4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        after.events = 5  # type: ignore[misc]


def test_a_class_with_slots_can_be_copied() -> None:
    head = Head(sha=sha("a"), tree=sha("b"), order=None, paths=())
    assert replace(head, sha=sha("c")).sha == sha("c")


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError):
        replace(RepositoryState(), evnets=1)  # type: ignore[call-arg]


def _entry(number: int, text: str = "a") -> Entry:
    return Entry(
        rid=RequirementId(f"a#{number:03}"),
        spec="a",
        title="",
        text=text,
        text_hash="",
        first_seen="v",
        last_seen="v",
    )


def test_the_register_is_sorted_by_id() -> None:
    state = RepositoryState()
    for numbers in ((5, 1, 9), (3, 5), (0, 11, 9)):
        entries = tuple(_entry(n, f"{numbers}") for n in numbers)
        registered = ev.RequirementsRegistered(spec="a", commit=sha("c"), entries=entries)
        state = evolve(state, registered)
    found = state.register_now.entries
    assert [e.rid for e in found] == [f"a#{n:03}" for n in (0, 1, 3, 5, 9, 11)]
    assert [e.text for e in found if e.rid in {"a#005", "a#009"}] == ["(3, 5)", "(0, 11, 9)"]
