"""What people say to an issue that asks for work: answers by number, `skip`, and `stop`.

The rule: a number that is not asked is refused with those that are; who may answer was looked up
before anything here is called. Deliberately absent: what is asked next.
"""

from bot.core.draft import Draft
from bot.core.journal.events import AnswerGiven, DialogueEnded, DialogueEnding, RoundClosed
from bot.core.journal.state import Dialogue, DialoguePhase
from bot.core.repository import Comment
from bot.core.talk import dialogue_text, replies
from bot.core.talk.commands import Command, read_answers

# An answer is a sentence or a few; it goes to a model and into a comment.
_ANSWER_CHARACTERS_MAX = 2_000
_SKIP = "skip"


def answer_questions(
    draft: Draft, dialogue: Dialogue, comment: Comment, command: Command
) -> tuple[str, ...]:
    """Record the answers of a command; what is refused of it. The dialogue's comment shows the rest."""
    questions = {q.number for q in dialogue.questions} if dialogue.is_open else set()
    if not questions:
        return (dialogue_text.nothing_asked(dialogue.pull),)
    if command.argument.strip().lower() == _SKIP:
        return _skip(draft, dialogue, comment)
    answers = read_answers(command.argument, frozenset(questions))
    if not answers:
        return (replies.answer_needs_number(tuple(sorted(questions))),)
    refused = []
    for answer in answers:
        if answer.number not in questions:
            refused.append(replies.no_such_question(answer.number, tuple(sorted(questions))))
            continue
        draft.emit(
            AnswerGiven(
                issue=dialogue.issue,
                number=answer.number,
                text=answer.text[:_ANSWER_CHARACTERS_MAX],
                author=comment.author,
                link=comment.html_url,
            )
        )
    return tuple(refused)


def _skip(draft: Draft, dialogue: Dialogue, comment: Comment) -> tuple[str, ...]:
    if dialogue.phase is not DialoguePhase.ASKING:
        return (dialogue_text.nothing_asked(dialogue.pull),)
    draft.emit(
        RoundClosed(issue=dialogue.issue, round=dialogue.closed + 1, skipped_by=comment.author)
    )
    return ()


def stop(draft: Draft, dialogue: Dialogue, comment: Comment) -> str:
    """End the dialogue, unless it is over; what is said of it."""
    if dialogue.phase is not DialoguePhase.ENDED:
        ending = DialogueEnding.STOPPED
        draft.emit(DialogueEnded(issue=dialogue.issue, ending=ending, by=comment.author))
    return dialogue_text.stopped()
