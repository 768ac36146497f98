"""Caches of a process are bounded."""

from collections.abc import Iterator
from typing import cast

from hypothesis import given, strategies as st

from bot.shell.observe import Observer
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent


def test_the_entry_not_used_for_longest_is_dropped() -> None:
    kept: Recent[str, int] = Recent(2)
    kept.put("first", 1)
    kept.put("second", 2)
    assert kept.get("first") == 1
    assert kept.put("third", 3) == 3
    assert [kept.get(key) for key in ("first", "second", "third")] == [1, None, 3]


def test_a_key_keeps_its_newest_value() -> None:
    kept: Recent[str, int] = Recent(2)
    kept.put("first", 1)
    kept.put("first", 2)
    assert (kept.get("first"), len(kept)) == (2, 1)


@given(st.lists(st.integers(0, 20)), st.integers(1, 5))
def test_a_cache_does_not_grow_beyond_its_bound(keys: list[int], entries_max: int) -> None:
    kept: Recent[int, int] = Recent(entries_max)
    for key in keys:
        kept.put(key, key)
        assert len(kept) <= entries_max
        assert kept.get(key) == key


def test_every_cache_of_an_observer_is_bounded() -> None:
    kept = dict(_attributes(Observer(cast(Ports, object()))))
    assert "Observer._specs" in kept
    assert "PullObserver._snapshots" in kept
    assert [name for name, value in kept.items() if isinstance(value, dict | list | set)] == []


def _attributes(one: object) -> Iterator[tuple[str, object]]:
    for name, value in vars(one).items():
        yield f"{type(one).__name__}.{name}", value
        if type(value).__module__.startswith("bot.shell.") and not isinstance(value, Recent):
            yield from _attributes(value)
