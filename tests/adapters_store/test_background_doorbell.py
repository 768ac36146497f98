"""A ring in the background does not block, and no ring is lost."""

import threading
from dataclasses import dataclass, field

from bot.adapters.doorbell.background import BackgroundDoorbell
from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.wanted_reading import Reading


@dataclass
class StiffBell:
    """A bell that takes as long as the test wants; `rung` is what it was told."""

    may_ring: threading.Event = field(default_factory=threading.Event)
    has_rung: threading.Event = field(default_factory=threading.Event)
    rung: list[str | int] = field(default_factory=list)

    def ring_delivery(self, delivery_id: str) -> None:
        self._ring(delivery_id)

    def ring_repository(self, repository: RepositoryId) -> None:
        self._ring(int(repository))

    def ring_prompt(self, repository: RepositoryId, effect: EffectKey) -> None:
        self._ring(f"{repository} {effect}")

    def ring_reading(self, repository: RepositoryId, reading: Reading) -> None:
        self._ring(f"{repository} {reading.path}")

    def ring_self_test(self, repository: RepositoryId, effect: EffectKey) -> None:
        self._ring(f"{repository} {effect}")

    def _ring(self, what: str | int) -> None:
        self.rung.append(what)
        self.has_rung.set()
        assert self.may_ring.wait(20)


def test_a_ring_does_not_block_and_later_rings_are_merged() -> None:
    bell = StiffBell()
    behind = BackgroundDoorbell(bell)
    behind.ring_delivery("first")
    assert bell.has_rung.wait(20)

    # The bell is stuck at the first; whoever comes now is through at once.
    for number in range(100):
        behind.ring_delivery(f"guid-{number}")
    for _ in range(3):
        behind.ring_repository(RepositoryId(7))
    assert bell.rung == ["first"]

    bell.may_ring.set()
    done = threading.Event()
    for _ in range(2_000):
        if len(bell.rung) >= 3:
            break
        done.wait(0.01)
    assert bell.rung == ["first", 7, "guid-99"]
