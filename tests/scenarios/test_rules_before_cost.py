"""A rule of GitHub that refuses every landing is reported before an agent works, and work waits."""

from bot.localhub.rule_model import RefRule, Ruleset
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"
DEFAULT = ("~DEFAULT_BRANCH",)


def test_an_approved_plan_waits_until_a_blocking_rule_is_removed(shop: House) -> None:
    rule = Ruleset(7, "Reviews", DEFAULT, frozenset({RefRule.PULL_REQUEST}), approvals_min=1)
    tracking = shop.plan(SHOP)
    shop.hub.add_ruleset(shop.full_name, rule)

    shop.ask(tracking, "/headgate approve")
    shop.work()

    assert TILL not in shop.main_files()
    assert [change.attempt for change in shop.state.changes.values()] == [0]
    assert "GitHub would refuse every landing" in "\n".join(shop.comments(tracking))
    assert "The ruleset “Reviews”" in shop.body(tracking)

    shop.hub.repository(shop.full_name).rulesets.clear()
    shop.forward(minutes=1)
    shop.sweep()
    shop.work()

    assert TILL in shop.main_files()
    assert "The ruleset “Reviews”" not in shop.body(tracking)


def test_a_rule_that_the_app_may_bypass_does_not_block_work(shop: House) -> None:
    assert shop.state.facts is not None
    free = frozenset({shop.state.facts.app_id})
    rules = frozenset({RefRule.PULL_REQUEST})
    tracking = shop.plan(SHOP)
    shop.hub.add_ruleset(shop.full_name, Ruleset(7, "R", DEFAULT, rules, bypass_app_ids=free))

    shop.ask(tracking, "/headgate approve")
    shop.work()

    assert TILL in shop.main_files()
