"""Records what tests exchange with localhub, and checks it against GitHub's description.

Exchanges are checked after the test that made them, so that tests stay fast. What GitHub does not
document fails the test, unless `deviations.py` gives a reason.
"""

import json
import threading

from bot.localhub.github_json import Json
from bot.localhub.traffic import ObservedExchange
from tests.contract.description import Exchanged, Finding, description
from tests.contract.deviations import is_allowed


class ExchangeRecorder:
    """Records every hub of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._exchanges: dict[Exchanged, None] = {}
        self._webhooks: dict[tuple[str, str], None] = {}

    def on_exchange(self, exchange: ObservedExchange) -> None:
        """Equal exchanges are checked once."""
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
        with self._lock:
            self._webhooks[event, json.dumps(payload)] = None

    def findings(self) -> list[Finding]:
        """What differed from the description since the last call, each difference once."""
        with self._lock:
            exchanges, self._exchanges = self._exchanges, {}
            webhooks, self._webhooks = self._webhooks, {}
        found: dict[Finding, None] = {}
        for exchange in exchanges:
            found.update(dict.fromkeys(description().judge(exchange)))
        for event, payload in webhooks:
            found.update(dict.fromkeys(description().judge_webhook(event, json.loads(payload))))
        return [one for one in found if not is_allowed(one.where, one.what, one.detail)]
