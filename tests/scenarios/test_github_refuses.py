"""GitHub's rules refuse something: people see why, and it continues when the rule is gone."""

from bot.localhub.model import RefRule, RequiredCheck, Ruleset
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"


def test_a_ruleset_on_main_stops_the_landing_with_githubs_words_and_it_lands_when_lifted(
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


def test_a_ruleset_on_branches_fails_the_change_with_githubs_words_until_a_retry(
    shop: House,
) -> None:
    rule = Ruleset(1, "No branches", ("headgate/**",), frozenset({RefRule.CREATION}))
    shop.hub.add_ruleset(shop.full_name, rule)
    tracking = shop.start(SHOP)

    shop.work()

    till = shop.number("Make the till work")
    assert "### Failed\n\nGitHub refused the branch" in shop.body(till)
    assert "creations being restricted" in shop.body(till)
    assert shop.issue(tracking)["state"] == "closed"

    shop.hub.repository(shop.full_name).rulesets.clear()
    shop.ask(till, "/headgate retry")
    shop.work()

    assert TILL in shop.main_files()
    assert "1 of 1 requirements landed" in shop.comments(tracking)[-1]


def test_a_repository_without_the_workflow_is_told_at_once_and_waits_for_it(
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


def test_a_change_lands_at_once_where_a_ruleset_requires_the_verdict(shop: House) -> None:
    check = RequiredCheck("headgate/verdict")
    tracking = shop.start(SHOP)
    shop.hub.add_ruleset(
        shop.full_name, Ruleset(1, "Verdict", ("~DEFAULT_BRANCH",), required_checks=(check,))
    )

    shop.work()

    assert TILL in shop.main_files()
    assert shop.issue(tracking)["state"] == "closed"
