"""A release branch beside main, each with a queue of its own: real git, and what GitHub shows."""

from bot.core.journal.branches import on
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.values.ids import PullNumber
from bot.core.values.lifecycle import QueuedPullState
from bot.core.values.queue_label import QUEUE_LABEL
from bot.localhub.faults import WEBHOOK, Fault, FaultKind
from bot.localhub.rule_model import RefRule, Ruleset
from tests.testkit.house import House
from tests.testkit.hub_setup import POLICY

RELEASE = "release/1"


def serve(shop: House) -> None:
    """A release branch as main is now, which the policy on main names."""
    shop.push({POLICY_PATH: f"{POLICY}branches: [{RELEASE}]\n"})
    clone = shop.clone()
    shop.git(clone, "push", "-q", "origin", f"HEAD:refs/heads/{RELEASE}")
    shop.settle()
    shop.sweep()
    shop.settle()


def open_pull(shop: House, name: str, base: str) -> int:
    clone = shop.clone()
    shop.git(clone, "checkout", "-q", "-b", name, f"origin/{base}")
    (clone / f"{name}.txt").write_text(f"{name}\n")
    shop.git(clone, "add", "-A")
    shop.git(clone, "commit", "-q", "-m", f"Bring {name}")
    shop.git(clone, "push", "-q", "origin", f"HEAD:{name}")
    asked = {"title": f"Bring {name}", "head": name, "base": base, "body": ""}
    answer = shop.api("POST", shop.repo("/pulls"), asked)
    answer.raise_for_status()
    shop.settle()
    return int(answer.json()["number"])


def test_pulls_on_two_branches_land_without_affecting_each_other(shop: House) -> None:
    serve(shop)
    feature, fix = open_pull(shop, "feature", "main"), open_pull(shop, "fix", RELEASE)
    asked = shop.ask(fix, "/headgate queue")
    shop.ask(feature, "/headgate queue")
    assert "In the queue at place 1." in shop.reply(fix, asked)

    shop.work()

    assert "feature.txt" in shop.main_files()
    assert "fix.txt" not in shop.main_files()
    git = shop.hub.repository(shop.full_name).git
    assert "fix.txt" in shop.git(git.folder, "ls-tree", "--name-only", RELEASE)
    for number in (feature, fix):
        assert shop.api("GET", shop.repo(f"/pulls/{number}")).json()["merged_at"], number
    assert not shop.events("PullVoided")
    ledger = git.read_file(f"refs/headgate/ledgers/{RELEASE}", "ledger.jsonl")
    assert ledger is not None
    assert len(ledger.decode().splitlines()) == 2


def test_a_force_push_freezes_only_its_branch_and_a_deletion_removes_its_pulls(
    shop: House,
) -> None:
    serve(shop)
    fix = open_pull(shop, "fix", RELEASE)
    clone = shop.clone()
    shop.git(clone, "commit", "-q", "--amend", "-m", "Another past")
    shop.git(clone, "push", "-q", "--force", "origin", f"HEAD:refs/heads/{RELEASE}")
    shop.settle()
    assert on(shop.state, RELEASE).frozen is not None
    assert shop.state.frozen is None
    shop.work()
    assert on(shop.state, RELEASE).frozen is None

    shop.ask(fix, "/headgate queue")
    shop.git(clone, "push", "-q", "origin", f":refs/heads/{RELEASE}")
    shop.settle()
    shop.work()
    assert on(shop.state, RELEASE).queued_pulls[PullNumber(fix)].state is QueuedPullState.WITHDRAWN


def test_a_pull_retargeted_during_its_gates_does_not_land(shop: House) -> None:
    serve(shop)
    fix = open_pull(shop, "fix", RELEASE)
    shop.ask(fix, "/headgate queue")
    before = shop.ref(RELEASE)
    shop.api("PATCH", shop.repo(f"/pulls/{fix}"), {"base": "main"}).raise_for_status()

    shop.work()

    assert (shop.ref(RELEASE), "fix.txt" in shop.main_files()) == (before, False)
    assert "this queue is for `release/1`" in shop.comments(fix)[-1]


def test_a_removed_label_dequeues_a_pull_even_if_its_webhook_is_lost(
    shop: House,
) -> None:
    serve(shop)
    fix = open_pull(shop, "fix", RELEASE)
    labels = shop.repo(f"/issues/{fix}/labels")
    shop.api("POST", labels, {"labels": [QUEUE_LABEL]}).raise_for_status()
    shop.settle()
    assert not on(shop.state, RELEASE).queued_pulls[PullNumber(fix)].has_left
    lost = "pull_request.unlabeled"
    shop.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob=lost, times=9))
    shop.api("DELETE", f"{labels}/{QUEUE_LABEL}").raise_for_status()
    shop.settle()
    shop.forward(seconds=31)
    shop.sweep()
    shop.settle()
    assert on(shop.state, RELEASE).queued_pulls[PullNumber(fix)].state is QueuedPullState.WITHDRAWN


def test_a_pull_enters_even_if_the_webhook_of_the_new_branch_is_lost(
    shop: House,
) -> None:
    shop.push({POLICY_PATH: f"{POLICY}branches: [{RELEASE}]\n"})
    shop.settle()
    shop.hub.faults.add(Fault(kind=FaultKind.DROP, method=WEBHOOK, path_glob="push", times=9))
    shop.git(shop.clone(), "push", "-q", "origin", f"HEAD:refs/heads/{RELEASE}")
    fix = open_pull(shop, "fix", RELEASE)
    asked = shop.ask(fix, "/headgate queue")
    assert "In the queue at place 1." in shop.reply(fix, asked)
    shop.work()
    assert on(shop.state, RELEASE).queued_pulls[PullNumber(fix)].state is QueuedPullState.LANDED


def test_a_rule_of_one_branch_is_reported_and_applies_only_there(
    shop: House,
) -> None:
    rules = frozenset({RefRule.PULL_REQUEST})
    ruleset = Ruleset(5, "Reviews", (f"refs/heads/{RELEASE}",), rules)
    shop.hub.add_ruleset(shop.full_name, ruleset)
    serve(shop)
    assert shop.checks(shop.ref(RELEASE))["headgate/rules"].conclusion == "action_required"
    feature, fix = open_pull(shop, "feature", "main"), open_pull(shop, "fix", RELEASE)
    before = shop.ref(RELEASE)
    shop.ask(fix, "/headgate queue")
    shop.ask(feature, "/headgate queue")
    shop.work()
    assert "feature.txt" in shop.main_files()
    assert "headgate/rules" not in shop.checks(shop.ref("main"))
    assert shop.ref(RELEASE) == before
    why = shop.ask(fix, "/headgate why")
    assert "GitHub refused its landing; Headgate tries again soon" in shop.reply(fix, why)
