"""An old server keeps running beside a new one with its own database: each reports it."""

import contextlib
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.journal.effects import PublishLedger
from bot.core.journal.events import EffectIntended, LedgerPublished
from bot.core.state.troubles import standing
from bot.core.values.ids import Sha
from bot.core.values.trouble import TroubleKind
from bot.localhub.faults import Fault, FaultKind
from bot.ports import Retryable
from bot.shell.ledger_look import LedgerLook
from bot.shell.perform_ledger import publish_ledger
from bot.shell.perform_task import Task
from tests.scenarios.test_names_of_branches import install_what_is_listed
from tests.testkit.house import House, RecordingDoorbell, make_house_ports
from tests.testkit.prepared_store import prepare_store_by_copy
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TOLD = "Another Headgate server of the same App has worked in team/shop "


def server_beside(shop: House, folder: Path) -> House:
    """Another server of the same App, which knows nothing of the first."""
    settings = shop.settings.model_copy(update={"var": folder})
    prepare_store_by_copy(settings)
    bell = RecordingDoorbell()
    ports = make_house_ports(settings, bell, shop.clock)
    other = replace(shop, settings=settings, bell=bell, ports=ports)
    # The same line, written by both in the same second, is the same commit.
    shop.forward(seconds=30)
    install_what_is_listed(other)
    return other


def met(story: House) -> list[TroubleKind]:
    return [one.kind for one in standing(story.ports.troubles.all(), story.clock.now())]


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [r.__dict__["says"] for r in caplog.records if r.getMessage() == "another_server"]
    caplog.clear()
    return found


def ledger(shop: House) -> str:
    return shop.ref("refs/headgate/ledger")


def ancestors(shop: House, commit: str) -> list[str]:
    folder = shop.hub.repository(shop.full_name).git.folder
    return shop.git(folder, "rev-list", commit).split()


def copy(source: Path, target: Path) -> None:
    """Page by page: the web server of this house has the journal open."""
    with (
        contextlib.closing(sqlite3.connect(source)) as kept,
        contextlib.closing(sqlite3.connect(target)) as live,
    ):
        kept.backup(live)


def test_a_new_server_says_that_another_one_was_there(
    shop: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shop.sweep()
    assert told(caplog) == []
    new = server_beside(shop, tmp_path / "new")
    first, *_ = told(caplog)
    assert first.startswith(TOLD)
    assert "below `refs/headgate/` existed before this server started" in first
    assert "Stop the other server, or create another App for it (`headgate setup`)" in first
    assert met(new) == [TroubleKind.SERVER]


def test_a_server_reports_another_server_that_writes_its_ledger_and_loses_no_line(
    shop: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    new = server_beside(shop, tmp_path / "new")
    first_of_new = ledger(shop)
    told(caplog)
    shop.push({"README.md": "# More\n"}, "Say more")
    shop.sweep()
    (said,) = told(caplog)
    assert said.startswith(TOLD)
    assert f"had lines in {first_of_new[:12]} that this server did not write" in said
    assert met(shop) == [TroubleKind.SERVER]
    # Nobody has to stop for it, and what either wrote stays.
    assert shop.state.ledger_published == shop.state.ledger_lines == 2
    assert first_of_new in ancestors(shop, ledger(shop))

    new.forward(minutes=2)
    new.sweep()
    assert len(told(caplog)) == 1
    assert first_of_new in ancestors(shop, ledger(shop))


def test_an_old_server_detects_a_new_one_even_if_main_did_not_move(
    shop: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shop.sweep()
    assert met(shop) == []
    new = server_beside(shop, tmp_path / "new")
    there = ledger(shop)
    told(caplog)
    for _ in range(3):
        shop.forward(minutes=2)
        shop.sweep()
    (said,) = told(caplog)
    assert said.startswith(TOLD)
    assert there[:12] in said
    assert met(shop) == [TroubleKind.SERVER]
    # Nothing was written for it.
    assert ledger(shop) == there
    new.sweep()
    assert told(caplog) == []


def test_an_old_server_without_its_mirror_detects_a_new_one_after_a_failed_fetch(
    shop: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shop.sweep()
    server_beside(shop, tmp_path / "new")
    told(caplog)
    (mirror,) = shop.settings.var.glob("mirrors/*.git")
    shutil.rmtree(mirror)
    # The list of refs comes, and the fetch after it does not.
    shop.hub.faults.add(Fault(kind=FaultKind.REFUSE_BEFORE, method="GET", path_glob="*/info/refs*"))
    look, facts, state = LedgerLook(shop.ports), shop.state.facts, shop.state
    assert facts is not None
    with pytest.raises(Retryable):
        look.tip_of_main(facts, state)
    assert told(caplog) == []

    assert look.tip_of_main(facts, state) == shop.ref()

    (said,) = told(caplog)
    assert ledger(shop)[:12] in said


def test_a_restarted_ledger_belongs_to_another_server_even_without_our_mirror(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    shop.sweep()
    (mirror,) = shop.settings.var.glob("mirrors/*.git")
    shutil.rmtree(mirror)
    folder = shop.hub.repository(shop.full_name).git.folder
    shop.git(folder, "update-ref", "refs/headgate/ledger", shop.ref())
    look, facts, state = LedgerLook(shop.ports), shop.state.facts, shop.state
    assert facts is not None

    assert look.tip_of_main(facts, state) == shop.ref()

    (said,) = told(caplog)
    assert shop.ref()[:12] in said


def test_a_ledger_written_by_another_server_before_our_push_is_reported(
    shop: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shop.push({"README.md": "# More\n"}, "Say more")
    shop.sweep()
    facts, state, ours = shop.state.facts, shop.state, ledger(shop)
    intended = [e for e in shop.events("EffectIntended") if isinstance(e, EffectIntended)]
    (*_, effect) = [e.effect for e in intended if isinstance(e.effect, PublishLedger)]
    server_beside(shop, tmp_path / "new")
    told(caplog)
    assert facts is not None
    publish_ledger(Task(shop.ports, facts, state, effect, (effect,), look_first=False))
    (said,) = told(caplog)
    assert "that this server did not write" in said
    assert ours in ancestors(shop, ledger(shop))


def test_a_stale_answer_of_github_is_not_another_server(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    shop.sweep()
    before = shop.state.ledger_commit
    shop.push({"README.md": "# More\n"}, "Say more")
    shop.sweep()
    assert shop.state.facts is not None
    look = LedgerLook(shop.ports)
    for there in (before, shop.state.ledger_commit, None):
        look.compare(shop.state.facts, shop.state, there)
    assert (told(caplog), met(shop)) == ([], [])


def test_a_push_with_a_lost_answer_is_not_another_server(
    shop: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server_beside(shop, tmp_path / "new")
    shop.push({"README.md": "# More\n"}, "Say more")
    shop.sweep()
    there, facts = ledger(shop), shop.state.facts
    told(caplog)
    shop.forward(minutes=2)
    intended = [e for e in shop.events("EffectIntended") if isinstance(e, EffectIntended)]
    (*_, effect) = [e.effect for e in intended if isinstance(e.effect, PublishLedger)]
    assert facts is not None
    again = publish_ledger(Task(shop.ports, facts, shop.state, effect, (effect,), look_first=True))
    assert again == (LedgerPublished(lines=2, commit=Sha(there)),)
    assert (ledger(shop), told(caplog)) == (there, [])


def test_a_ledger_that_continues_ours_is_our_own_from_before_a_restore(
    shop: House, caplog: pytest.LogCaptureFixture
) -> None:
    before = shop.settings.var / "before.db"
    journal = shop.settings.var / "journal.db"
    shop.sweep()
    copy(journal, before)
    shop.push({"README.md": "# More\n"}, "Say more")
    shop.sweep()
    lost = ledger(shop)
    copy(before, journal)
    shop.restart()
    # The lost line is written anew at another time: in the same second it would be the same commit.
    shop.forward(minutes=2)
    shop.sweep()
    shop.push({"README.md": "# Even more\n"}, "Say even more")
    shop.sweep()
    assert shop.state.ledger_published == shop.state.ledger_lines == 3
    assert ledger(shop) != lost
    assert told(caplog) == []
    assert met(shop) == []
