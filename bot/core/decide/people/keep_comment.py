"""A comment that is written once and edited when its text changes."""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import EditComment, PostComment
from bot.core.journal.state import ChangeFacts
from bot.core.state.waiting import is_waited_for
from bot.core.talk.agent_questions_text import questions_text
from bot.core.talk.text import digest_of
from bot.core.values.ids import IssueNumber


def keep_comment(
    decision: Decision, issue: IssueNumber, subject: str, text: str, *, is_due: bool = True
) -> None:
    """Write or edit the comment; one effect at a time. `is_due`: write it if it does not exist."""
    post = PostComment(issue=issue, subject=subject, text=text)
    known = decision.state.published.get(post.key)
    if known is None:
        if is_due:
            decision.intend(post)
        return
    edit = EditComment(issue=issue, subject=subject, text=text, text_digest=digest_of(text))
    is_being_written = any(
        isinstance(e, EditComment) and e.subject == subject
        for e in decision.state.open_effects.values()
    )
    if known != edit.text_digest and not is_being_written:
        decision.intend(edit)


def tell_questions(decision: Decision, change: ChangeFacts, issue: IssueNumber) -> None:
    """One comment for each time that a change's agent asked, while answers still count."""
    for asked in change.clarifications:
        keep_comment(
            decision,
            issue,
            f"asked {change.id} {asked.order}",
            questions_text(decision.policy, change, asked),
            is_due=is_waited_for(change, asked),
        )
