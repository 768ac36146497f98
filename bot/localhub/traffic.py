"""Observers of every REST request and every webhook, of all hubs in this process.

An observer is called after the answer is fixed and changes nothing. Pages, git and the runners' own
routes are not observed.
"""

from dataclasses import dataclass
from typing import Protocol

from bot.localhub.github_json import Json


@dataclass(frozen=True)
class ObservedExchange:
    """A request and its answer, as sent; the path is without `/api/v3`."""

    method: str
    path: str
    query: str
    body: bytes
    status: int
    content_type: str
    answer: bytes
    # Whether a planted fault made the answer; then it need not conform to GitHub's description.
    is_planted: bool


class TrafficObserver(Protocol):
    """Called from any thread."""

    def on_exchange(self, exchange: ObservedExchange) -> None:
        """An answer is about to be sent."""

    def on_webhook(self, event: str, payload: Json) -> None: ...


_OBSERVERS: list[TrafficObserver] = []


def subscribe(observer: TrafficObserver) -> None:
    _OBSERVERS.append(observer)


def unsubscribe(observer: TrafficObserver) -> None:
    _OBSERVERS.remove(observer)


def has_observers() -> bool:
    """Whether anybody observes; otherwise nothing needs to be collected."""
    return bool(_OBSERVERS)


def notify_exchange(exchange: ObservedExchange) -> None:
    for observer in list(_OBSERVERS):
        observer.on_exchange(exchange)


def notify_webhook(event: str, payload: Json) -> None:
    for observer in list(_OBSERVERS):
        observer.on_webhook(event, payload)
