"""What an agent asks people, in one comment of its change's issue, and how they are heard there.

The comment is written once and edited as answers come. The rule: a runner's words work as nothing
but words; an answer counts while it is waited for, and names its author. Deliberately absent:
permission, which is looked up before anything here is called.
"""

from bot.core.decide.decision import Decision
from bot.core.decide.people.answer_spec import answers_in
from bot.core.journal.effects import EditComment, PostComment
from bot.core.journal.events import ClarificationAnswered, ClarificationEnded
from bot.core.journal.state import ChangeFacts
from bot.core.state.waiting import is_waited_for
from bot.core.talk.agent_questions_text import nothing_waited_for, questions_text
from bot.core.talk.text import digest_of
from bot.core.values.clarification import WaitingEnd
from bot.core.values.command import Command
from bot.core.values.lifecycle import ChangeState
from bot.core.values.repository import Comment


def tell_questions(decision: Decision, change: ChangeFacts) -> None:
    """Ask in one comment a clarification, and keep it true."""
    if change.issue is None:
        return
    for asked in change.clarifications:
        subject = f"asked {change.id} {asked.order}"
        text = questions_text(decision.policy, change, asked)
        digest = digest_of(text)
        known = decision.state.published.get(f"comment:{subject}")
        if known is None and is_waited_for(change, asked):
            decision.intend(PostComment(issue=change.issue, subject=subject, text=text))
        under_way = any(
            isinstance(e, EditComment | PostComment) and e.subject == subject
            for e in decision.state.open_effects.values()
        )
        if known not in {None, digest} and not under_way:
            decision.intend(
                EditComment(issue=change.issue, subject=subject, text=text, text_digest=digest)
            )


def hear_answers(
    decision: Decision, change: ChangeFacts, comment: Comment, command: Command
) -> tuple[str, ...]:
    """Write the answers of a command down; what is refused. The questions' comment shows them."""
    if change.state is not ChangeState.ASKING:
        return (nothing_waited_for(change),)
    asked = change.clarifications[-1]
    answers, refused = answers_in(command, tuple(q.number for q in asked.questions))
    for answer in answers:
        decision.emit(
            ClarificationAnswered(
                change=change.id,
                number=answer.number,
                answer=answer.text,
                author=comment.author,
                given_at=decision.now,
            )
        )
    return refused


def go_on_unanswered(decision: Decision, change: ChangeFacts, by: str) -> None:
    """A person wants no more waiting: what nobody answered is assumed."""
    decision.emit(ClarificationEnded(change=change.id, end=WaitingEnd.BY_A_PERSON, ended_by=by))
