"""Another attempt at a run: the same file at the same commit, with or without successful jobs.

A job that is kept appears in the new attempt as a copy with an id of its own, as on GitHub. A job
is kept only if all jobs that it needs are kept.
"""

from collections.abc import Callable, Set
from dataclasses import replace
from datetime import datetime

from bot.localhub.actions.contexts import ancestors
from bot.localhub.actions.host import ActorFacts
from bot.localhub.actions.progress import populate, scopes_of
from bot.localhub.actions.records import Attempt, JobRecord, Node, Scope, WorkflowRun
from bot.localhub.actions.runner_messages import Conclusion


def next_attempt(
    run: WorkflowRun,
    actor: ActorFacts,
    keep: Set[Conclusion],
    now: datetime,
    new_id: Callable[[], int],
) -> Attempt:
    """The next attempt; nodes of the started file are kept if `keep` says so."""
    last = run.attempt
    root = replace(last.root, nodes={})
    populate(root)
    attempt = Attempt(last.number + 1, now, actor, root)
    for name, node in last.root.nodes.items():
        if all(one.result in keep for one in (node, *ancestors(node))):
            root.nodes[name] = _kept(node, root, attempt, new_id)
    return attempt


def _kept(node: Node, scope: Scope, attempt: Attempt, new_id: Callable[[], int]) -> Node:
    kept = Node(node.job, scope, is_started=True, result=node.result, outputs=dict(node.outputs))
    kept.scopes = list(node.scopes)
    called = [inner for below in node.scopes for inner in scopes_of(below)]
    jobs = [job for inner in called for one in inner.nodes.values() for job in one.jobs]
    copies = [_copy(job, attempt, new_id()) for job in (*node.jobs, *jobs)]
    attempt.jobs.extend(copies)
    kept.jobs = copies[: len(node.jobs)]
    return kept


def _copy(job: JobRecord, attempt: Attempt, job_id: int) -> JobRecord:
    return replace(job, id=job_id, run_attempt=attempt.number, log=bytearray(job.log))
