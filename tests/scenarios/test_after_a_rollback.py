"""After a rollback, the older release does nothing where a newer one has written, and says so."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.adapters.store.engine import as_text, open_engine
from bot.adapters.store.tables import events
from bot.core.values.ids import RepositoryId
from bot.localhub.model import TokenKind
from bot.ports import JournalUnreadable
from tests.testkit.crash import CrashPoint, FaultInjector, Killed, Side, inject_faults
from tests.testkit.house import House
from tests.testkit.model import change, house_with_model, plan, scene
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))


def _repository(shop: House) -> RepositoryId:
    return RepositoryId(shop.hub.repository(shop.full_name).id)


def _write_as_a_newer_release(shop: House) -> int:
    """Append an event of a future version; returns its number."""
    number = len(shop.every_event()) + 1
    engine = open_engine(shop.settings.journal_url)
    body = {"type": "PolicyRead", "version": "v2", "commit": shop.ref()}
    with engine.begin() as connection:
        connection.execute(
            events.insert().values(
                repository_id=_repository(shop),
                number=number,
                at=as_text(shop.clock.now()),
                type="PolicyRead",
                body=json.dumps(body),
                version=2,
            )
        )
    engine.dispose()
    return number


def _start_the_newer_release(shop: House) -> None:
    """The newer release knows that event."""
    engine = open_engine(shop.settings.journal_url)
    with engine.begin() as connection:
        connection.execute(events.update().where(events.c.version == 2).values(version=1))
    engine.dispose()
    shop.restart()


def _rows(shop: House) -> int:
    engine = open_engine(shop.settings.journal_url)
    with engine.connect() as connection:
        counted = connection.execute(sa.select(sa.func.count()).select_from(events)).scalar_one()
    engine.dispose()
    return int(counted)


def test_an_older_release_waits_until_the_newer_one_starts(shop: House) -> None:
    tracking = shop.plan(SHOP)
    number = _write_as_a_newer_release(shop)
    shop.restart()
    written, asked = _rows(shop), len(shop.hub.exchanges)

    said = shop.comment(tracking, "/headgate approve", shop.token)
    for _ in range(2):
        with pytest.raises(JournalUnreadable, match=f"Event {number} of the journal"):
            shop.sweep()
    assert _rows(shop) == written
    assert shop.state.unreadable is not None
    ours = [e for e in shop.hub.exchanges[asked:] if e.token_kind is not TokenKind.USER]
    assert ours == []
    assert shop.reactions(said) == []
    # The hints that the sweeps left are not kept for ever, and the lease is free.
    assert shop.ports.journal.hints(_repository(shop)) == {}
    lease = shop.ports.journal.acquire(_repository(shop), "another", shop.clock.now())
    assert lease is not None
    shop.ports.journal.release(lease)

    _start_the_newer_release(shop)
    shop.sweep()
    shop.work()
    shop.sweep()
    assert shop.state.unreadable is None
    assert shop.issue(tracking)["state"] == "closed"
    assert [run.state for run in shop.state.spec_runs.values()] == ["ended"]


def test_no_model_is_called_if_the_reply_cannot_be_recorded(tmp_path: Path) -> None:
    is_dying = [True]

    def on_point(point: CrashPoint) -> None:
        if point == CrashPoint(("claim",), Side.BEFORE) and any(is_dying):
            raise Killed(str(point))

    injector = FaultInjector(on_point)
    with house_with_model(tmp_path, scene("plan", plan(change("till", "REQ-TILL-01")))) as shop:
        shop.wrap_model_ports = lambda ports: inject_faults(ports, injector)
        shop.push({"specs/shop.md": SHOP}, "A spec")
        shop.settle()
        (question,) = shop.state.open_effects
        is_dying.clear()
        _write_as_a_newer_release(shop)
        shop.bell.ring_prompt(_repository(shop), question)
        shop.settle()
        assert CrashPoint(("ask",), Side.BEFORE) not in injector.reached

        _start_the_newer_release(shop)
        shop.bell.ring_prompt(_repository(shop), question)
        shop.settle()
        assert CrashPoint(("ask",), Side.BEFORE) in injector.reached
        assert "Made by a model" in shop.body(int(shop.tracking()["number"]))
