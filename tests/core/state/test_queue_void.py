"""The one rule that voids: what holds in each cell of its table."""

import pytest

from bot.core.state.queue_void import VOIDS, Kind, Lack, Phase, is_void

_CELLS = [(kind, phase) for kind in Kind for phase in Phase]


def test_every_phase_of_both_kinds_is_in_the_table() -> None:
    assert {(kind, phase) for kind, row in VOIDS.items() for phase in row} == set(_CELLS)


@pytest.mark.parametrize(("kind", "phase"), _CELLS)
def test_what_lacks_nothing_lives(kind: Kind, phase: Phase) -> None:
    assert not is_void(kind, phase, frozenset())


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("lack", Lack)
def test_what_lacks_anything_does_not_land(kind: Kind, lack: Lack) -> None:
    assert is_void(kind, Phase.PASSED, {lack})


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("lack", Lack)
def test_gates_that_a_runner_took_come_to_their_end(kind: Kind, lack: Lack) -> None:
    assert not is_void(kind, Phase.RUNNING, {lack})


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("phase", [Phase.RED, Phase.OF_MAIN])
def test_a_result_is_void_after_another_push(kind: Kind, phase: Phase) -> None:
    assert is_void(kind, phase, {Lack.PUSHED_SINCE})


def test_a_change_is_convicted_where_only_landings_came_since_and_a_person_is_not() -> None:
    assert not is_void(Kind.CHANGE, Phase.RED, {Lack.LANDED_SINCE})
    assert is_void(Kind.PULL, Phase.RED, {Lack.LANDED_SINCE})
