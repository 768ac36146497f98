"""What people say to an issue that asks for work: answers by number, `skip`, and `stop`.

The rule: a number that is not asked is refused with those that are; who may answer was looked up
before anything here is called. Deliberately absent: what is asked next.
"""

from bot.core.decide.decision import Decision
from bot.core.decide.people.answer_spec import answers_in
from bot.core.journal.events import AnswerGiven, DialogueEnded, DialogueEnding, RoundClosed
from bot.core.journal.state import Dialogue, DialoguePhase
from bot.core.talk import dialogue_text
from bot.core.values.command import Command
from bot.core.values.repository import Comment

_SKIP = "skip"


def answer_questions(
    decision: Decision, dialogue: Dialogue, comment: Comment, command: Command
) -> tuple[str, ...]:
    """Record the answers of a command; what is refused of it. The dialogue's comment shows the rest."""
    questions = {q.number for q in dialogue.questions} if dialogue.is_open else set()
    if not questions:
        return (dialogue_text.nothing_asked(dialogue.pull),)
    if command.argument.strip().lower() == _SKIP:
        return _skip(decision, dialogue, comment)
    answers, refused = answers_in(command, tuple(sorted(questions)))
    for answer in answers:
        decision.emit(
            AnswerGiven(
                issue=dialogue.issue,
                number=answer.number,
                text=answer.text,
                author=comment.author,
                link=comment.html_url,
            )
        )
    return refused


def _skip(decision: Decision, dialogue: Dialogue, comment: Comment) -> tuple[str, ...]:
    if dialogue.phase is not DialoguePhase.ASKING:
        return (dialogue_text.nothing_asked(dialogue.pull),)
    decision.emit(
        RoundClosed(issue=dialogue.issue, round=dialogue.closed + 1, skipped_by=comment.author)
    )
    return ()


def stop(decision: Decision, dialogue: Dialogue, comment: Comment) -> str:
    """End the dialogue, unless it is over; what is said of it."""
    if dialogue.phase is not DialoguePhase.ENDED:
        ending = DialogueEnding.STOPPED
        decision.emit(DialogueEnded(issue=dialogue.issue, ending=ending, by=comment.author))
    return dialogue_text.stopped()
