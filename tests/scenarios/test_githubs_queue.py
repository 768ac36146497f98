"""A rule requires GitHub's merge queue: Headgate adds entries, judges groups and watches."""

from pathlib import Path

import pytest

from bot.core.journal.effects import LandPull
from bot.core.journal.events import AdoptionOrdered, Landed
from bot.core.spec.policy_file import Landing
from bot.core.state.observed import Hint, HintKind
from bot.core.values.candidate import MovedBy
from bot.core.values.ids import PullNumber, Sha
from bot.localhub.model import Role
from bot.localhub.rule_model import RefRule, RequiredCheck, Ruleset
from bot.ports import Retryable
from bot.shell.merge_pull import WantedMerge
from bot.shell.perform_landing import land_candidate
from bot.shell.perform_queue import land_pull
from bot.shell.perform_task import Task
from bot.shell.queue_on_github import watch
from tests.scenarios.test_people_queue_pulls import open_pull
from tests.scenarios.test_pulls_required import GITHUB, SHOP, TILL, landing_of, landings, parents
from tests.simulation.baseline import all_work_ended
from tests.testkit.crash import CrashPoint, FaultInjector, Supervisor, crash_at
from tests.testkit.house import House, house

RULES = frozenset({RefRule.MERGE_QUEUE, RefRule.PULL_REQUEST})
VERDICT = (RequiredCheck("headgate/verdict"),)
BOT = "github-merge-queue[bot]"


def require_queue(shop: House, *, is_allowed: bool = True) -> None:
    """The policy lets GitHub merge; from now on only its queue moves main, and the App may use it."""
    shop.push(GITHUB)
    shop.work()
    for installation in shop.hub.state.installations.values():
        installation.permissions |= {"merge_queues": "write"} if is_allowed else {}
    rule = Ruleset(7, "Queue", ("~DEFAULT_BRANCH",), RULES, VERDICT)
    shop.hub.add_ruleset(shop.full_name, rule)


def approve(shop: House, *, is_allowed: bool = True) -> int:
    tracking = shop.plan(SHOP)
    require_queue(shop, is_allowed=is_allowed)
    shop.ask(tracking, "/headgate approve")
    return tracking


def let_time_pass(shop: House, rounds: int = 4) -> None:
    for _ in range(rounds):
        shop.work()
        shop.forward(seconds=25)
        shop.ring_due()
    shop.work()


def groups(shop: House) -> list[str]:
    """The heads of GitHub's merge groups."""
    refs = shop.hub.repository(shop.full_name).refs
    return [sha for ref, sha in refs.items() if ref.startswith("refs/heads/gh-readonly-queue/")]


def enqueue_by_hand(shop: House, number: int) -> None:
    """Ada presses "Merge when ready"."""
    repository = shop.hub.repository(shop.full_name)
    issue = repository.issues[number]
    assert issue.pull is not None
    shop.hub.merge_queue.enqueue(issue, issue.pull, shop.hub.as_user("ada"), None)


def test_a_change_lands_through_githubs_queue_and_is_judged_once(shop: House) -> None:
    tracking = approve(shop)
    assert "GitHub's merge queue. This weakens some guarantees." in shop.body(tracking)

    assert shop.state.policy_landing is Landing.GITHUB
    let_time_pass(shop)

    assert TILL in shop.main_files()
    (landed,) = landings(shop)
    assert landed.moved_by is MovedBy.MERGE_QUEUE
    assert (landed.sha, landed.base) == (shop.ref(), parents(shop, shop.ref())[0])
    assert '"through":"GitHub\'s merge queue"' in shop.commit_text("refs/headgate/ledger")
    # The group's verdict is that of the candidate, of which it has the tree.
    assert shop.check_runs(shop.ref())["headgate/verdict"] == "success"
    assert [len(shop.events(kind)) for kind in ("GatesOrdered", "GroupSeen")] == [1, 1]
    assert shop.issue(tracking)["state"] == "closed"
    assert groups(shop) == []
    assert not any(adoption.group for adoption in shop.state.adoptions.values())


def test_pulls_that_people_add_to_githubs_queue_get_the_required_verdict(shop: House) -> None:
    require_queue(shop)
    number, head = open_pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    broken, other = open_pull(shop, "broken", {"broken": "It breaks the gate.\n"})
    shop.settle()
    for sha in (head, other):
        said = {"context": "headgate/verdict", "state": "success"}
        shop.api("POST", shop.repo(f"/statuses/{sha}"), said).raise_for_status()
    # What the webhook of the rule would say.
    (repository,) = shop.ports.journal.repositories()
    shop.ports.journal.put_hints(repository, (Hint(kind=HintKind.RULES),))
    shop.bell.ring_repository(repository)
    shop.settle()
    enqueue_by_hand(shop, number)
    enqueue_by_hand(shop, broken)

    let_time_pass(shop, 6)

    assert "docs/read.md" in shop.main_files()
    assert "broken" not in shop.main_files()
    issues = shop.hub.repository(shop.full_name).issues
    (removal,) = shop.hub.merge_queue.removals(issues[broken])
    assert removal.reason == "CI_FAILURE"
    assert shop.state.frozen is None


def test_pulls_in_githubs_queue_wait_for_the_end_of_a_freeze(shop: House) -> None:
    require_queue(shop)
    number, head = open_pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    shop.ask(number, "/headgate freeze The shop is open")
    said = {"context": "headgate/verdict", "state": "success"}
    shop.api("POST", shop.repo(f"/statuses/{head}"), said).raise_for_status()
    (repository,) = shop.ports.journal.repositories()
    shop.ports.journal.put_hints(repository, (Hint(kind=HintKind.RULES),))
    shop.bell.ring_repository(repository)
    shop.settle()
    enqueue_by_hand(shop, number)

    let_time_pass(shop)

    assert "docs/read.md" not in shop.main_files()
    (group,) = groups(shop)
    assert shop.check_runs(group)["headgate/verdict"] is None
    shop.ask(number, "/headgate unfreeze")
    let_time_pass(shop)
    assert "docs/read.md" in shop.main_files()


def test_a_pull_is_not_added_twice_to_githubs_queue(shop: House) -> None:
    require_queue(shop)
    number, head = open_pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    said = {"context": "headgate/verdict", "state": "success"}
    shop.api("POST", shop.repo(f"/statuses/{head}"), said).raise_for_status()
    enqueue_by_hand(shop, number)
    facts = shop.state.facts
    assert facts is not None
    zeros = Sha("0" * 40)
    wish = WantedMerge(
        number=PullNumber(number),
        head=Sha(head),
        base=Sha(shop.ref()),
        candidate=zeros,
        tree=zeros,
        methods=(),
        message="",
        is_queued=True,
    )

    with pytest.raises(Retryable, match="is in GitHub's queue at 1"):
        watch(shop.ports, facts, wish, shop.clock.now())


def test_a_pull_with_requested_changes_is_removed_from_githubs_queue(shop: House) -> None:
    """A reviewer requests changes while the pull is there, and GitHub would merge it."""
    require_queue(shop)
    number, head = open_pull(shop, "docs", {"docs/read.md": "Read me.\n"})
    said = {"context": "headgate/verdict", "state": "success"}
    shop.api("POST", shop.repo(f"/statuses/{head}"), said).raise_for_status()
    enqueue_by_hand(shop, number)
    shop.hub.add_collaborator(shop.full_name, "eve", Role.WRITE)
    against = {"event": "REQUEST_CHANGES", "body": "Not so."}
    where = shop.repo(f"/pulls/{number}/reviews")
    shop.api("POST", where, against, shop.tokens["eve"]).raise_for_status()
    facts = shop.state.facts
    assert facts is not None
    effect = LandPull(
        number=PullNumber(number),
        base=Sha(shop.ref()),
        candidate=Sha("0" * 40),
        head=Sha(head),
        tree=Sha("0" * 40),
        approvals_needed=0,
        queues=True,
        at=shop.clock.now(),
    )

    said_of_it = land_pull(Task(shop.ports, facts, shop.state, effect, (), False))

    assert [event.type for event in said_of_it] == ["PullLandAborted", "PullReviewed"]
    issue = shop.hub.repository(shop.full_name).issues[number]
    assert shop.hub.merge_queue.entry_of(issue) is None
    assert groups(shop) == []


def test_a_change_that_may_no_longer_land_is_removed_from_githubs_queue(shop: House) -> None:
    approve(shop, is_allowed=False)
    shop.work()
    for installation in shop.hub.state.installations.values():
        installation.permissions["merge_queues"] = "write"
    intended = [one for event in shop.events("EffectIntended") if (one := landing_of(event))]
    effect = intended[-1].replace(approvals_needed=1)
    enqueue_by_hand(shop, effect.pull)
    facts = shop.state.facts
    assert facts is not None

    said = land_candidate(Task(shop.ports, facts, shop.state, effect, (), False))

    assert [event.type for event in said] == ["LandAborted", "ChangeReviewed"]
    issue = shop.hub.repository(shop.full_name).issues[effect.pull]
    assert shop.hub.merge_queue.entry_of(issue) is None


def test_a_change_removed_by_github_waits_and_is_queued_again(tmp_path: Path) -> None:
    with house(tmp_path) as shop:
        taken: list[int] = []

        def on_point(point: CrashPoint) -> None:
            if str(point) == "after enqueue" and not taken:
                (change,) = shop.state.changes.values()
                taken.append(int(change.pull or 0))
                issue = shop.hub.repository(shop.full_name).issues[taken[0]]
                shop.hub.merge_queue.dequeue(issue)

        supervisor = Supervisor(shop, FaultInjector(on_point))
        approve(shop)
        supervisor.finish(lambda: any("LandAborted" in event for event in shop.every_event()))
        told = "from its merge queue, with the reason `MANUAL`"
        assert told in shop.body(shop.number("Make the till work"))
        assert TILL not in shop.main_files()

        supervisor.finish(lambda: all_work_ended(shop))

        assert TILL in shop.main_files()
        assert [one.attempt for one in shop.state.changes.values()] == [1]


def test_a_change_merged_behind_others_lands_with_the_tree_of_its_judged_group(
    tmp_path: Path,
) -> None:
    with house(tmp_path) as shop:
        number, head = open_pull(shop, "docs", {"docs/read.md": "Read me.\n"})
        said = {"context": "headgate/verdict", "state": "success"}
        shop.api("POST", shop.repo(f"/statuses/{head}"), said).raise_for_status()
        seen: list[str] = []

        def on_point(point: CrashPoint) -> None:
            if str(point) == "before enqueue" and not seen:
                seen.append(str(point))
                enqueue_by_hand(shop, number)

        supervisor = Supervisor(shop, FaultInjector(on_point))
        tracking = approve(shop)
        supervisor.finish(lambda: all_work_ended(shop))

        assert {TILL, "docs/read.md"} <= shop.main_files().keys()
        assert [one.kind.value for one in shop.state.ledger[-2:]] == ["adopted", "adopted"]
        assert landings(shop) == []
        assert "behind other pull requests" in shop.body(shop.number("Make the till work"))
        assert shop.check_runs(shop.ref())["headgate/verdict"] == "success"
        # The candidate, and each of the two groups; main itself is not judged again.
        assert len(shop.events("GatesOrdered")) == 1
        ordered = [e.sha for e in shop.events("AdoptionOrdered") if isinstance(e, AdoptionOrdered)]
        on_main = [line.sha for line in shop.state.ledger]
        assert [sha for sha in ordered if sha in on_main[-2:]] == on_main[-2:]
        assert shop.state.frozen is None
        assert shop.issue(tracking)["state"] == "closed"


def test_a_missing_queue_permission_is_reported_and_the_change_lands_once_granted(
    tmp_path: Path,
) -> None:
    with house(tmp_path) as shop:
        supervisor = Supervisor(shop, FaultInjector(lambda _: None))
        tracking = approve(shop, is_allowed=False)
        supervisor.work()
        assert TILL not in shop.main_files()
        assert "`merge_queues: write`" in shop.body(shop.number("Make the till work"))

        for installation in shop.hub.state.installations.values():
            installation.permissions["merge_queues"] = "write"
        supervisor.finish(lambda: all_work_ended(shop))

        assert TILL in shop.main_files()
        assert shop.issue(tracking)["state"] == "closed"


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before enqueue", "after enqueue"])
def test_a_crash_while_entering_githubs_queue_lands_once(tmp_path: Path, moment: str) -> None:
    with house(tmp_path) as shop:
        supervisor = Supervisor(shop, FaultInjector(crash_at(moment)))
        approve(shop)
        supervisor.finish(lambda: all_work_ended(shop))
        assert supervisor.crashes == [moment]
        (landed,) = landings(shop)
        assert isinstance(landed, Landed)
        assert landed.sha == shop.ref()
