"""Rules of a team for all branches also apply to those of Headgate."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.localhub.model import Role
from bot.localhub.rule_model import RefRule, Ruleset
from tests.scenarios.test_signed_commits import SIGNED, is_verified
from tests.scenarios.test_specs_as_issues import BODY, label, the_pull, write
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
ONBOARDING = "Set up Headgate"


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[House]:
    """A house with a repository that takes signed commits only, before the App comes."""
    with house(tmp_path) as made:
        hub = made.hub
        repository = hub.add_repository("team", "fresh")
        hub.add_collaborator("team/fresh", "ada", Role.ADMIN)
        hub.commit_files("team/fresh", {"Makefile": b"test:\n\ttrue\n"}, "Begin", "ada")
        hub.add_ruleset("team/fresh", SIGNED)
        made.full_name = "team/fresh"
        installation = next(iter(hub.state.installations.values()))
        hub.apps.add_repositories(installation, [repository])
        made.settle()
        yield made


def test_the_first_pull_is_a_commit_that_github_signed(fresh: House) -> None:
    pull = fresh.pull(ONBOARDING)
    assert is_verified(fresh, pull["head"]["sha"])
    assert fresh.hub.repository("team/fresh").git.entry(pull["head"]["sha"], ".github/headgate.yml")


def test_a_proposed_spec_is_a_commit_that_github_signed(shop: House) -> None:
    shop.hub.add_ruleset(shop.full_name, SIGNED)
    issue = write(shop)
    label(shop, issue)
    first = the_pull(shop)["head"]["sha"]
    assert is_verified(shop, first)

    shop.api("PATCH", shop.repo(f"/issues/{issue}"), {"body": f"{BODY}\nIt is nice.\n"})
    shop.settle()
    again = the_pull(shop)["head"]["sha"]
    assert again != first
    assert is_verified(shop, again)
    assert "It is nice." in shop.commit_text(again)
    left = shop.api("GET", shop.repo("/git/matching-refs/headgate/signing"))
    assert left.json() == []


def test_a_rule_against_new_branches_is_reported_before_any_cost(shop: House) -> None:
    tracking = shop.plan(SHOP)
    rule = Ruleset(1, "Named people", ("~ALL",), frozenset({RefRule.CREATION}))
    shop.hub.add_ruleset(shop.full_name, rule)

    shop.ask(tracking, "/headgate approve")
    shop.work()

    reply = shop.comments(tracking)[-1]
    assert "no agent starts" in reply
    assert "lets only named actors create branches of Headgate (`headgate/…`)" in reply
    assert [change.attempt for change in shop.state.changes.values()] == [0]

    del shop.hub.repository(shop.full_name).rulesets[:]
    shop.forward(minutes=11)
    shop.sweep()
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"


def test_a_rule_against_force_pushes_is_reported_and_does_not_block_work(shop: House) -> None:
    tracking = shop.plan(SHOP)
    rule = Ruleset(1, "Calm", ("~ALL",), frozenset({RefRule.NON_FAST_FORWARD, RefRule.DELETION}))
    shop.hub.add_ruleset(shop.full_name, rule)

    shop.ask(tracking, "/headgate approve")
    shop.settle()
    assert "forbids force pushes to branches of Headgate" in shop.body(tracking)

    shop.work()
    assert shop.issue(tracking)["state"] == "closed"


def test_commits_are_signed_if_only_our_branches_require_signatures(shop: House) -> None:
    tracking = shop.plan(SHOP)
    rule = Ruleset(1, "Signed", ("headgate/*",), SIGNED.rules)
    shop.hub.add_ruleset(shop.full_name, rule)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    assert shop.issue(tracking)["state"] == "closed"
