"""How issues that asked for work, or were specs, leave the state, with all that was said there."""

import re

from bot.core.journal import events as ev
from bot.core.journal.effects import WithdrawSpec
from bot.core.journal.retired_issues import RetiredIssue
from bot.core.journal.state import RepositoryState, dialogue_of, spec_issue_of
from bot.core.values.ids import IssueNumber
from bot.core.values.lifecycle import DialoguePhase
from bot.core.values.replacement import replace, without

# What the key of an effect on such an issue, or of a text in it, begins with.
_OF_ISSUE = re.compile(
    r"(?:(?:edit-)?comment:(?:dialogue|work issue|spec issue) |(?:propose|withdraw|ask:issue):)"
    r"(\d+)[ :]"
)


def is_over(state: RepositoryState, issue: IssueNumber) -> bool:
    """Whether its dialogue has ended and says so, and its spec is offered no more."""
    dialogue, spec = state.dialogues.get(issue), state.spec_issues.get(issue)
    is_silent = dialogue is None or (dialogue.phase is DialoguePhase.ENDED and dialogue.is_told)
    if spec is None or spec.is_withdrawn:
        return is_silent
    withdraw = WithdrawSpec(issue=issue, pull=spec.pull, round=spec.round)
    return is_silent and withdraw.key in state.refused


def issue_of_key(key: str) -> IssueNumber | None:
    """The issue that asks for work, or is a spec, which an effect or a text is about; None for others."""
    found = _OF_ISSUE.match(key)
    return IssueNumber(int(found[1])) if found else None


def told_of_label(state: RepositoryState) -> set[IssueNumber]:
    """Issues without a dialogue and a spec where something was said about a label."""
    told = {issue for key in state.published if (issue := issue_of_key(key)) is not None}
    return told - state.dialogues.keys() - state.spec_issues.keys()


def issues_retired(state: RepositoryState, event: ev.IssuesRetired) -> RepositoryState:
    gone = {issue for issue in event.issues if is_over(state, issue)}
    lines = state.retired_issues
    for issue in sorted(n for n in gone if n in state.dialogues or n in state.spec_issues):
        lines = lines.having(_record(state, issue))
    return replace(
        state,
        retired_issues=lines,
        dialogues=without(state.dialogues, *gone),
        spec_issues=without(state.spec_issues, *gone),
        published={k: d for k, d in state.published.items() if issue_of_key(k) not in gone},
        refused={k: why for k, why in state.refused.items() if issue_of_key(k) not in gone},
    )


def _record(state: RepositoryState, issue: IssueNumber) -> RetiredIssue:
    """Of what is here now and, for the other half, of what the issue's line said already."""
    dialogue, spec = dialogue_of(state, issue), spec_issue_of(state, issue)
    return RetiredIssue(
        issue=issue,
        labelling=dialogue.labelling if dialogue else 0,
        begun=dialogue.begun if dialogue else 0,
        pull=spec.pull if spec else None,
        round=spec.round if spec else 0,
        path=spec.path if spec else "",
    )
