"""Performs effects through GitHub's API; git and edits of an issue have files of their own.

A create that may have happened looks for its natural key first: a marker in a body that we wrote,
the branch of a pull, an external id, an order id in a run's name. Edits and reactions may happen
twice.
"""

import contextlib
import json

from action.order import AgentOrder, GateOrder
from bot.core.journal import effects as ef
from bot.core.journal.events import (
    BlockedByLinked,
    Event,
    IssueOpened,
    PullClosed,
    PullOpened,
    SubIssueLinked,
    WorkflowDispatched,
)
from bot.core.prompts.likely_files import COMMITS_ASKED, likely_files
from bot.core.talk.text import cut, digest_of, marker
from bot.core.values.ids import OrderId, PullNumber, Sha
from bot.core.values.repository import PullState, RepositoryFacts
from bot.ports import UserError
from bot.shell.perform_task import Task, published
from bot.shell.process_ports import Ports
from bot.shell.workflow_trust import approve_workflow, path_of


def open_issue(task: Task[ef.OpenIssue]) -> tuple[Event, ...]:
    """Open an issue; found again by the marker in the body of an issue that we wrote."""
    ports, facts, effect, look_first = task.ports, task.facts, task.effect, task.look_first
    issue = None
    if look_first:
        ours = ports.forge.issues_by_us(facts, task.may_be_since(effect.intended_at))
        issue = next((i for i in ours if effect.marker in i.body), None)
    if issue is None:
        issue = ports.forge.open_issue(facts, effect.title, effect.body, effect.labels)
    opened = IssueOpened(
        spec_run=effect.spec_run, slug=effect.slug, number=issue.number, issue_id=issue.id
    )
    texts = (
        published(ports, f"issue:{issue.number}:{region}", digest, effect.revision)
        for region, digest in effect.digests.items()
    )
    return (opened, *texts)


def link_sub_issue(task: Task[ef.LinkSubIssue]) -> tuple[Event, ...]:
    """Make an issue a sub-issue; GitHub refuses a second time, which then means done."""
    ports, facts, effect, look_first = task.ports, task.facts, task.effect, task.look_first
    try:
        ports.forge.link_sub_issue(facts, effect.parent, effect.child_id)
    except UserError:
        if not look_first:
            raise
    return (SubIssueLinked(spec_run=effect.spec_run, slug=effect.slug),)


def link_blocked_by(task: Task[ef.LinkBlockedBy]) -> tuple[Event, ...]:
    """Mark an issue as blocked; GitHub refuses a second time, which then means done."""
    ports, facts, effect, look_first = task.ports, task.facts, task.effect, task.look_first
    try:
        ports.forge.link_blocked_by(facts, effect.issue, effect.blocker_id)
    except UserError:
        if not look_first:
            raise
    return (BlockedByLinked(spec_run=effect.spec_run, slug=effect.slug, on=effect.on),)


def post_comment(task: Task[ef.PostComment]) -> tuple[Event, ...]:
    """Comment once; found again by its marker among our own comments."""
    ports, facts, effect, look_first = task.ports, task.facts, task.effect, task.look_first
    mark = marker(effect.subject)
    there = look_first and any(
        mark in c.body and c.author_id == facts.bot_id
        for c in ports.forge.issue_comments(facts, effect.issue)
    )
    if not there:
        ports.forge.comment_on_issue(facts, effect.issue, cut(f"{mark}\n{effect.text}"))
    return (published(ports, effect.key, digest_of(effect.text)),)


def edit_comment(task: Task[ef.EditComment]) -> tuple[Event, ...]:
    """Replace the text of our comment; one that a person deleted stays deleted."""
    ports, facts, effect = task.ports, task.facts, task.effect
    mark = marker(effect.subject)
    for comment in ports.forge.issue_comments(facts, effect.issue):
        if mark in comment.body and comment.author_id == facts.bot_id:
            ports.forge.edit_comment(facts, comment.id, cut(f"{mark}\n{effect.text}"))
            break
    return (published(ports, effect.published_as, effect.text_digest),)


def post_commit_comment(task: Task[ef.PostCommitComment]) -> tuple[Event, ...]:
    """Comment at a commit once; found again by its marker among our own comments."""
    ports, facts, effect, look_first = task.ports, task.facts, task.effect, task.look_first
    mark = marker(effect.subject)
    there = look_first and any(
        mark in c.body and c.author_id == facts.bot_id
        for c in ports.forge.commit_comments(facts, effect.sha)
    )
    if not there:
        ports.forge.comment_on_commit(facts, effect.sha, cut(f"{mark}\n{effect.text}"))
    return (published(ports, effect.key, "posted"),)


def react(task: Task[ef.React]) -> tuple[Event, ...]:
    ports, facts, effect = task.ports, task.facts, task.effect
    ports.forge.react(facts, effect.comment, effect.content)
    return (published(ports, effect.subject, "given"),)


def react_to_review(task: Task[ef.ReactToReview]) -> tuple[Event, ...]:
    ports, facts, effect = task.ports, task.facts, task.effect
    ports.forge.react_to_review(facts, effect.comment, effect.content)
    return (published(ports, effect.subject, "given"),)


def open_pull(task: Task[ef.OpenPull]) -> tuple[Event, ...]:
    """Open the pull of a branch; found again by the branch, of which GitHub allows one open."""
    ports, facts, effect, look_first = task.ports, task.facts, task.effect, task.look_first
    pull = ports.forge.pull_of_branch(facts, effect.branch) if look_first else None
    if pull is None or pull.state is not PullState.OPEN:
        pull = ports.forge.open_pull(facts, effect.branch, effect.title, effect.body)
    return (PullOpened(change=effect.change, number=PullNumber(pull.number)),)


def close_pull(task: Task[ef.ClosePull]) -> tuple[Event, ...]:
    ports, facts, effect = task.ports, task.facts, task.effect
    ports.forge.close_pull(facts, effect.pull)
    return (PullClosed(change=effect.change, number=effect.pull),)


def publish_check_run(task: Task[ef.PublishCheckRun]) -> tuple[Event, ...]:
    """Create or update a check run; found by its external id among those of our App.

    GitHub completes one only once: what is said differently after that is said in a new one, and the
    newest of a name counts.
    """
    ports, facts, effect, look_first = task.ports, task.facts, task.effect, task.look_first
    known = None
    if effect.updates or look_first:
        known = ports.forge.check_run_by_us(facts, effect.sha, effect.external_id)
    if known is None or not known.takes(effect.text):
        ports.forge.create_check_run(facts, effect.sha, effect.external_id, effect.text)
    else:
        ports.forge.update_check_run(facts, known.id, effect.text)
    return (published(ports, effect.subject, effect.text_digest),)


def dispatch_order(task: Task[ef.DispatchOrder]) -> tuple[Event, ...]:
    """Store the order and start its workflow; found again by the id in the run's name."""
    ports, facts, effect, look_first = task.ports, task.facts, task.effect, task.look_first
    id_ = OrderId(effect.order.order_id)
    path, main = path_of(effect.workflow), task.state.main
    approved = approve_workflow(ports, facts, task.state, path, main) if main else None
    # Before the dispatch: a runner may be quicker than the journal.
    ports.order_store.place(facts.id, _with_likely_files(ports, facts, effect.order), approved)
    run = None
    if look_first:
        since = task.may_be_since(effect.placed_at)
        found = ports.forge.workflow_run_of_order(facts, id_, since)
        run = found.id if found else None
    if run is None:
        inputs = {"order_id": id_, "server": ports.server_url}
        if effect.runs_on:
            inputs["runs_on"] = json.dumps(effect.runs_on)
        try:
            run = ports.forge.dispatch_workflow(facts, effect.workflow, inputs)
        except UserError as refused:
            raise UserError(
                f"The workflow `{effect.workflow}` could not be started ({refused.sentence}). "
                "Check that it is on the default branch, has a `workflow_dispatch` trigger, "
                "and is enabled."
            ) from refused
    if run is not None:
        ports.order_store.bind(facts.id, id_, run)
    at = ports.clock.now()
    dispatched = WorkflowDispatched(
        order=id_,
        workflow_run=run,
        dispatched_at=at,
        ref=facts.main_ref,
        path=path,
        workflow=approved.content if approved else None,
    )
    return (dispatched,)


def _with_likely_files(
    ports: Ports, facts: RepositoryFacts, order: AgentOrder | GateOrder
) -> AgentOrder | GateOrder:
    """No decision depends on them. The same for the same base, so that an order that is placed again is
    the same order.
    """
    if not isinstance(order, AgentOrder) or order.remake:
        return order
    base = Sha(order.base_sha)
    paths = tuple(ports.git.blobs(facts, base, ("",)))
    commits = ports.git.changed_together(facts, base, COMMITS_ASKED)
    likely = likely_files(order, paths, commits)
    return order.replace(brief=order.brief.replace(likely=likely))


def tell_order(task: Task[ef.TellOrder]) -> tuple[Event, ...]:
    ports, facts, effect = task.ports, task.facts, task.effect
    ports.transcripts.tell(facts.id, effect.order, effect.told)
    return (published(ports, effect.subject, effect.text_digest),)


def revoke_order(task: Task[ef.RevokeOrder]) -> tuple[Event, ...]:
    """End the lease first, so that what comes later does not count; then cancel the run."""
    ports, facts, effect = task.ports, task.facts, task.effect
    ports.order_store.revoke(facts.id, effect.order)
    if effect.workflow_run is not None:
        # GitHub refuses to cancel a run that has ended; then nothing is left to do.
        with contextlib.suppress(UserError):
            ports.forge.cancel_workflow_run(facts, effect.workflow_run)
    return (published(ports, effect.subject, "revoked"),)
