"""Who looks on: told of every exchange of the REST API and of every webhook, of all hubs here.

A witness is told after the answer is fixed and changes nothing. Deliberately absent: pages, git, and
the runner's own door.
"""

from dataclasses import dataclass
from typing import Protocol

from bot.localhub.github_json import Json


@dataclass(frozen=True)
class ObservedExchange:
    """A request and its answer, as they were on the wire; the path is without `/api/v3`."""

    method: str
    path: str
    query: str
    body: bytes
    status: int
    content_type: str
    answer: bytes
    # Whether a planted fault made the answer, so that nobody holds it against localhub.
    is_planted: bool


class TrafficObserver(Protocol):
    """Somebody who looks on. Called from any thread."""

    def on_exchange(self, exchange: ObservedExchange) -> None:
        """An answer is about to leave."""
        ...

    def on_webhook(self, event: str, payload: Json) -> None:
        """A webhook was made for somebody."""
        ...


_OBSERVERS: list[TrafficObserver] = []


def subscribe(observer: TrafficObserver) -> None:
    """Tell a witness of everything from now on."""
    _OBSERVERS.append(observer)


def unsubscribe(observer: TrafficObserver) -> None:
    """Tell a witness nothing more."""
    _OBSERVERS.remove(observer)


def has_observers() -> bool:
    """Whether anybody looks on; nothing needs to be gathered otherwise."""
    return bool(_OBSERVERS)


def notify_exchange(exchange: ObservedExchange) -> None:
    """Tell everybody who looks on."""
    for observer in list(_OBSERVERS):
        observer.on_exchange(exchange)


def notify_webhook(event: str, payload: Json) -> None:
    """Tell everybody who looks on."""
    for observer in list(_OBSERVERS):
        observer.on_webhook(event, payload)
