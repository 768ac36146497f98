"""GitHub's rules refuse something: people see why, and it continues when the rule is gone."""

from pathlib import Path

from action.order import AgentOrder
from bot.localhub.rule_model import RefRule, RequiredCheck, Ruleset
from tests.testkit.house import House
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"
CI, AGENT = ".github/workflows/ci.yml", ".github/workflows/headgate-agent.yml"
# Joined here, so that no push of this file looks like a push of a token.
# A kind that GitHub knows and our own rules do not: those would leave the file out before.
TOKEN = "dp.pt." + "a1B2c3D4e5" * 4


def test_a_ruleset_on_main_blocks_the_landing_until_it_is_removed(
    shop: House,
) -> None:
    rule = Ruleset(1, "No pushes", ("~DEFAULT_BRANCH",), frozenset({RefRule.UPDATE}))
    tracking = shop.start(SHOP)
    shop.hub.add_ruleset(shop.full_name, rule)

    shop.work()

    till = shop.number("Make the till work")
    assert "GitHub refused to move main" in shop.body(till)
    assert "Cannot update this protected ref." in shop.body(till)
    assert TILL not in shop.main_files()
    asked = shop.ask(till, "/headgate why")
    assert "Cannot update this protected ref." in shop.reply(till, asked)
    pushes = shop.pushes()
    shop.forward(minutes=2)
    shop.sweep()
    assert shop.pushes() == pushes

    shop.hub.repository(shop.full_name).rulesets.clear()
    shop.forward(minutes=4)
    shop.sweep()

    assert TILL in shop.main_files()
    assert shop.issue(tracking)["state"] == "closed"


def test_work_waits_until_a_ruleset_on_branches_is_removed(shop: House) -> None:
    tracking = shop.start(SHOP)
    # It was not there when the plan was approved, and so is met by the first candidate.
    rule = Ruleset(1, "No branches", ("headgate/**",), frozenset({RefRule.CREATION}))
    shop.hub.add_ruleset(shop.full_name, rule)

    shop.work()

    till = shop.number("Make the till work")
    assert "A rule of this repository refuses the push" in shop.body(till)
    assert "creations being restricted" in shop.body(till)
    assert "Add Headgate's App to the bypass list" in shop.body(tracking)
    assert shop.issue(tracking)["state"] == "open"

    shop.hub.repository(shop.full_name).rulesets.clear()
    shop.forward(minutes=6)
    shop.ring_due()
    shop.work()

    assert TILL in shop.main_files()
    assert "1 of 1 requirements landed" in shop.comments(tracking)[-1]
    assert "refuses the push" not in shop.body(till)
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_a_workflow_that_people_edit_while_an_agent_works_costs_no_attempt(shop: House) -> None:
    shop.start(SHOP)
    shop.push({CI: "on: workflow_dispatch\n"}, "Add a workflow")
    shop.settle()
    before = shop.main_files()
    shop.push({AGENT: before[AGENT] + "\n# A newer version."}, "Bump it")

    shop.work()

    after = shop.main_files()
    assert TILL in after
    assert (after[CI], after[AGENT][-18:]) == ("on: workflow_dispatch", "# A newer version.")
    assert [change.attempt for change in shop.state.changes.values()] == [1]
    assert shop.events("EffectRefused") == []


def test_a_candidate_is_rebuilt_if_workflows_on_main_changed(shop: House) -> None:
    shop.start(SHOP)
    shop.runner.do_all()
    # Nobody has told us yet of this push when the work comes in.
    shop.hold_deliveries()
    shop.push({CI: "on: workflow_dispatch\n"}, "Add a workflow")
    held = shop.hold_deliveries()
    shop.ring_due()
    shop.bell.deliveries += held
    shop.work()

    assert {TILL, CI} <= shop.main_files().keys()
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_work_with_a_token_names_its_place_and_waits_until_a_person_allows_it(shop: House) -> None:
    def leaves_a_token(order: AgentOrder, tree: Path) -> None:
        writes_a_file(order, tree)
        (tree / "fixture.txt").write_text(f"key = {TOKEN}\n")

    shop.runner.agent = leaves_a_token
    tracking = shop.start(SHOP)

    shop.work()

    till = shop.number("Make the till work")
    assert "push protection" in shop.body(till)
    assert "`fixture.txt:1`" in shop.body(till)
    assert "/unblock-secret/" in shop.body(tracking)
    shop.hub.allow_secret(shop.full_name, TOKEN)
    shop.ask(tracking, "/headgate resume")
    shop.work()

    assert TILL in shop.main_files()
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_a_missing_workflow_is_reported_at_once_and_work_waits_for_it(
    shop: House,
) -> None:
    workflow = ".github/workflows/headgate-agent.yml"
    text = shop.main_files()[workflow]
    shop.push({workflow: None}, "Tidy up")
    shop.work()
    tracking = shop.start(SHOP)

    shop.work()

    assert "The workflow `headgate-agent.yml` cannot be started." in shop.body(tracking)
    assert "Put it on the default branch" in shop.body(tracking)

    shop.push({workflow: text + "\n"}, "Put it back")
    shop.work()
    assert TILL in shop.main_files()
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_a_change_lands_at_once_if_a_ruleset_requires_the_verdict(shop: House) -> None:
    check = RequiredCheck("headgate/verdict")
    tracking = shop.start(SHOP)
    shop.hub.add_ruleset(
        shop.full_name, Ruleset(1, "Verdict", ("~DEFAULT_BRANCH",), required_checks=(check,))
    )

    shop.work()

    assert TILL in shop.main_files()
    assert shop.issue(tracking)["state"] == "closed"
