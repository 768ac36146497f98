"""`headgate explain` on a stored journal: what a change waits for."""

import json
from pathlib import Path

from action.report import Obstacle
from bot.adapters.store.engine import migrate, open_engine
from bot.adapters.store.journal import SqlJournal
from tests.core.deferrals import agents, put_off
from tests.core.kit import World, approved
from tests.core.test_stories_of_peoples_pushes import red, taken
from tests.core.values import FACTS, GATES, beside
from tests.test_command_line import headgate


def explained(world: World, folder: Path, *more: str) -> str:
    """What is printed of the world's first change."""
    (folder / "var").mkdir()
    engine = open_engine(f"sqlite:///{folder}/var/journal.db")
    migrate(engine, open_engine(f"sqlite:///{folder}/var/inbox.db"))
    journal = SqlJournal(engine)
    lease = journal.acquire(FACTS.id, "w", world.now)
    assert lease is not None
    journal.append(lease, tuple(world.journal), world.now)
    engine.dispose()
    done = headgate("explain", world.change("R0").slug, *more, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_setup_error_is_explained_with_its_fix(tmp_path: Path) -> None:
    world = approved(beside(1), GATES + "agent:\n  kind: command\n  command: my-agent --go\n")
    put_off(world, Obstacle.PROGRAM_MISSING)
    said = explained(world, tmp_path)
    assert "No agent starts: the agent's command cannot be started: `my-agent --go`" in said
    assert "Correct `agent.command` in the policy" in said
    assert "starts an agent next" not in said


def test_a_change_taken_over_by_a_person_names_them_and_the_next_step(tmp_path: Path) -> None:
    world, _ = taken()
    red(world)
    said = explained(world, tmp_path)
    assert "title-of-r0: in a person's hands" in said
    assert "Ada has taken it over." in said
    assert "`/headgate hand-back`" in said


def test_a_lost_order_is_not_counted_as_an_attempt_in_explain(tmp_path: Path) -> None:
    world = approved(beside(1))
    for _ in range(2):
        world.lease(agents(world)[0])
        world.settle()
        world.pass_time(46)
        world.settle()
    said = explained(world, tmp_path)
    assert said.count("  no attempt: lost The runner stopped responding") == 2
    assert "attempt 1:" not in said


def test_a_pause_is_in_the_json_output(tmp_path: Path) -> None:
    world = approved(beside(1))
    put_off(world)
    told = json.loads(explained(world, tmp_path, "--json"))
    assert (told["reason"]["cause"], told["reason"]["pause"]["cause"]) == ("paused", "model_away")
