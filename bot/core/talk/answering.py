"""`/headgate answer`: which questions a comment answers, and the decisions that come of it.

The rule: a decision names its author and the text that it was made about; a number that is not
asked in that place is refused with those that are. Deliberately absent: permission, which is looked
up before anything here is called.
"""

from bot.core.draft import Draft
from bot.core.ids import IssueNumber, PullNumber
from bot.core.journal.events import QuestionAnswered
from bot.core.journal.state import RepositoryState, SpecRun, pull_place
from bot.core.repository import Comment
from bot.core.spec.questions import Asked, Decision, Question, unanswered
from bot.core.talk import replies
from bot.core.talk.commands import Command, read_answers

# A decision is a sentence or a few; it goes to every agent that works on the requirement.
_ANSWER_CHARACTERS_MAX = 2_000


def place_of(state: RepositoryState, issue: IssueNumber) -> str | None:
    """Where questions are asked: in a tracking issue, or on a pull that touches specs."""
    for run in state.spec_runs.values():
        if run.issue == issue:
            return run.path
    pull = PullNumber(int(issue))
    return pull_place(pull) if pull in state.pull_digests else None


def holding_questions(draft: Draft, run: SpecRun) -> tuple[Question, ...]:
    """What has to be answered before the plan of a spec run may be approved."""
    asked = draft.state.asked.get(run.path, Asked())
    return unanswered(asked, draft.state.decisions, draft.policy.file.questions)


def answer_questions(
    draft: Draft, place: str, comment: Comment, command: Command
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Record the answers of a command; what is said of it, and what is refused."""
    questions = {q.number: q for q in draft.state.asked.get(place, Asked()).questions}
    answers = read_answers(command.argument, frozenset(questions))
    if not answers:
        return (), (replies.answer_needs_number(tuple(questions)),)
    said, refused = [], []
    for answer in answers:
        question = questions.get(answer.number)
        if question is None:
            refused.append(replies.no_such_question(answer.number, tuple(questions)))
            continue
        decision = Decision(
            topic=question.topic,
            text_hash=question.text_hash,
            question=question.sentence,
            answer=answer.text[:_ANSWER_CHARACTERS_MAX],
            author=comment.author,
            decided_at=draft.now,
        )
        draft.emit(QuestionAnswered(place=place, number=question.number, decision=decision))
        said.append(replies.question_answered(question, decision))
    return tuple(said), tuple(refused)
