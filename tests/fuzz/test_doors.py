"""A short run of `make fuzz`; the seed is printed where it fails, and is another each time."""

from random import Random

import pytest

from tests.fuzz import doors
from tests.fuzz.doors import KINDS, spoilt, try_many


@pytest.mark.slow
def test_random_input_neither_crashes_nor_blocks_a_reader() -> None:
    seed = Random().randrange(10**9)
    fault, _, _ = try_many(range(seed, seed + 200 * len(KINDS)))

    assert fault == ""


def test_memory_growth_is_measured_even_after_a_higher_peak(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mebibyte = 1024**2
    bytearray(96 * mebibyte)[::4096] = b"x" * (96 * mebibyte // 4096)
    monkeypatch.setattr(doors, "MEMORY_BYTES", 16 * mebibyte)
    doors._at_first.cache_clear()
    monkeypatch.setattr(doors, "KINDS", {"large": lambda *_: bytes(48 * mebibyte).upper()})

    fault, _, _ = try_many(range(1))

    assert fault.endswith("MiB of memory")


def test_an_input_is_reproduced_from_its_seed() -> None:
    assert spoilt(Random(7), {"a": [1, 2, {"b": "c"}]}) == spoilt(
        Random(7), {"a": [1, 2, {"b": "c"}]}
    )
    assert len({spoilt(Random(n), {"a": [1, 2]}) for n in range(50)}) > 10


def test_spoiling_one_input_leaves_the_others_as_they_were() -> None:
    def inputs() -> list[bytes]:
        return [spoilt(Random(seed), {"a": [1, {"b": "c"}]}) for seed in range(3_000)]

    assert inputs() == inputs()
