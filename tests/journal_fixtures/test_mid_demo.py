"""A journal of an earlier release is loaded, continued and finished by the code of today."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from anthropic import Anthropic

from action.agents.prompt import task_prompt
from action.order import AgentOrder
from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.journal import SqlJournal
from bot.adapters.store.order_store import SqlOrderStore
from bot.core.journal.state import SpecRunState
from bot.core.state.candidates import is_being_judged
from bot.core.talk.queue_issue import queue_title
from bot.core.values.lifecycle import ChangeState
from bot.demo.material import story
from bot.demo.material.files import script_text
from bot.localhub.model_server.script import parse_script
from bot.localhub.model_server.server import running
from tests.journal_fixtures.restore import MID_DEMO, fill_store, restored_house, store_rows
from tests.localhub_model.demo_kit import Repository, play
from tests.simulation.laws import broken_laws, left_open
from tests.testkit.house import House

# The waits are for people who watch, and gates run the tests that the agents would run.
_SCRIPT = re.sub(r"after_seconds: [\d.]+", "after_seconds: 0", script_text())
_SCRIPT = re.sub(r"python3 -m pytest -q( tests/[\w.]+)?", "echo tested", _SCRIPT)

# Evenings that are more than the work that was left needs.
_EVENINGS_MAX = 30


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    # The gates' `python3` needs pytest, which the machine's own may lack.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    with (
        running(parse_script(_SCRIPT)) as model_url,
        Anthropic(api_key="any", base_url=model_url, max_retries=0) as client,
        restored_house(tmp_path) as restored,
    ):

        def agent(order: AgentOrder, tree: Path) -> None:
            play(client, Repository(tree), task_prompt(order))

        restored.runner.agent = agent
        yield restored


def _slugs(house: House, state: ChangeState) -> set[str]:
    return {c.slug for c in house.state.changes.values() if c.state is state}


def test_a_kept_journal_is_loaded_to_its_end(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/journal.db")
    inbox = open_engine(f"sqlite:///{tmp_path}/inbox.db")
    migrate(engine, inbox)
    rows = store_rows(MID_DEMO)
    fill_store(engine, rows)
    (repository,) = SqlJournal(engine).repositories()
    state = SqlJournal(engine).load(repository)
    assert (state.events, state.unreadable) == (345, None)
    placed = [str(row["order_id"]) for table, row in rows if table == "desk"]
    assert set(placed) == set(state.orders)
    assert set(SqlOrderStore(engine).entries(repository, tuple(state.orders))) == set(state.orders)
    engine.dispose()
    inbox.dispose()


@pytest.mark.slow
def test_a_journal_stopped_in_the_middle_of_a_demo_is_finished(house: House) -> None:
    assert _slugs(house, ChangeState.LANDED) == {"catalogue-contract", "export"}
    assert _slugs(house, ChangeState.WORKING) == {"loans"}
    state = house.state
    judged = {c.slug for c in state.changes.values() if is_being_judged(state, c)}
    assert judged == {"catalogue", "waitlist"}
    begun = len(house.every_event())
    assert begun == 345

    for _ in range(_EVENINGS_MAX):
        # The runners that held orders are gone: their leases run out, and others take the work.
        house.forward(minutes=2)
        house.sweep()
        house.ring_due()
        house.work()
        if not left_open(house.state):
            break

    state = house.state
    assert _slugs(house, ChangeState.LANDED) == set(story.CHANGES)
    (run,) = state.spec_runs.values()
    assert run.state is SpecRunState.ENDED
    assert len(state.covered) == 17
    assert [i["title"] for i in house.issues() if i["state"] == "open"] in ([], [queue_title()])
    assert house.pulls("open") == []
    assert broken_laws(house) == []
    assert len(house.every_event()) > begun
