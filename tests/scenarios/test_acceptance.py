"""Acceptance by a person: they see requirements, evidence and deviations, and press a button."""

from pathlib import Path

from action.order import AgentOrder
from bot.localhub.model import CheckRun, Role
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.specs import requirement, spec

ASKED = (
    POLICY
    + "  lint: {run: 'false', required: false, repeat: 0}\n  accept: {acceptance: maintain}\n"
)
SHOP = spec(requirement("TILL"))


def works_on(order: AgentOrder, tree: Path) -> None:
    """Does something else once it was rejected."""
    told = [red.sentence for red in order.retry.failed_gates] if order.retry else []
    rejected = "mia rejected it." in told
    (tree / "till.txt").write_text("another till\n" if rejected else "a till\n")


def asked(shop: House) -> CheckRun:
    """The newest check run that asks."""
    every = shop.hub.repository(shop.full_name).check_runs.values()
    return [run for run in every if run.name == "headgate/gate/accept"][-1]


def press(shop: House, button: str, login: str) -> None:
    shop.hub.checks.request_action(asked(shop), button, shop.hub.account(login))
    shop.work()


def test_a_change_lands_when_an_approver_accepts_it_and_deviations_stay_listed(
    tmp_path: Path,
) -> None:
    with house(tmp_path, policy=ASKED) as shop:
        shop.runner.agent = works_on
        shop.hire("wim", Role.WRITE)
        shop.hire("mia", Role.MAINTAIN)
        tracking = shop.start(SHOP)
        shop.work()
        run = asked(shop)
        assert (run.status, run.conclusion) == ("completed", "action_required")
        assert [button.label for button in run.buttons] == ["Accept", "Reject"]
        assert "A person with the role maintain must press Accept or Reject." in str(run.summary)
        assert "Gate lint did not pass" in str(run.summary)

        press(shop, "accept", "wim")
        (change,) = shop.state.changes.values()
        assert change.landed is None
        assert change.issue is not None
        assert "the role maintain. @wim has the role write here" in shop.comments(change.issue)[-1]

        press(shop, "reject", "mia")
        assert len([o for o in shop.runner.taken if isinstance(o, AgentOrder)]) == 2
        again = asked(shop)
        assert again is not run

        press(shop, "accept", "mia")
        assert shop.issue(tracking)["state"] == "closed"
        assert asked(shop).conclusion == "success"
        report = shop.comments(tracking)[-1] + str(shop.issue(tracking)["body"])
        assert "mia accepted it, with 1 deviation. Gate lint did not pass" in report
