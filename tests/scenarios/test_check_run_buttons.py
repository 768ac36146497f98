"""People use check runs: Re-run judges again, Explain says why, the details lead to the issue."""

from action.order import GateOrder
from bot.localhub.rule_model import RefRule, Ruleset
from tests.testkit.house import House
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))


def test_buttons_rerun_a_verdict_and_explain_the_wait(shop: House) -> None:
    rule = Ruleset(1, "No pushes", ("~DEFAULT_BRANCH",), frozenset({RefRule.UPDATE}))
    shop.start(SHOP)
    shop.hub.add_ruleset(shop.full_name, rule)
    shop.work()
    till = shop.number("Make the till work")
    every = shop.hub.repository(shop.full_name).check_runs.values()
    verdict = next(run for run in every if run.name == "headgate/verdict" and run.details_url)
    assert (verdict.details_url or "").endswith(f"/{shop.full_name}/issues/{till}")
    assert [button.label for button in verdict.buttons] == ["Retry", "Explain"]

    judged = sum(isinstance(order, GateOrder) for order in shop.runner.taken)
    answer = shop.http.post(
        f"{shop.url}/api/v3/repos/{shop.full_name}/check-runs/{verdict.id}/rerequest",
        headers={"Authorization": f"Bearer {shop.tokens['ada']}"},
    )
    assert answer.status_code == 201
    shop.work()
    assert sum(isinstance(order, GateOrder) for order in shop.runner.taken) == judged + 1

    shop.hub.checks.request_action(verdict, "explain", shop.hub.account("ada"))
    shop.settle()
    assert "GitHub refused to move main" in shop.comments(till)[-1]
