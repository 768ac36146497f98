"""What a change costs in commits, and that effects are written before they are performed."""

from collections import Counter
from pathlib import Path

import sqlalchemy as sa

from bot.adapters.store.engine import open_engine
from bot.adapters.store.journal import SqlJournal
from bot.core.values.ids import RepositoryId
from tests.testkit.crash import CrashPoint, FaultInjector, Side, Supervisor
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

# To the journal's database and the inbox, for one change from the approval to the report.
COMMITS_A_CHANGE = 56

PERFORMED = {
    "open_pull": "OpenPull",
    "dispatch_workflow": "DispatchOrder",
    "move_main": "LandCandidate",
    "comment_on_issue": "PostComment",
    "react": "React",
}


def test_a_change_needs_few_database_commits_in_order(shop: House) -> None:
    # What was performed is appended after a second, too: here none passes.
    shop.clock.stop()
    supervisor = Supervisor(shop, FaultInjector())
    tracking = shop.plan(spec(requirement("TILL")))
    onlooker = SqlJournal(open_engine(shop.settings.journal_url))
    repository = RepositoryId(shop.hub.repository(shop.full_name).id)
    reached: Counter[str] = Counter()
    commits: Counter[str] = Counter()

    def look(point: CrashPoint) -> None:
        kind = PERFORMED.get(point.names[0])
        if kind is not None and point.side is Side.BEFORE:
            reached[kind] += 1
            written = {e.type for e in onlooker.load(repository).open_effects.values()}
            assert kind in written, f"{point} with {written} open"

    def note(connection: sa.Connection) -> None:
        commits[Path(connection.engine.url.database or "").stem] += 1

    supervisor.injector.on_point = look
    sa.event.listen(sa.Engine, "commit", note)
    try:
        shop.ask(tracking, "/headgate approve")
        shop.work()
    finally:
        sa.event.remove(sa.Engine, "commit", note)

    assert shop.issue(tracking)["state"] == "closed"
    assert {"OpenPull", "DispatchOrder", "LandCandidate"} <= set(reached)
    assert commits["journal"] + commits["inbox"] <= COMMITS_A_CHANGE, commits
