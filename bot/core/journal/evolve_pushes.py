"""What people's pushes to a change's branch mean for it; its state has moved by then."""

from action.order import RetryContext, RetryReason
from bot.core.journal import events as ev
from bot.core.journal.state import ChangeFacts, Head, Push, PushState
from bot.core.values.replacement import replace


def branch_pushed(change: ChangeFacts, event: ev.BranchPushed) -> ChangeFacts:
    """To be looked at before anything else is pushed there."""
    return replace(change, push=Push(sha=event.pushed))


def head_taken_over(change: ChangeFacts, event: ev.HeadTakenOver) -> ChangeFacts:
    """New work, with a new budget; what was known of the older work says nothing of it."""
    head = Head(
        sha=event.head, tree=event.tree, order=None, paths=event.paths, stands_on=event.base
    )
    return replace(
        _with_new_budget(change),
        push=Push(sha=event.pushed, state=PushState.TAKEN, author=event.authors[0]),
        shown=event.pushed,
        head=head,
        head_is_fresh=True,
        head_is_whole=True,
        start_attempt=0,
        bundle=None,
        authors=tuple(dict.fromkeys((*event.authors, *change.authors))),
        held_by=name_of(event.authors[0]),
        remake=(),
        unfit_on=None,
        built=(),
        failure=None,
        retry=None,
        sentence="",
    )


def push_passed_over(change: ChangeFacts, event: ev.PushPassedOver) -> ChangeFacts:
    """The branch is as before, for us."""
    return replace(change, push=Push(sha=event.pushed, state=PushState.PASSED), shown=event.pushed)


def push_refused(change: ChangeFacts, event: ev.PushRefused) -> ChangeFacts:
    """The work stays what it was, and nothing is pushed over theirs."""
    push = Push(
        sha=event.pushed, state=PushState.REFUSED, author=event.author, sentence=event.sentence
    )
    return replace(
        change,
        push=push,
        shown=event.pushed,
        held_by=name_of(event.author),
        sentence=event.sentence,
    )


def left_to_person(change: ChangeFacts, event: ev.LeftToPerson) -> ChangeFacts:
    return replace(change, sentence=event.sentence)


def handed_back(change: ChangeFacts, event: ev.HandedBack) -> ChangeFacts:
    """An agent goes on from the work that there is."""
    said = (
        f"@{event.handed_back_by} gave the change back to you. Go on from the work that is there."
    )
    retry = change.retry or RetryContext(reason=RetryReason.ASKED, sentence=said)
    return replace(_with_new_budget(change), held_by="", sentence="", retry=retry)


def name_of(author: str) -> str:
    """The name in `Name <mail>`."""
    return author.rpartition(" <")[0] or author


def _with_new_budget(change: ChangeFacts) -> ChangeFacts:
    return replace(
        change,
        budget_start=change.attempt,
        runs_before_budget=len(change.agent_runs),
        orders_lost=0,
        rejudged=None,
        conflicts_before=change.conflicts,
        conflicted_at=None,
    )
