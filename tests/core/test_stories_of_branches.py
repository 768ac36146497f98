"""Additional branches have queues of their own that do not affect each other."""

from action.order import GateOrder
from bot.core.journal.branches import branch_of_pull, on
from bot.core.journal.effects import EditIssue, LandPull
from bot.core.journal.events import PolicyRead
from bot.core.journal.state import LedgerKind, RepositoryState, snapshot_of, state_of
from bot.core.spec.policy_file import Landing
from bot.core.state.queue_view import queue_view
from bot.core.values.freeze import FreezeCause
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState
from bot.core.values.queue_label import QueueLabel
from bot.core.values.repository import Labelling, Role
from bot.core.values.rules import BranchRule, Bypass, RepositoryRules, RuleKind
from gates.result import Ending
from tests.core.kit import World
from tests.core.queued_pulls import gates_of_pull
from tests.core.values import GATES, sha

RELEASE = "release/1"
SERVED = f"{GATES}branches: [{RELEASE}]\n"


def served(policy_text: str = SERVED) -> World:
    world = World(policy_text)
    world.push_to(RELEASE, sha("release begins"))
    world.settle()
    return world


def queue(world: World, name: str, base: str) -> int:
    number = world.open_pull(name, base=base)
    world.say(number, "/headgate queue")
    world.settle()
    return number


def there(world: World) -> RepositoryState:
    return on(world.state, RELEASE)


def test_a_pull_lands_on_its_base_branch() -> None:
    world = served()
    number = queue(world, "fix", RELEASE)
    assert "In the queue at place 1" in world.replies()
    assert f"merged on `{RELEASE}`, if the gates pass" in world.replies()
    before = world.main[-1].sha
    world.judge(gates_of_pull(world, number))
    world.settle()
    landed = there(world).ledger[-1]
    assert (landed.kind, landed.pull) == (LedgerKind.LANDED, number)
    assert world.others[RELEASE][-1].sha == landed.sha
    assert world.main[-1].sha == before == world.state.main
    assert [line.kind for line in there(world).ledger] == [LedgerKind.GENESIS, LedgerKind.LANDED]
    assert state_of(snapshot_of(world.state)) == world.state


def test_pulls_on_both_branches_land_independently() -> None:
    world = served()
    ours = queue(world, "feature", "main")
    theirs = queue(world, "fix", RELEASE)
    for number in (theirs, ours):
        world.judge(gates_of_pull(world, number))
        world.settle()
    assert world.state.queued_pulls[PullNumber(ours)].state is QueuedPullState.LANDED
    assert there(world).queued_pulls[PullNumber(theirs)].state is QueuedPullState.LANDED
    assert not world.wrote("PullVoided")
    landings = [e for e in world.intended if isinstance(e, LandPull)]
    assert [(e.number, e.branch_of_queue) for e in landings] == [(theirs, RELEASE), (ours, "")]


def test_a_branch_that_the_policy_does_not_name_has_no_queue() -> None:
    world = served(GATES)
    queue(world, "fix", RELEASE)
    assert "this queue is for `main`" in world.replies()
    assert not world.state.branches


def test_a_freeze_at_a_pull_freezes_only_its_branch() -> None:
    world = served()
    theirs, ours = queue(world, "fix", RELEASE), queue(world, "feature", "main")
    world.say(theirs, "/headgate freeze the release is tested")
    world.settle()
    for number in (theirs, ours):
        world.judge(gates_of_pull(world, number))
        world.settle()
    assert FreezeCause.PERSON not in world.state.freezes
    assert world.state.queued_pulls[PullNumber(ours)].state is QueuedPullState.LANDED
    assert there(world).queued_pulls[PullNumber(theirs)].state is QueuedPullState.QUEUED
    world.say(theirs, "/headgate unfreeze")
    world.settle()
    assert there(world).queued_pulls[PullNumber(theirs)].state is QueuedPullState.LANDED


def test_a_red_commit_by_hand_freezes_only_its_branch() -> None:
    world = served()
    ours = queue(world, "feature", "main")
    world.push_to(RELEASE, sha("by hand"), "src/by_hand.py")
    world.settle()
    order = next(
        o for o in world.open_orders(GateOrder) if world.state.orders[o].commit == sha("by hand")
    )
    world.judge(order, test=Ending.FAILED)
    world.settle()
    again = [
        o for o in world.open_orders(GateOrder) if world.state.orders[o].commit == sha("by hand")
    ]
    for order in again:
        world.judge(order, test=Ending.FAILED)
    world.settle()
    assert there(world).frozen is not None
    assert world.state.frozen is None
    world.judge(gates_of_pull(world, ours))
    world.settle()
    assert world.state.queued_pulls[PullNumber(ours)].state is QueuedPullState.LANDED


def test_a_force_push_freezes_only_its_branch_until_it_is_judged() -> None:
    world = served()
    world.others[RELEASE] = []
    world.push_to(RELEASE, sha("another past"))
    world.settle()
    assert FreezeCause.REWOUND in there(world).freezes
    assert not world.state.freezes
    order = next(
        o
        for o in world.open_orders(GateOrder)
        if world.state.orders[o].commit == sha("another past")
    )
    world.judge(order)
    world.settle()
    assert not there(world).freezes


def test_a_retargeted_pull_leaves_and_can_enter_the_other_queue() -> None:
    world = served()
    number = PullNumber(queue(world, "fix", RELEASE))
    world.pulls[number] = world.pulls[number].model_copy(update={"base_branch": "main"})
    world.settle()
    assert there(world).queued_pulls[number].state is QueuedPullState.WITHDRAWN
    world.say(number, "/headgate queue")
    world.settle()
    assert number not in there(world).queued_pulls
    world.judge(gates_of_pull(world, number))
    world.settle()
    assert world.state.queued_pulls[number].state is QueuedPullState.LANDED
    assert world.main[-1].sha == world.state.main


def test_evidence_for_a_tree_counts_on_both_branches() -> None:
    world = World(SERVED)
    world.push_to(RELEASE, world.main[-1].sha, tree=world.main[-1].tree)
    world.settle()
    first = queue(world, "fix", "main")
    world.judge(gates_of_pull(world, first))
    world.settle()
    again = world.open_pull("fix", base=RELEASE)
    world.say(again, "/headgate queue")
    world.settle()
    assert there(world).queued_pulls[PullNumber(again)].state is QueuedPullState.LANDED


def test_a_branch_uses_its_own_policy_for_its_pulls() -> None:
    world = served()
    world.policies_of[RELEASE] = f"{SERVED}  # on the release\n".replace(
        "run: make test", "run: make release"
    )
    number = queue(world, "fix", RELEASE)
    asked = world.gate_order(gates_of_pull(world, number))
    assert "make release" in [gate.command for gate in asked.gates]


def test_a_pull_with_red_gates_is_compared_with_its_own_branch() -> None:
    world = served()
    number = PullNumber(queue(world, "fix", RELEASE))
    for _ in range(6):
        for order in world.open_orders(GateOrder):
            is_pulls = world.state.orders[order].pull is not None
            world.judge(order, test=Ending.FAILED if is_pulls else Ending.PASSED)
        world.settle()
    assert there(world).queued_pulls[number].state is QueuedPullState.EVICTED
    assert not world.state.adoptions


def test_a_branch_removed_from_the_policy_loses_its_queue() -> None:
    world = served()
    number = PullNumber(queue(world, "fix", RELEASE))
    world.policy_text = GATES
    world.settle()
    assert world.state.branches[RELEASE].queued_pulls[number].state is QueuedPullState.WITHDRAWN
    world.judge(world.open_orders(GateOrder)[0])
    world.settle()
    assert not world.open_orders(GateOrder)


def test_a_pull_that_was_retargeted_a_moment_ago_enters_the_other_queue_at_once() -> None:
    world = served()
    number = PullNumber(queue(world, "fix", RELEASE))
    world.pulls[number] = world.pulls[number].model_copy(update={"base_branch": "main"})
    world.say(number, "/headgate queue")
    world.settle()
    assert branch_of_pull(world.state, number) == ""
    assert not world.state.queued_pulls[number].has_left


def test_a_label_queues_a_pull_on_its_own_branch() -> None:
    world = served()
    number = PullNumber(world.open_pull("fix", base=RELEASE))
    world.queue_labels[number] = QueueLabel(act=Labelling(id=1, by="ann"), role=Role.WRITE)
    world.settle()
    assert not there(world).queued_pulls[number].has_left


def test_the_queue_issue_and_why_name_each_branch() -> None:
    world = served()
    queue(world, "feature", "main")
    number = queue(world, "fix", RELEASE)
    world.pass_time(60)
    world.settle()
    kept = world.state.queue_issue
    assert kept is not None
    text = [e.text for e in world.intended if isinstance(e, EditIssue)][-1]
    assert text.index("Bring feature") < text.index(f"### On `{RELEASE}`") < text.index("Bring fix")
    view = queue_view(world.state, world.now)
    assert [(p.place, p.branch) for p in view] == [(1, ""), (1, RELEASE)]
    world.posted.clear()
    world.say(number, "/headgate why")
    world.settle()
    assert "It is at place 1 of 1 in the queue" in world.replies()


def test_rules_of_a_branch_are_reported_on_its_tip() -> None:
    world = served()
    rule = BranchRule(kind=RuleKind.UPDATE, bypass=Bypass.NEVER)
    world.rules_of[RELEASE] = RepositoryRules(branch=RELEASE, rules=(rule,))
    world.settle()
    told = [commit for key, commit in world.check_commits.items() if RELEASE in key]
    assert told == [world.others[RELEASE][-1].sha]
    # Of main there is nothing to tell.
    assert [key for key in world.check_commits if key.startswith("rules:")] == [
        key for key in world.check_commits if RELEASE in key
    ]
    assert there(world).rules == world.rules_of[RELEASE]
    assert world.state.rules != there(world).rules


def test_a_pull_that_is_landing_cannot_enter_another_queue() -> None:
    world = served()
    number = PullNumber(queue(world, "fix", RELEASE))
    world.judge(gates_of_pull(world, number))
    world.decide()
    assert there(world).queued_pulls[number].state is QueuedPullState.LANDING
    world.pulls[number] = world.pulls[number].model_copy(update={"base_branch": "main"})
    world.say(number, "/headgate queue")
    world.decide()
    assert not world.state.queued_pulls
    world.settle()
    assert there(world).queued_pulls[number].state is QueuedPullState.WITHDRAWN
    assert "It is landing now" in world.replies()


def test_a_refusal_because_of_code_owners_names_the_branch() -> None:
    world = served()
    rule = BranchRule(
        kind=RuleKind.PULL_REQUEST, ruleset="Release", bypass=Bypass.ALWAYS, needs_code_owners=True
    )
    world.rules_of[RELEASE] = RepositoryRules(branch=RELEASE, rules=(rule,))
    world.settle()
    queue(world, "fix", RELEASE)
    assert f"A rule of `{RELEASE}` requires the review of code owners" in world.replies()


def test_a_red_commit_by_hand_on_a_branch_runs_again_before_it_counts() -> None:
    world = served()
    world.policies_of[RELEASE] = SERVED.replace("repeat: 0", "repeat: 1")
    world.push_to(RELEASE, sha("by hand"), "src/by_hand.py")
    world.settle()
    for _ in range(2):
        assert there(world).frozen is None
        (order,) = world.open_orders(GateOrder)
        world.judge(order, test=Ending.FAILED)
        world.settle()
    assert there(world).frozen is not None
    assert not world.open_orders(GateOrder)


def test_a_freeze_at_an_unqueued_pull_freezes_its_base_branch() -> None:
    world = served()
    number = world.open_pull("fix", base=RELEASE)
    world.say(number, "/headgate freeze the release is tested")
    world.settle()
    assert FreezeCause.PERSON not in world.state.freezes
    assert FreezeCause.PERSON in there(world).freezes
    world.say(number, "/headgate unfreeze")
    world.settle()
    assert not there(world).freezes


def test_a_pull_landing_on_a_branch_that_lost_its_queue_enters_no_other() -> None:
    world = served()
    number = PullNumber(queue(world, "fix", RELEASE))
    world.judge(gates_of_pull(world, number))
    world.decide()
    assert there(world).queued_pulls[number].state is QueuedPullState.LANDING
    world.policy_text = GATES
    world.pulls[number] = world.pulls[number].model_copy(update={"base_branch": "main"})
    world.say(number, "/headgate queue")
    world.decide()
    assert not world.state.queued_pulls
    world.settle()
    assert there(world).queued_pulls[number].has_left
    assert "It is landing now" in world.replies()


def test_an_unreadable_branch_policy_is_not_replaced_by_that_of_main() -> None:
    world = served()
    early = PullNumber(queue(world, "early", RELEASE))
    world.policies_of[RELEASE] = "gates: ["
    world.settle()
    assert there(world).queued_pulls[early].state is QueuedPullState.WITHDRAWN
    number = world.open_pull("fix", base=RELEASE)
    world.say(number, "/headgate queue")
    world.settle()
    assert PullNumber(number) not in there(world).queued_pulls
    assert "`.github/headgate.yml` cannot be read" in world.replies()
    world.policies_of[RELEASE] = SERVED
    world.say(number, "/headgate queue")
    world.settle()
    world.judge(gates_of_pull(world, number))
    world.settle()
    assert there(world).queued_pulls[PullNumber(number)].state is QueuedPullState.LANDED


def test_the_landing_mode_of_a_branch_is_known_before_a_landing() -> None:
    world = served()
    assert there(world).policy_landing is Landing.EXACT
    world.policies_of[RELEASE] = f"{SERVED}landing: github\n"
    world.push_to(RELEASE, sha("let GitHub merge"))
    world.settle()
    assert there(world).policy_landing is Landing.GITHUB
    assert world.state.policy_landing is Landing.EXACT
    assert world.state.policy_version != ""
    assert state_of(snapshot_of(world.state)) == world.state
    (read,) = (
        e for e in world.wrote("PolicyRead") if isinstance(e, PolicyRead) and e.branch_of_queue
    )
    assert (read.branch_of_queue, read.commit) == (RELEASE, there(world).main)


def test_the_last_known_landing_mode_is_kept_while_the_policy_is_unreadable() -> None:
    world = served()
    world.policies_of[RELEASE] = f"{SERVED}landing: github\n"
    world.push_to(RELEASE, sha("let GitHub merge"))
    world.settle()
    world.policies_of[RELEASE] = "gates: ["
    world.push_to(RELEASE, sha("a policy that cannot be read"))
    world.settle()
    assert there(world).policy_landing is Landing.GITHUB
