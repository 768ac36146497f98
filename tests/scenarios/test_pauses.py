"""Outages and setup errors with real harnesses: they cost no attempt, and work continues."""

from pathlib import Path

import pytest

from tests.testkit.harness import HarnessRunner, harness_runner
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.model import house_with_model, scene
from tests.testkit.specs import requirement, spec

pytestmark = pytest.mark.slow

BY_RULES = f"{POLICY}planner: deterministic\n"
WITH_COMMAND = POLICY + "agent:\n  kind: command\n  command: {}\n"
TILL = spec(requirement("TILL"))


def attempts(shop: House) -> list[int]:
    return [change.attempt for change in shop.state.changes.values()]


def test_work_waits_for_a_model_that_stays_overloaded_after_the_retries(
    tmp_path: Path,
) -> None:
    work = {"calls": [{"bash": {"command": "mkdir -p src && echo euro >src/till.txt"}}]}
    # The retries are for the server's own time, which is short.
    fault = {"kind": "overloaded", "times": 1_000, "retry_after_seconds": 0.01}
    away = {**work, "fault": fault}
    # o1 are main's own gates.
    scenes = (scene("away", away, task=["order o2 "]), scene("back", work, {"text": "DONE"}))
    with house_with_model(tmp_path, *scenes, policy=BY_RULES) as shop:
        shop.runner = runner = harness_runner(shop.runner)
        tracking = shop.start(TILL)
        shop.work()

        assert "**Paused since " in shop.body(tracking)
        assert "does not answer" in shop.body(tracking)
        assert "the server answered 529" in shop.body(tracking)
        assert attempts(shop) == [0]
        shop.forward(seconds=31)
        shop.ring_due()
        shop.work()

        assert isinstance(runner, HarnessRunner)
        assert len(runner.said) == 2
        assert shop.main_files()["src/till.txt"] == "euro"
        assert attempts(shop) == [1]
        assert "Paused" not in shop.body(tracking)
        assert shop.issue(tracking)["state"] == "closed"


def test_a_missing_agent_command_is_fixed_by_a_push(tmp_path: Path) -> None:
    with house(tmp_path, policy=WITH_COMMAND.format("no-such-agent --go")) as shop:
        shop.runner = harness_runner(shop.runner)
        tracking = shop.start(TILL)
        shop.work()

        said = shop.body(tracking)
        assert "The agent's command cannot be started: `no-such-agent --go`." in said
        assert "Correct `agent.command` in the policy" in said
        assert attempts(shop) == [0]
        mended = WITH_COMMAND.format("mkdir -p src && echo euro >src/till.txt")
        shop.push({".github/headgate.yml": mended}, "Name the agent that there is")
        shop.work()

        assert shop.main_files()["src/till.txt"] == "euro"
        assert attempts(shop) == [1]
        assert shop.state.pauses == {}


def test_a_person_resumes_before_the_next_try_is_due(tmp_path: Path) -> None:
    line = f"test -e {tmp_path}/there || exit 127; mkdir -p src && echo euro >src/till.txt"
    with house(tmp_path, policy=WITH_COMMAND.format(line) + "sandbox: none_allowed\n") as shop:
        shop.runner = harness_runner(shop.runner)
        tracking = shop.start(TILL)
        shop.work()
        assert attempts(shop) == [0]
        resumed = shop.ask(tracking, "/headgate resume")
        assert shop.reactions(resumed) == ["eyes", "rocket"]
        assert "Headgate tries again now." in shop.reply(tracking, resumed)
        shop.work()

        (pause,) = shop.state.pauses.values()
        assert pause.times == 1
        assert attempts(shop) == [0]
