"""How what people read and say evolves: issues, published texts, comments that ask for something."""

from dataclasses import replace
from datetime import datetime

from bot.core.journal import events as ev
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

# What a person says that counts as having stepped in, in the report.
_INTERVENTIONS = frozenset({"retry", "stop"})

_AboutIssue = (
    ev.IssueOpened | ev.SubIssueLinked | ev.BlockedByLinked | ev.IssueClosed | ev.IssueReopened
)


def _run_of(state: RepositoryState, event: _AboutIssue) -> SpecRun | None:
    """The spec run, where the event is about its tracking issue."""
    return None if event.slug else state.spec_runs.get(event.spec_run)


def _change_of(state: RepositoryState, event: _AboutIssue) -> ChangeFacts | None:
    """The change, where the event is about its issue."""
    return state.changes.get(change_id(event.spec_run, event.slug)) if event.slug else None


def _opened(state: RepositoryState, event: ev.IssueOpened) -> RepositoryState:
    if run := _run_of(state, event):
        return with_run(state, replace(run, issue=event.number, issue_id=event.issue_id))
    if change := _change_of(state, event):
        return with_change(state, replace(change, issue=event.number, issue_id=event.issue_id))
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
    published = {**state.published, event.subject: event.digest}
    return _with_shown_revision(replace(state, published=published), event)


def _with_shown_revision(state: RepositoryState, event: ev.TextPublished) -> RepositoryState:
    if not event.revision:
        return state
    for run in state.spec_runs.values():
        if run.issue is not None and event.subject == f"issue:{run.issue}:plan":
            shown: dict[int, datetime] = {**run.revisions_shown}
            shown.setdefault(event.revision, event.published_at)
            return with_run(state, replace(run, revisions_shown=shown))
    return state


def _heard(state: RepositoryState, event: ev.CommandHeard) -> RepositoryState:
    if event.comment in state.answered or event.comment in state.heard:
        return state
    heard = HeardComment(comment=event.comment, issue=event.issue)
    return replace(state, heard={**state.heard, event.comment: heard})


def _answered(state: RepositoryState, event: ev.CommandAnswered) -> RepositoryState:
    after = replace(
        state,
        heard={id_: h for id_, h in state.heard.items() if id_ != event.comment},
        answered={**state.answered, event.comment: event.created_at},
    )
    heard = state.heard.get(event.comment)
    if heard is None or event.outcome != "done":
        return after
    said = tuple(f"{event.author}: {verb}" for verb in event.verbs if verb in _INTERVENTIONS)
    for run in state.spec_runs.values():
        changes = state.changes_of(run.id)
        issues = {run.issue, *(c.issue for c in changes), *(c.pull for c in changes)}
        if said and heard.issue in issues:
            known = after.spec_runs[run.id]
            after = with_run(after, replace(known, interventions=(*known.interventions, *said)))
    return after


def _read(state: RepositoryState, event: ev.CommentsRead) -> RepositoryState:
    return replace(state, comments_seen_to=event.up_to)


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
)
