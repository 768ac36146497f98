"""A small run of the bench of agents prints every line, and counts what it says."""

from pathlib import Path

import pytest

from tests.bench import agents, proxy
from tests.needs import needs_bubblewrap, needs_linux


@needs_linux
def test_the_start_of_the_harness_is_measured() -> None:
    python, start, builtin = agents.start_told(1).splitlines()
    assert python.startswith("Imports of Python alone: ")
    assert start.startswith("Imports of the harness at its start: ")
    assert builtin.startswith("Imports of the harness with the builtin agent: ")


def test_the_proxy_is_measured_beside_direct_requests_and_streams(tmp_path: Path) -> None:
    small, large, streams = proxy.proxy_told(tmp_path, 2, wait_seconds=0.5).splitlines()
    assert small.startswith("A request of 2 kB: ")
    assert large.startswith("A request of 400 kB: ")
    assert "first byte came after" in streams


@pytest.mark.slow
@needs_bubblewrap
def test_orders_are_measured_as_the_model_reads_them(tmp_path: Path) -> None:
    files, spec = agents.project_of(30), agents.spec_text(1)
    (one,) = measured = agents.measure_orders(tmp_path, files, spec, 1)
    soon, size, named = agents.orders_told(measured, files, spec).splitlines()
    assert one.processor_seconds > 0
    assert 0 < one.seconds < 60
    assert "- Rule 59" in one.told
    assert soon.endswith("(1 orders)")
    assert size.startswith("An order on 30 files: at most ")
    assert named == "What its change names: 5 of 5 lines are in the order"


@pytest.mark.slow
@needs_bubblewrap
def test_memory_is_measured_at_every_turn(tmp_path: Path) -> None:
    found = agents.memory_by_turn(tmp_path, 4)
    assert 4 in found
    assert agents.memory_told(found, 4).startswith(
        "Memory of a run of 4 turns, in MiB by turn: 1: "
    )


def test_memory_growth_is_printed_relative_to_the_first_quarter() -> None:
    found = {turn: (100 + turn) * 1024 * 1024 for turn in range(9)}
    assert agents.memory_told(found, 8) == (
        "Memory of a run of 8 turns, in MiB by turn: 1: 101, 2: 102, 4: 104, 6: 106, 8: 108; "
        "+6% after the first quarter, at most 108"
    )
