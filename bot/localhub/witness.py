"""Who looks on: told of every exchange of the REST API and of every webhook, of all hubs here.

A witness is told after the answer is fixed and changes nothing. Deliberately absent: pages, git, and
the runner's own door.
"""

from dataclasses import dataclass
from typing import Protocol

from bot.localhub.wire import Json


@dataclass(frozen=True)
class SeenExchange:
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


class Witness(Protocol):
    """Somebody who looks on. Called from any thread."""

    def saw_exchange(self, exchange: SeenExchange) -> None:
        """An answer is about to leave."""
        ...

    def saw_webhook(self, event: str, payload: Json) -> None:
        """A webhook was made for somebody."""
        ...


_WITNESSES: list[Witness] = []


def look_on(witness: Witness) -> None:
    """Tell a witness of everything from now on."""
    _WITNESSES.append(witness)


def look_away(witness: Witness) -> None:
    """Tell a witness nothing more."""
    _WITNESSES.remove(witness)


def has_witnesses() -> bool:
    """Whether anybody looks on; nothing needs to be gathered otherwise."""
    return bool(_WITNESSES)


def tell_exchange(exchange: SeenExchange) -> None:
    """Tell everybody who looks on."""
    for witness in list(_WITNESSES):
        witness.saw_exchange(exchange)


def tell_webhook(event: str, payload: Json) -> None:
    """Tell everybody who looks on."""
    for witness in list(_WITNESSES):
        witness.saw_webhook(event, payload)
