"""Looks on while tests talk to localhub, and holds what was said to GitHub's description.

Exchanges are only gathered while a test runs; they are judged when it has ended, so that a test is
as fast as ever. What GitHub does not document fails the test, unless `deviations.py` argues it.
"""

import json
import threading

from bot.localhub.github_json import Json
from bot.localhub.traffic import ObservedExchange
from tests.contract.description import Exchanged, Finding, description
from tests.contract.deviations import is_allowed


class Onlooker:
    """A witness of every hub in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._exchanges: dict[Exchanged, None] = {}
        self._webhooks: dict[tuple[str, str], None] = {}

    def on_exchange(self, exchange: ObservedExchange) -> None:
        """Keep an exchange; the same one twice is judged once."""
        if exchange.is_planted:
            return
        kept = Exchanged(
            method=exchange.method,
            path=exchange.path,
            query=exchange.query,
            body=exchange.body,
            status=exchange.status,
            content_type=exchange.content_type,
            answer=exchange.answer,
        )
        with self._lock:
            self._exchanges[kept] = None

    def on_webhook(self, event: str, payload: Json) -> None:
        """Keep a webhook."""
        with self._lock:
            self._webhooks[event, json.dumps(payload)] = None

    def findings(self) -> list[Finding]:
        """What was not as described since the last time this was asked, each once."""
        with self._lock:
            exchanges, self._exchanges = self._exchanges, {}
            webhooks, self._webhooks = self._webhooks, {}
        found: dict[Finding, None] = {}
        for exchange in exchanges:
            found.update(dict.fromkeys(description().judge(exchange)))
        for event, payload in webhooks:
            found.update(dict.fromkeys(description().judge_webhook(event, json.loads(payload))))
        return [one for one in found if not is_allowed(one.where, one.what, one.detail)]
