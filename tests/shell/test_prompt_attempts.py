"""A reply that was paid for is found again."""

import hashlib
import json
from datetime import UTC, datetime

from bot.core.journal.events import EffectIntended
from bot.core.journal.state import RepositoryState
from bot.core.journal.upcast import event_of
from bot.core.values.ids import RepositoryId
from bot.shell.model_calls import attempt_of

OLD = {
    "type": "AskModel",
    "question": 'brief:1:0 "prompt"',
    "role": "plan.brief",
    "models": ["a", "b"],
    "about": {
        "kind": "plan",
        "spec_run": "shop@1",
        "path": 'specs/"prompt".md',
        "commit": "0" * 40,
        "phase": "brief",
        "part": "shop",
        "requirements": [],
        "stem": "brief:1",
    },
    "asked_at": datetime(2026, 1, 1, tzinfo=UTC).isoformat().replace("+00:00", "Z"),
}


def test_an_attempt_begun_by_an_earlier_release_is_found() -> None:
    """Its field had another name then, and its id is made of the effect's text."""
    body = json.dumps({"type": "EffectIntended", "effect": OLD})
    event = event_of(1, "EffectIntended", 3, body)
    assert isinstance(event, EffectIntended)
    written = json.dumps(OLD, separators=(",", ":"))
    before = hashlib.sha256(f"{written} 0".encode()).hexdigest()[:40]
    assert event.effect.type == "AskModel"
    assert attempt_of(RepositoryId(7), RepositoryState(), event.effect).id == before
