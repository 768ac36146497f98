"""A rule requires merges of pulls and has no bypass for the App: GitHub merges the judged tree."""

from pathlib import Path

import pytest

from bot.core.journal.effects import LandCandidate
from bot.core.journal.events import EffectIntended, Event, Landed
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState
from bot.core.values.replacement import replace
from bot.localhub.faults import Fault, FaultKind
from bot.localhub.model import Role
from bot.localhub.rule_model import MergeMethod, RefRule, RequiredCheck, Ruleset
from bot.shell.perform_landing import land_candidate
from bot.shell.perform_task import Task
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.simulation.baseline import all_work_ended
from tests.testkit.crash import CrashPoint, FaultInjector, Supervisor, crash_at
from tests.testkit.house import House, house
from tests.testkit.hub_setup import POLICY
from tests.testkit.specs import requirement, spec

SHOP = spec(requirement("TILL"))
TILL = "src/till-make-the-till-work.txt"
GITHUB = {".github/headgate.yml": POLICY.replace("version: 1\n", "version: 1\nlanding: github\n")}
PULLS = frozenset({RefRule.PULL_REQUEST})
VERDICT = (RequiredCheck("headgate/verdict"),)


def require_pulls(
    shop: House, approvals: int = 0, methods: frozenset[MergeMethod] = frozenset(MergeMethod)
) -> None:
    """The policy lets GitHub merge; and from now on nothing else moves main, which needs our verdict."""
    shop.push(GITHUB)
    shop.work()
    rule = Ruleset(
        *(7, "Pulls", ("~DEFAULT_BRANCH",), PULLS, VERDICT, approvals), merge_methods=methods
    )
    shop.hub.add_ruleset(shop.full_name, rule)


def approve(shop: House) -> int:
    tracking = shop.plan(SHOP)
    require_pulls(shop)
    shop.ask(tracking, "/headgate approve")
    return tracking


def parents(shop: House, commit: str) -> list[str]:
    git = shop.hub.repository(shop.full_name).git
    return shop.git(git.folder, "show", "-s", "--format=%P", commit).split()


def landing_of(event: Event) -> LandCandidate | None:
    """What was intended, if it is a landing."""
    effect = event.effect if isinstance(event, EffectIntended) else None
    return effect if isinstance(effect, LandCandidate) else None


def landings(shop: House) -> list[Landed]:
    return [one for one in shop.events("Landed") if isinstance(one, Landed)]


def test_a_change_lands_as_githubs_merge_and_the_ledger_says_so(shop: House) -> None:
    tracking = approve(shop)

    shop.work()

    assert TILL in shop.main_files()
    (landed,) = landings(shop)
    assert parents(shop, shop.ref()) == [landed.base, landed.candidate]
    line = shop.state.ledger[-1]
    assert (line.sha, line.through, line.kind.value) == (
        shop.ref(),
        "a merge of its pull",
        "landed",
    )
    assert '"through":"a merge of its pull"' in shop.commit_text("refs/headgate/ledger")
    assert shop.issue(tracking)["state"] == "closed"
    # Nothing is judged twice.
    assert [one.kind.value for one in shop.state.ledger[3:]] == ["landed"]


def test_a_squash_merge_is_used_if_the_repository_allows_only_squash(shop: House) -> None:
    approve(shop)
    shop.hub.repository(shop.full_name).merge_methods = frozenset({MergeMethod.SQUASH})

    shop.work()

    (landed,) = landings(shop)
    assert parents(shop, shop.ref()) == [landed.base]
    assert "Change: " in shop.commit_text(shop.ref())
    assert shop.state.ledger[-1].change == landed.change


def test_a_persons_pull_lands_by_its_head_with_the_verdict_there(shop: House) -> None:
    require_pulls(shop)
    number, head = open_pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    shop.settle()

    shop.ask(number, "/headgate queue")
    shop.work()

    assert parents(shop, shop.ref())[1] == head
    assert shop.check_runs(head)["headgate/verdict"] == "success"
    assert shop.state.ledger[-1].pull == number
    seen = shop.api("GET", shop.repo(f"/pulls/{number}")).json()
    assert seen["merged_by"]["login"] == "headgate[bot]"


def test_a_change_waits_for_a_review_that_github_requires(shop: House) -> None:
    tracking = shop.plan(SHOP)
    require_pulls(shop, approvals=1)
    shop.ask(tracking, "/headgate approve")
    shop.work()
    assert TILL not in shop.main_files()
    (pull,) = shop.state.open_pulls

    shop.hub.add_collaborator(shop.full_name, "eve", Role.WRITE)
    said = {"event": "APPROVE", "body": "Good."}
    where = shop.repo(f"/pulls/{pull}/reviews")
    shop.api("POST", where, said, shop.tokens["eve"]).raise_for_status()
    shop.settle()
    shop.forward(minutes=6)
    shop.sweep()
    shop.work()

    assert TILL in shop.main_files()


def test_a_lost_answer_of_the_merge_is_found_at_the_pull(shop: House) -> None:
    approve(shop)
    lost = Fault(kind=FaultKind.LOSE_ANSWER, method="PUT", path_glob="*/merge")
    shop.hub.faults.add(lost)

    for _ in range(3):
        shop.work()
        shop.forward(seconds=20)
        shop.ring_due()

    (landed,) = landings(shop)
    assert landed.sha == shop.ref()
    assert landed.moved_by == "a merge of its pull"


def test_a_refusal_by_github_is_quoted_and_the_merge_is_retried(shop: House) -> None:
    approve(shop)
    words = "Review required: a conversation is not resolved"
    refused = Fault(
        kind=FaultKind.REFUSE_BEFORE, method="PUT", path_glob="*/merge", status=405, message=words
    )
    shop.hub.faults.add(refused)
    shop.work()
    till = shop.number("Make the till work")
    assert TILL not in shop.main_files()
    assert "GitHub does not merge" in shop.body(till)

    shop.forward(minutes=6)
    shop.sweep()
    shop.work()

    assert TILL in shop.main_files()
    assert [change.attempt for change in shop.state.changes.values()] == [1]


def test_a_merge_by_a_person_during_the_landing_is_judged_as_a_new_tree(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        other, head = open_pull(shop, "desk", {"desk.txt": "A desk.\n"})

        def on_point(point: CrashPoint) -> None:
            if str(point) == "before merge_pull" and "desk.txt" not in shop.main_files():
                rules = shop.hub.repository(shop.full_name).rulesets
                kept, rules[:] = list(rules), []
                shop.api(
                    "PUT", shop.repo(f"/pulls/{other}/merge"), {"sha": head}
                ).raise_for_status()
                rules[:] = kept

        supervisor = Supervisor(shop, FaultInjector(on_point))
        tracking = approve(shop)
        supervisor.finish(lambda: all_work_ended(shop))

        assert {TILL, "desk.txt"} <= shop.main_files().keys()
        assert [one.kind.value for one in shop.state.ledger[-2:]] == ["adopted", "adopted"]
        assert "No gate has judged the new tree" in shop.body(shop.number("Make the till work"))
        assert shop.check_runs(shop.ref())["headgate/verdict"] == "success"
        assert shop.state.frozen is None
        assert shop.issue(tracking)["state"] == "closed"


def test_a_merge_with_a_different_tree_does_not_count_as_judged(shop: House) -> None:
    """As on one day in April 2026, when squashes were made on a wrong base."""
    approve(shop)
    before = shop.state
    shop.work()
    (intended,) = (one for event in shop.events("EffectIntended") if (one := landing_of(event)))
    assert before.facts is not None

    (change,) = shop.state.changes.values()
    offered = replace(change, state=ChangeState.OFFERED)
    state = replace(shop.state, changes={change.id: offered})
    as_it_was = land_candidate(Task(shop.ports, before.facts, state, intended, (), True))
    other = intended.replace(tree=Sha("1" * 40))
    said = land_candidate(Task(shop.ports, before.facts, state, other, (), True))
    of_others = before.facts.replace(bot_login="other[bot]")
    by_a_person = land_candidate(Task(shop.ports, of_others, state, intended, (), True))

    assert [event.type for event in as_it_was] == ["Landed"]
    assert [event.type for event in said] == ["LandAborted", "MergedByHand"]
    assert [event.type for event in by_a_person] == ["LandAborted"]


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before merge_pull", "after merge_pull"])
def test_a_crash_at_the_merge_lands_once(tmp_path: Path, moment: str) -> None:
    with house(tmp_path) as shop:
        supervisor = Supervisor(shop, FaultInjector(crash_at(moment)))
        approve(shop)
        supervisor.finish(lambda: all_work_ended(shop))
        assert supervisor.crashes == [moment]
        (landed,) = landings(shop)
        assert landed.sha == shop.ref()
