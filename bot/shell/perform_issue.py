"""Changes an issue that we opened: our regions of its text, and whether it is open, in one request.

What people wrote around our regions stays. Repeating a change is harmless, so nothing is looked for
after a crash.
"""

from collections.abc import Sequence

from bot.core.journal.effects import CloseIssue, EditIssue, ReopenIssue
from bot.core.journal.events import Event, IssueClosed, IssueReopened
from bot.core.state.issue_batch import IssueWrite
from bot.core.talk.text import cut, with_region
from bot.core.values.repository import IssueEdit, IssueState, RepositoryFacts
from bot.ports import UserError
from bot.shell.perform_task import Task, published
from bot.shell.process_ports import Ports


def write_issue(task: Task[IssueWrite]) -> tuple[Event, ...]:
    """Perform all effects of the batch, which are of one issue; what came of each, in order."""
    ports, facts = task.ports, task.facts
    effects = [e for e in task.batch if isinstance(e, IssueWrite)]
    body = _body(ports, facts, [e for e in effects if isinstance(e, EditIssue)])
    edit = IssueEdit(body=body)
    for effect in effects:
        match effect:
            case CloseIssue():
                edit = IssueEdit(body=body, state=IssueState.CLOSED, reason=effect.reason)
            case ReopenIssue():
                edit = IssueEdit(body=body, state=IssueState.OPEN, reason="reopened")
            case EditIssue():
                pass
    if edit != IssueEdit():
        ports.forge.edit_issue(facts, task.effect.issue, edit)
    return tuple(_fact(ports, effect) for effect in effects)


def _body(ports: Ports, facts: RepositoryFacts, edits: Sequence[EditIssue]) -> str | None:
    """The issue's text with our regions replaced; None if nothing changes."""
    if not edits:
        return None
    issue = ports.forge.issue(facts, edits[0].issue)
    if issue is None:
        raise UserError(f"#{edits[0].issue} no longer exists.")
    body = issue.body
    for edit in edits:
        body = cut(with_region(body, edit.region, edit.text))
    return body if body != issue.body else None


def _fact(ports: Ports, effect: IssueWrite) -> Event:
    match effect:
        case EditIssue():
            return published(ports, effect.subject, effect.text_digest, effect.revision)
        case CloseIssue():
            return IssueClosed(spec_run=effect.spec_run, slug=effect.slug, number=effect.issue)
        case ReopenIssue():
            return IssueReopened(spec_run=effect.spec_run, slug=effect.slug)
