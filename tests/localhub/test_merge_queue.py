"""GitHub's merge queue: accepted pulls, what groups wait for, and how a pull leaves."""

import threading
from dataclasses import replace

import pytest
from github.Repository import Repository

from bot.localhub.rule_model import RefRule, RequiredCheck, Ruleset
from tests.localhub.kit import Box, GitError, at, wait_for
from tests.localhub.test_graphql import ask
from tests.localhub.test_pulls import branch_with

ENQUEUE = """mutation($pull: ID!, $head: GitObjectID) {
  enqueuePullRequest(input: {pullRequestId: $pull, expectedHeadOid: $head}) {
    mergeQueueEntry { state position headCommit { oid } baseCommit { oid } } } }"""
DEQUEUE = "mutation($pull: ID!) { dequeuePullRequest(input: {id: $pull}) { clientMutationId } }"
ENTRY = """query($number: Int!) { repository(owner: "octo", name: "demo") {
  pullRequest(number: $number) {
    state mergeQueueEntry { state position }
    timelineItems(last: 1, itemTypes: [REMOVED_FROM_MERGE_QUEUE_EVENT]) {
      nodes { ... on RemovedFromMergeQueueEvent { reason createdAt } } } } } }"""
VERDICT = "headgate/verdict"
GROUPS = "refs/heads/gh-readonly-queue/main/"


@pytest.fixture
def queue(box: Box) -> Repository:
    """The repository of an App that may use the queue of main, which waits for the App's verdict."""
    installation = box.hub.state.installations[box.installation_id]
    installation.permissions["merge_queues"] = "write"
    rules = frozenset({RefRule.MERGE_QUEUE})
    required = (RequiredCheck(VERDICT, box.app.app_id),)
    box.hub.add_ruleset("octo/demo", Ruleset(7, "queue", ("main",), rules, required))
    return box.as_app().get_repo("octo/demo")


def pull_of(queue: Repository, name: str, *, is_green: bool = True) -> tuple[int, str, str]:
    """A pull with one file: its number, its node, its head."""
    head = branch_with(queue, name, f"{name}.txt", name)
    pull = queue.create_pull("main", name, title=name, body="")
    if is_green:
        queue.create_check_run(VERDICT, head, conclusion="success")
    return pull.number, str(pull.raw_data["node_id"]), head


def enqueue(box: Box, node: str, head: str) -> dict[str, object]:
    return ask(box, ENQUEUE, box.installation_token(), pull=node, head=head)


def refusal(answer: dict[str, object]) -> tuple[object, object]:
    return at(answer, "errors", 0, "type"), at(answer, "errors", 0, "message")


def groups(box: Box) -> list[str]:
    """The heads of the groups, oldest pull first."""
    refs = box.hub.repository("octo/demo").refs
    return [sha for ref, sha in sorted(refs.items()) if ref.startswith(GROUPS)]


def seen(box: Box, number: int) -> tuple[object, object, object]:
    """State, entry and the last removal of a pull."""
    pull = at(ask(box, ENTRY, box.installation_token(), number=number), "data", "repository")
    nodes = at(pull, "pullRequest", "timelineItems", "nodes")
    assert isinstance(nodes, list)
    last = nodes[-1]["reason"] if nodes else None
    return at(pull, "pullRequest", "state"), at(pull, "pullRequest", "mergeQueueEntry"), last


def test_a_pull_is_merged_once_the_checks_have_passed_on_its_groups_head(
    box: Box, queue: Repository
) -> None:
    number, node, head = pull_of(queue, "topic")
    main = queue.get_branch("main").commit.sha

    entry = at(enqueue(box, node, head), "data", "enqueuePullRequest", "mergeQueueEntry")

    (group,) = groups(box)
    assert at(entry, "headCommit", "oid") == group
    assert (at(entry, "state"), at(entry, "position")) == ("AWAITING_CHECKS", 1)
    assert at(entry, "baseCommit", "oid") == main
    # The verdict on the pull's head does not count for the group.
    assert queue.get_branch("main").commit.sha == main

    queue.create_check_run(VERDICT, group, conclusion="success")

    assert queue.get_branch("main").commit.sha == group
    merged = queue.get_pull(number)
    assert (merged.merged, merged.merge_commit_sha) == (True, group)
    assert merged.merged_by.login == "github-merge-queue[bot]"
    assert groups(box) == []
    assert seen(box, number) == ("MERGED", None, None)
    assert box.hub.repository("octo/demo").activities[-2].kind == "merge_queue_merge"


def test_merge_groups_build_on_each_other_and_are_rebuilt_after_a_failure(
    box: Box, queue: Repository
) -> None:
    first, node, head = pull_of(queue, "a")
    second, other, other_head = pull_of(queue, "b")
    enqueue(box, node, head)
    enqueue(box, other, other_head)
    ahead, behind = groups(box)
    git = box.hub.repository("octo/demo").git
    assert git.is_ancestor(ahead, behind)
    # Who is behind waits, however green.
    queue.create_check_run(VERDICT, behind, conclusion="success")
    assert seen(box, second)[1] == {"state": "AWAITING_CHECKS", "position": 2}

    queue.create_check_run(VERDICT, ahead, conclusion="failure")

    assert seen(box, first) == ("OPEN", None, "CI_FAILURE")
    (alone,) = groups(box)
    assert alone != behind
    assert not git.is_ancestor(ahead, alone)
    queue.create_check_run(VERDICT, alone, conclusion="success")
    assert seen(box, second)[0] == "MERGED"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        ("not green", 'Pull request Required status check "headgate/verdict" is expected.'),
        ("other head", "does not match the expected one"),
        ("twice", "Pull request is already in the queue"),
        ("no queue", "does not have a merge queue"),
    ],
)
def test_a_refused_queue_entry_gets_the_reason(
    box: Box, queue: Repository, spoil: str, words: str
) -> None:
    _, node, head = pull_of(queue, "topic", is_green=spoil != "not green")
    if spoil == "no queue":
        box.hub.repository("octo/demo").rulesets.clear()
    if spoil == "twice":
        enqueue(box, node, head)
    kind, message = refusal(enqueue(box, node, "1" * 40 if spoil == "other head" else head))
    assert kind == "UNPROCESSABLE"
    assert words in str(message)


@pytest.mark.parametrize("missing", ["merge_queues", "pull_requests"])
def test_an_app_needs_both_permissions(box: Box, queue: Repository, missing: str) -> None:
    _, node, head = pull_of(queue, "topic")
    held = box.hub.state.installations[box.installation_id].permissions
    held[missing] = "read"
    kind, _ = refusal(enqueue(box, node, head))
    assert kind == "FORBIDDEN"
    assert groups(box) == []


@pytest.mark.parametrize(
    ("deed", "reason"),
    [("push", "BRANCH_PROTECTIONS"), ("dequeue", "MANUAL"), ("late", "CI_TIMEOUT")],
)
def test_a_pull_leaves_the_queue_for_the_documented_reasons(
    box: Box, queue: Repository, deed: str, reason: str
) -> None:
    number, node, head = pull_of(queue, "topic")
    enqueue(box, node, head)
    if deed == "push":
        queue.create_file("more.txt", "More", "more", branch="topic")
    elif deed == "dequeue":
        ask(box, DEQUEUE, box.installation_token(), pull=node)
    else:
        entry = box.hub.merge_queue.entry_of(box.hub.repository("octo/demo").issues[number])
        assert entry is not None
        assert entry.group is not None
        entry.group.made_at = entry.group.made_at.replace(year=2020)
    assert seen(box, number) == ("OPEN", None, reason)
    assert groups(box) == []
    assert "errors" in ask(box, DEQUEUE, box.installation_token(), pull=node)


def test_a_push_past_the_queue_rebuilds_its_groups(box: Box, queue: Repository) -> None:
    _, node, head = pull_of(queue, "topic")
    enqueue(box, node, head)
    (before,) = groups(box)
    held = box.hub.repository("octo/demo").rulesets
    held[:] = [replace(held[0], bypass_app_ids=frozenset({box.app.app_id}))]

    moved = queue.create_file("past.txt", "Past the queue", "It.", branch="main")["commit"]

    (after,) = groups(box)
    assert after != before
    assert box.hub.repository("octo/demo").git.is_ancestor(moved.sha, after)


def test_only_the_merge_queue_may_push_a_group_branch(box: Box, queue: Repository) -> None:
    _, node, head = pull_of(queue, "topic")
    enqueue(box, node, head)
    (ref,) = (r for r in box.hub.repository("octo/demo").refs if r.startswith(GROUPS))
    with pytest.raises(GitError, match="Only the merge queue"):
        box.clone().git("push", "--force", "origin", f"main:{ref}")


def test_a_subscribed_app_gets_merge_group_webhooks(box: Box, queue: Repository) -> None:
    app = box.hub.state.installations[box.installation_id].app
    app.events = (*app.events, "merge_group")
    number, node, head = pull_of(queue, "topic")
    enqueue(box, node, head)
    (group,) = groups(box)
    queue.create_check_run(VERDICT, group, conclusion="success")
    box.settle()
    (asked,) = box.receiver.payloads("merge_group.checks_requested")
    assert at(asked, "merge_group", "head_sha") == group
    assert str(at(asked, "merge_group", "head_ref")).startswith(f"{GROUPS}pr-{number}-")
    assert at(asked, "merge_group", "base_ref") == "refs/heads/main"
    (gone,) = box.receiver.payloads("merge_group.destroyed")
    assert at(gone, "reason") == "merged"
    assert len(box.receiver.payloads("pull_request.enqueued")) == 1


def test_a_job_report_during_a_push_does_not_block_other_requests(
    box: Box, queue: Repository
) -> None:
    _, node, head = pull_of(queue, "topic")
    enqueue(box, node, head)
    hub, main = box.hub, queue.get_branch("main").commit.sha
    job = threading.Thread(
        target=hub.actions_host.record_job_check,
        args=("octo/demo", main, "build", 7, "in_progress", None, "http://x/1"),
    )
    with hub.repository("octo/demo").push_lock:
        job.start()
        wait_for(lambda: any(run.name == "build" for run in hub.state.check_runs.values()))
        is_free = hub.state.lock.acquire(timeout=2)
        if is_free:
            hub.state.lock.release()
    job.join()
    assert is_free
