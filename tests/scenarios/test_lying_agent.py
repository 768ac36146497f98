"""An agent that makes false claims: people see what the gates found."""

from pathlib import Path

import pytest

from tests.testkit.harness import HarnessRunner, harness_runner
from tests.testkit.hub_setup import POLICY
from tests.testkit.model import house_with_model, scene
from tests.testkit.openspec import FOLDER, PROPOSAL, TILL, TILL_DELTA, TILL_PATH

pytestmark = pytest.mark.slow

QUICK = f"{POLICY}    quick: true\nplanner: deterministic\nattempts_max: 2\n"
LIES = "I ran the whole suite: all tests are green, and each scenario is checked.\n\nDONE"
TICKS_ALL = (
    "touch broken; mkdir -p src; echo euro >src/till.txt; "
    f"sed -i 's/- \\[ \\]/- [x]/' {FOLDER}/headgate/*/tasks.md"
)


def test_false_claims_of_an_agent_do_not_land(tmp_path: Path) -> None:
    lying = ({"calls": [{"bash": {"command": TICKS_ALL}}]}, *({"text": LIES},) * 20)
    with house_with_model(
        tmp_path, scene("lying", *lying, task=["Headgate order"]), policy=QUICK
    ) as shop:
        shop.runner = runner = harness_runner(shop.runner)
        shop.push({TILL_PATH: TILL}, "Describe the till")
        shop.push(
            {f"{FOLDER}/proposal.md": PROPOSAL, f"{FOLDER}/specs/till/spec.md": TILL_DELTA},
            "Propose receipts",
        )
        shop.settle()
        shop.judge_main()
        tracking = int(shop.tracking()["number"])
        shop.ask(tracking, "/headgate approve")
        shop.work()

        assert isinstance(runner, HarnessRunner)
        assert len(runner.said) == 2
        (change,) = (int(i["number"]) for i in shop.issues() if i["number"] != tracking)
        said = shop.body(change)
        assert "### Failed" in said
        assert "| 1 | gates red | `test` failed: The command exited with 1" in said
        assert "2 of 2 tasks ticked." in said
        # Its words stand in the transcript alone, with what answered them.
        claim, (status, transcript) = LIES.partition("\n")[0], said.split("<details>")
        assert claim in transcript
        assert claim not in status
        assert transcript.count("a gate that will judge your work is red in this tree") == 3
        (report,) = (c for c in shop.comments(tracking) if "0 of 1 requirements landed" in c)
        assert claim not in report
        assert "`test` failed: The command exited with 1 after" in report
        assert ".." not in report
        assert "src/till.txt" not in shop.main_files()
        assert "with taxes" not in shop.main_files()[TILL_PATH]
        assert shop.issue(change)["state"] == "open"
