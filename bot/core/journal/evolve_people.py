"""How what people read and say evolves: issues, published texts, comments that ask for something."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import dropwhile

from bot.core.journal import events as ev
from bot.core.journal.evolve_forgotten import with_text
from bot.core.journal.fold_table import folds, on
from bot.core.journal.state import (
    ChangeFacts,
    HeardComment,
    RepositoryState,
    SpecRun,
    change_id,
    with_change,
    with_run,
)
from bot.core.values.ids import CommentId, OrderId
from bot.core.values.replacement import less, replace, without

# What a person says that counts as having stepped in, in the report.
_INTERVENTIONS = frozenset({"retry", "stop"})

# GitHub offers a delivery again for three days; a comment older than this is not news any more.
COMMENTS_KEPT = timedelta(days=4)

# So many newer comments are passed over in the search for older ones.
_NEWER_PASSED = 5

# How long a comment of somebody without a role counts against what they may ask.
STRANGERS_COUNTED_FOR = timedelta(hours=1)

# The subject under which the plan of a tracking issue is published.
_PLAN = re.compile(r"issue:([0-9]+):plan")

_AboutIssue = (
    ev.IssueOpened | ev.SubIssueLinked | ev.BlockedByLinked | ev.IssueClosed | ev.IssueReopened
)


def _run_of(state: RepositoryState, event: _AboutIssue) -> SpecRun | None:
    return None if event.slug else state.spec_runs.get(event.spec_run)


def _change_of(state: RepositoryState, event: _AboutIssue) -> ChangeFacts | None:
    return state.changes.get(change_id(event.spec_run, event.slug)) if event.slug else None


def _opened(state: RepositoryState, event: ev.IssueOpened) -> RepositoryState:
    if run := _run_of(state, event):
        after = with_run(state, replace(run, issue=event.number, issue_id=event.issue_id))
        return replace(after, run_of_issue={**state.run_of_issue, event.number: run.id})
    if change := _change_of(state, event):
        known = replace(change, issue=event.number, issue_id=event.issue_id)
        numbers = {**state.change_of_number, event.number: change.id}
        return replace(with_change(state, known), change_of_number=numbers)
    return state


def _hung_under(state: RepositoryState, event: ev.SubIssueLinked) -> RepositoryState:
    change = _change_of(state, event)
    return with_change(state, replace(change, is_sub_issue=True)) if change else state


def _blocked_by(state: RepositoryState, event: ev.BlockedByLinked) -> RepositoryState:
    change = _change_of(state, event)
    if change is None:
        return state
    linked = dict.fromkeys((*change.blocked_by_linked, event.on))
    return with_change(state, replace(change, blocked_by_linked=tuple(linked)))


def _closed(state: RepositoryState, event: ev.IssueClosed) -> RepositoryState:
    owner = state.spec_runs.get(event.spec_run)
    if owner is not None and event.number in owner.dropped_issues:
        left = tuple(n for n in owner.dropped_issues if n != event.number)
        return with_run(state, replace(owner, dropped_issues=left))
    if (run := _run_of(state, event)) and _is_open(run, event):
        return with_run(state, replace(run, issue_closed=True, issue_rounds=run.issue_rounds + 1))
    if (change := _change_of(state, event)) and _is_open(change, event):
        rounds = change.issue_rounds + 1
        return with_change(state, replace(change, issue_closed=True, issue_rounds=rounds))
    return state


def _is_open(known: SpecRun | ChangeFacts, event: ev.IssueClosed) -> bool:
    return known.issue == event.number and not known.issue_closed


def _reopened(state: RepositoryState, event: ev.IssueReopened) -> RepositoryState:
    if run := _run_of(state, event):
        return with_run(state, replace(run, issue_closed=False))
    if change := _change_of(state, event):
        return with_change(state, replace(change, issue_closed=False))
    return state


def _published(state: RepositoryState, event: ev.TextPublished) -> RepositoryState:
    after = with_text(state, event.subject, event.digest)
    if event.subject.startswith("late:"):
        told = OrderId(event.subject.removeprefix("late:"))
        after = replace(after, lost_orders=less(state.lost_orders, told))
    return _with_shown_revision(after, event)


def _with_shown_revision(state: RepositoryState, event: ev.TextPublished) -> RepositoryState:
    plan = _PLAN.fullmatch(event.subject)
    run = state.run_with_issue(int(plan[1])) if plan else None
    if run is None or not event.revision:
        return state
    shown: dict[int, datetime] = {**run.revisions_shown}
    shown.setdefault(event.revision, event.published_at)
    return with_run(state, replace(run, revisions_shown=shown))


def _heard(state: RepositoryState, event: ev.CommandHeard) -> RepositoryState:
    if event.comment in state.answered or event.comment in state.heard:
        return state
    heard = HeardComment(comment=event.comment, issue=event.issue)
    return replace(state, heard={**state.heard, event.comment: heard})


def _answered(state: RepositoryState, event: ev.CommandAnswered) -> RepositoryState:
    after = replace(
        state,
        heard=without(state.heard, event.comment),
        answered={**state.answered, event.comment: event.created_at},
        strangers_asked=_strangers_asked(state, event),
    )
    heard = state.heard.get(event.comment)
    if heard is None or event.outcome != "done":
        return after
    said = tuple(f"{event.author}: {verb}" for verb in event.verbs if verb in _INTERVENTIONS)
    change = state.change_with(heard.issue)
    run = state.spec_runs.get(change.spec_run) if change else state.run_with_issue(heard.issue)
    if run is None or not said:
        return after
    return with_run(after, replace(run, interventions=(*run.interventions, *said)))


def _strangers_asked(
    state: RepositoryState, event: ev.CommandAnswered
) -> tuple[tuple[str, datetime], ...]:
    """Who without a role asked when, for as long as it counts."""
    if not event.is_strangers:
        return state.strangers_asked
    since = event.created_at - STRANGERS_COUNTED_FOR
    recent = dropwhile(lambda one: one[1] <= since, state.strangers_asked)
    return (*recent, (event.author, event.created_at))


def _read(state: RepositoryState, event: ev.CommentsRead) -> RepositoryState:
    since = event.up_to - COMMENTS_KEPT
    old = _older_than(since, state.answered)
    return replace(state, comments_seen_to=event.up_to, answered=without(state.answered, *old))


def _older_than(since: datetime, answered: dict[CommentId, datetime]) -> Iterator[CommentId]:
    """Comments in the order in which they were answered; a few newer ones hide no older one."""
    newer = 0
    for comment, at in answered.items():
        if at < since:
            yield comment
            continue
        newer += 1
        if newer == _NEWER_PASSED:
            return


def _reviews_seen(state: RepositoryState, event: ev.ReviewCommentsSeen) -> RepositoryState:
    return replace(state, reviews_seen_to=event.up_to)


PEOPLE_FOLDS = folds(
    on(ev.IssueOpened, _opened),
    on(ev.SubIssueLinked, _hung_under),
    on(ev.BlockedByLinked, _blocked_by),
    on(ev.IssueClosed, _closed),
    on(ev.IssueReopened, _reopened),
    on(ev.TextPublished, _published),
    on(ev.CommandHeard, _heard),
    on(ev.CommandAnswered, _answered),
    on(ev.CommentsRead, _read),
    on(ev.ReviewCommentsSeen, _reviews_seen),
)
