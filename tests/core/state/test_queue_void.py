"""The rule that voids queue entries: every cell of its table."""

import pytest

from bot.core.state.queue_void import VOIDS, Kind, Lack, Phase, is_void

_CELLS = [(kind, phase) for kind in Kind for phase in Phase]


def test_every_phase_of_both_kinds_is_in_the_table() -> None:
    assert {(kind, phase) for kind, row in VOIDS.items() for phase in row} == set(_CELLS)


@pytest.mark.parametrize(("kind", "phase"), _CELLS)
def test_a_complete_entry_is_not_void(kind: Kind, phase: Phase) -> None:
    assert not is_void(kind, phase, frozenset())


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("lack", Lack)
def test_an_incomplete_entry_does_not_land(kind: Kind, lack: Lack) -> None:
    assert is_void(kind, Phase.PASSED, {lack})


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("lack", Lack)
def test_gates_that_a_runner_started_are_not_voided(kind: Kind, lack: Lack) -> None:
    assert not is_void(kind, Phase.RUNNING, {lack})


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("phase", [Phase.RED, Phase.OF_MAIN])
def test_a_result_is_void_after_another_push(kind: Kind, phase: Phase) -> None:
    assert is_void(kind, phase, {Lack.PUSHED_SINCE})


def test_red_gates_after_other_landings_count_for_a_change_but_not_for_a_person() -> None:
    assert not is_void(Kind.CHANGE, Phase.RED, {Lack.LANDED_SINCE})
    assert is_void(Kind.PULL, Phase.RED, {Lack.LANDED_SINCE})
