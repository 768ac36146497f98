"""An agent that runs out of turns: the next one continues its work, and both parts land."""

from pathlib import Path

import pytest

from tests.testkit.harness import harness_runner
from tests.testkit.hub_setup import POLICY
from tests.testkit.model import house_with_model, scene
from tests.testkit.specs import requirement, spec


@pytest.mark.slow
def test_work_from_before_the_turn_limit_lands_with_the_rest(tmp_path: Path) -> None:
    half = {"bash": {"command": "mkdir -p src .venv; echo half >src/half.txt; ln -s / .venv/lib"}}
    look = {"bash": {"command": "ls src"}}
    rest = {"bash": {"command": "test -f src/half.txt && git diff --stat HEAD~1 >src/rest.txt"}}
    scenes = (
        scene("cut off", {"calls": [half]}, {"calls": [look]}, attempt=1),
        scene("goes on", {"calls": [rest]}, {"text": "DONE"}, attempt=2),
    )
    policy = f"{POLICY}planner: deterministic\nagent:\n  turns_max: 2\n"
    with house_with_model(tmp_path, *scenes, policy=policy) as shop:
        shop.runner = harness_runner(shop.runner)
        tracking = shop.start(spec(requirement("TILL")))
        shop.work()

        files = shop.main_files()
        assert files["src/half.txt"] == "half"
        assert "src/half.txt" in files["src/rest.txt"]
        assert not [path for path in files if path.startswith(".venv")]
        body = shop.body(shop.number("Make the till work"))
        assert "| 1 | out of turns | The agent has used all of its 2 turns." in body
        assert "Removed from the work: `.venv/`" in body
        assert "| 2 | landed |" in body
        assert shop.issue(tracking)["state"] == "closed"
