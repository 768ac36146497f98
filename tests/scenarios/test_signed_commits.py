"""Main takes signed commits only: GitHub makes the candidates then, and signs them."""

from pathlib import Path

import pytest

from bot.localhub.faults import Fault, FaultKind
from bot.localhub.rule_model import RefRule, Ruleset
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.simulation.baseline import all_work_ended
from tests.simulation.laws import broken_laws
from tests.testkit.crash import CrashPoint, FaultInjector, Killed, Supervisor
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"
SIGNED = Ruleset(1, "Signed", ("~ALL",), frozenset({RefRule.REQUIRED_SIGNATURES}))


def is_verified(shop: House, sha: str) -> bool:
    answer = shop.api("GET", shop.repo(f"/git/commits/{sha}"))
    answer.raise_for_status()
    return bool(answer.json()["verification"]["verified"])


def landed(shop: House) -> list[str]:
    """The commits that Headgate put on main."""
    return [line.sha for line in shop.state.ledger if line.change is not None]


def approve(shop: House, rule: Ruleset = SIGNED) -> int:
    """Approve a plan under the rule; the tracking issue."""
    tracking = shop.plan(SHOP)
    shop.hub.add_ruleset(shop.full_name, rule)
    shop.ask(tracking, "/headgate approve")
    return tracking


def test_a_change_lands_as_a_commit_that_github_signed(shop: House) -> None:
    tracking = approve(shop)
    assert "headgate/rules" not in shop.check_runs(shop.ref())

    shop.work()

    assert TILL in shop.main_files()
    (sha,) = landed(shop)
    assert is_verified(shop, sha)
    # The gates judged exactly that commit, and the branch showed it.
    assert shop.check_runs(sha)["headgate/verdict"] == "success"
    assert "Change: " in shop.commit_text(sha)
    assert "headgate[bot]" in shop.commit_text(sha)
    assert shop.issue(tracking)["state"] == "closed"
    assert broken_laws(shop) == []


def test_a_late_signature_rule_rebuilds_the_candidate(shop: House) -> None:
    tracking = shop.start(SHOP)
    shop.runner.do_all()
    shop.settle()
    assert shop.state.changes
    assert all(shop.state.candidate_of(change) for change in shop.state.changes.values())
    shop.hub.add_ruleset(shop.full_name, SIGNED)

    for _ in range(4):
        shop.work()
        shop.forward(minutes=6)
        shop.sweep()

    (sha,) = landed(shop)
    assert is_verified(shop, sha)
    assert shop.issue(tracking)["state"] == "closed"


def test_missing_signatures_are_reported_and_cost_no_attempt(shop: House) -> None:
    shop.hub.state.signs_for_apps = False
    tracking = approve(shop)

    shop.work()

    till = shop.number("Make the till work")
    assert "GitHub did not sign" in shop.body(till)
    assert "bypass list" in shop.body(tracking)
    assert TILL not in shop.main_files()

    shop.hub.state.signs_for_apps = True
    shop.ask(tracking, "/headgate resume")
    shop.work()

    assert TILL in shop.main_files()
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_a_persons_pull_lands_if_its_own_commits_are_signed(shop: House) -> None:
    unsigned, head = open_pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    signed, _ = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})
    git = shop.hub.repository(shop.full_name).git
    shop.hub.add_ruleset(shop.full_name, Ruleset(1, "Signed", ("~DEFAULT_BRANCH",), SIGNED.rules))
    pull = shop.api("GET", shop.repo(f"/pulls/{signed}")).json()
    sealed = git.sign(pull["head"]["sha"])
    moved = {"sha": sealed, "force": True}
    shop.api("PATCH", shop.repo("/git/refs/heads/desk"), moved).raise_for_status()
    shop.settle()

    shop.ask(unsigned, "/headgate queue")
    shop.ask(signed, "/headgate queue")
    shop.work()

    assert any(
        "requires signed commits" in text and head[:12] in text for text in shop.comments(unsigned)
    )
    line = next(line for line in shop.state.ledger if line.pull == signed)
    assert is_verified(shop, line.sha)
    assert shop.api("GET", shop.repo(f"/pulls/{signed}")).json()["merged_at"]
    assert "docs/read.md" not in shop.main_files()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "nth"),
    [
        ("after sign_commit", 1),
        ("after push headgate/candidates", 1),
        ("after push headgate/candidates", 2),
    ],
)
def test_a_crash_during_signing_lands_one_signed_commit(
    tmp_path: Path, moment: str, nth: int
) -> None:
    seen: list[str] = []

    def on_point(point: CrashPoint) -> None:
        if str(point) == moment:
            seen.append(moment)
            if len(seen) == nth:
                raise Killed(moment)

    with house(tmp_path) as shop:
        supervisor = Supervisor(shop, FaultInjector(on_point))
        approve(shop)
        supervisor.finish(lambda: all_work_ended(shop))
        assert supervisor.crashes == [moment]
        (sha,) = landed(shop)
        assert is_verified(shop, sha)
        assert broken_laws(shop) == []


def test_a_lost_answer_during_signing_is_retried(shop: House) -> None:
    lost = Fault(kind=FaultKind.LOSE_ANSWER, method="POST", path_glob="*/git/commits")
    shop.hub.faults.add(lost)
    approve(shop)
    for _ in range(3):
        shop.work()
        shop.forward(seconds=20)
        shop.ring_due()
    (sha,) = landed(shop)
    assert is_verified(shop, sha)
