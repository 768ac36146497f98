"""A journal that another release wrote: an earlier one is read on, a newer one stops all writing."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from pydantic import JsonValue

from bot.adapters import store
from bot.adapters.store.engine import as_text, migrate, open_engine
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.snapshots import SNAPSHOT_BYTES_MIN
from bot.adapters.store.tables import events, repository_leases, snapshots
from bot.core.journal.events import ModelFailed
from bot.core.journal.evolve import fold
from bot.core.journal.upcast import UnreadableEvent, version_of
from bot.ports import JournalUnreadable, Lease
from tests.adapters_store.kit import INSTALLED, NOW, REPOSITORY, heard, heavy, later

Engines = Callable[[], sa.Engine]


def _leased(journal: SqlJournal) -> Lease:
    lease = journal.acquire(REPOSITORY, "w1", NOW)
    assert lease is not None
    return lease


def _journal(engines: Engines) -> tuple[SqlJournal, Lease]:
    """A journal whose first event is ours."""
    journal = SqlJournal(engines())
    lease = _leased(journal)
    journal.append(lease, (INSTALLED,), NOW)
    return journal, lease


def _insert(engine: sa.Engine, number: int, version: int, body: dict[str, JsonValue]) -> None:
    """A row as another release would write it."""
    with engine.begin() as connection:
        connection.execute(
            events.insert().values(
                repository_id=REPOSITORY,
                number=number,
                at=as_text(NOW),
                type=body["type"],
                body=json.dumps(body),
                version=version,
            )
        )


def _rows(engine: sa.Engine) -> int:
    with engine.connect() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(events)).scalar_one())


class TestEarlier:
    """What an earlier release wrote is read as today's events."""

    def test_a_row_from_before_a_field_got_its_name_is_loaded(self, engines: Engines) -> None:
        journal, _ = _journal(engines)
        old: dict[str, JsonValue] = {
            **{"type": "ModelFailed", "spec_run": "shop@12345678"},
            **{"question": "q", "sentence": "s"},
        }
        _insert(engines(), 2, 1, old)
        now = ModelFailed(place="shop@12345678", prompt="q", sentence="s")
        assert [r.event for r in journal.records(REPOSITORY, 1)] == [now]
        assert SqlJournal(engines()).load(REPOSITORY) == fold((INSTALLED, now))
        assert journal.load(REPOSITORY).unreadable is None

    def test_each_row_carries_the_version_of_its_type(self, engines: Engines) -> None:
        journal, lease = _journal(engines)
        journal.append(lease, (ModelFailed(place="p", prompt="q", sentence="s"),), NOW)
        with engines().connect() as connection:
            rows = connection.execute(sa.select(events.c.type, events.c.version)).all()
        assert [(r.type, r.version) for r in rows] == [
            ("RepositoryInstalled", 1),
            ("ModelFailed", version_of("ModelFailed")),
        ]

    def test_rows_from_before_versions_count_as_the_first(self, tmp_path: Path) -> None:
        engine = open_engine(f"sqlite:///{tmp_path}/journal.db")
        config = Config()
        config.set_main_option("script_location", str(Path(store.__path__[0]) / "migrations"))
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "m0005")
            connection.execute(
                sa.text(
                    "INSERT INTO events (repository_id, number, at, type, body)"
                    " VALUES (7, 1, :at, 'RepositoryInstalled', :body)"
                ),
                {"body": INSTALLED.model_dump_json(), "at": as_text(NOW)},
            )
            command.upgrade(config, "head")
            (version,) = connection.execute(sa.select(events.c.version)).scalars()
        assert version == 1
        assert SqlJournal(engine).load(REPOSITORY) == fold((INSTALLED,))
        engine.dispose()


FOREIGN: list[tuple[int, dict[str, JsonValue]]] = [
    (1, {"type": "SpecSplit", "spec_run": "shop@12345678"}),
    (version_of("CommandHeard") + 1, {"type": "CommandHeard", "comment": 5, "issue": 1}),
    (1, {"type": "CommandHeard", "comment": 5, "issue": 1, "of_a_newer_release": True}),
]


@pytest.mark.parametrize(("version", "body"), FOREIGN, ids=["type", "version", "field"])
class TestNewer:
    """An event that this release cannot read stops reading and writing."""

    def test_the_state_stops_before_an_unreadable_event_and_names_it(
        self, engines: Engines, version: int, body: dict[str, JsonValue]
    ) -> None:
        journal, _ = _journal(engines)
        _insert(engines(), 2, version, body)
        _insert(engines(), 3, 1, {"type": "CommandHeard", "comment": 6, "issue": 1})
        for reader in (journal, SqlJournal(engines())):
            state = reader.load(REPOSITORY)
            unreadable = UnreadableEvent(number=2, name=str(body["type"]), version=version)
            assert state.unreadable == unreadable
            assert replace(state, unreadable=None) == fold((INSTALLED,))
            assert [r.number for r in reader.records(REPOSITORY, 0)] == [1]
        assert f"Event 2 of the journal ({body['type']}, version {version})" in unreadable.sentence

    def test_no_event_is_appended_after_an_unreadable_one(
        self, engines: Engines, version: int, body: dict[str, JsonValue]
    ) -> None:
        journal, lease = _journal(engines)
        _insert(engines(), 2, version, body)
        for new in ((heard(1),), ()):
            with pytest.raises(JournalUnreadable, match="another release of Headgate"):
                journal.append(lease, new, later(40))
        assert _rows(engines()) == 2
        with engines().connect() as connection:
            until = connection.execute(sa.select(repository_leases.c.until)).scalar_one()
        assert until < as_text(later(100))

    def test_a_release_that_can_read_the_event_continues(
        self, engines: Engines, version: int, body: dict[str, JsonValue]
    ) -> None:
        journal, lease = _journal(engines)
        _insert(engines(), 2, version, body)
        assert journal.load(REPOSITORY).unreadable is not None
        known = {"type": "CommandHeard", "comment": 5, "issue": 1}
        with engines().begin() as connection:
            connection.execute(
                events.update()
                .where(events.c.number == 2)
                .values(type="CommandHeard", version=1, body=json.dumps(known))
            )
        assert journal.append(lease, (heard(1),), NOW) == fold((INSTALLED, heard(5), heard(1)))


class TestSnapshots:
    """A snapshot that is not this release's own is folded anew."""

    @pytest.mark.parametrize(
        "other",
        [
            {"body": '{"facts": null, "of_a_newer_release": 1}'},
            {"body": '{"events": "many"}'},
            {"body": "nonsense"},
            {"known_events": "0" * 16, "body": "{}"},
            {"known_events": None, "body": "{}"},
        ],
        ids=["field", "type", "text", "other events", "no events"],
    )
    def test_an_unreadable_snapshot_is_discarded(
        self, engines: Engines, other: dict[str, str | None]
    ) -> None:
        journal, lease = _journal(engines)
        journal.append(lease, heavy(SNAPSHOT_BYTES_MIN), NOW)
        with engines().begin() as connection:
            assert connection.execute(sa.update(snapshots).values(**other)).rowcount == 1
        assert SqlJournal(engines()).load(REPOSITORY) == journal.load(REPOSITORY)


def test_a_database_that_a_newer_release_migrated_is_left_as_it_is(
    engines: Engines, tmp_path: Path
) -> None:
    journal, lease = _journal(engines)
    with engines().begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'm9999'"))
        connection.execute(sa.text("ALTER TABLE events ADD COLUMN of_a_newer_release INTEGER"))
    inbox = open_engine(f"sqlite:///{tmp_path / 'inbox.db'}")
    migrate(engines(), inbox)
    inbox.dispose()
    assert journal.append(lease, (heard(1),), NOW) == fold((INSTALLED, heard(1)))
