"""The short version of `make fuzz-spec`: a thousand texts of fixed seeds."""

from tests.fuzz.spec import HANG_SECONDS, text_of, try_one


def test_a_thousand_random_texts_neither_crash_nor_hang() -> None:
    assert max(try_one(seed) for seed in range(1_000)) < HANG_SECONDS


def test_a_seed_is_always_the_same_text() -> None:
    assert [text_of(seed) for seed in range(50)] == [text_of(seed) for seed in range(50)]
    assert len({text_of(seed) for seed in range(200)}) > 100
