"""`/headgate answer`: which questions a comment answers, and the decisions that come of it.

The rule: a decision names its author and the text that it was made about; a number that is not
asked in that place is refused with those that are. Deliberately absent: permission, which is looked
up before anything here is called.
"""

from collections.abc import Sequence

from bot.core.decide.decision import Decision
from bot.core.journal.events import QuestionAnswered
from bot.core.journal.state import RepositoryState, SpecRun, pull_place
from bot.core.spec.triage.spec_questions import Asked, Question, SpecDecision, unanswered
from bot.core.talk import replies
from bot.core.talk.commands import NumberedAnswer, read_answers
from bot.core.values.command import Command
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.repository import Comment

# An answer is a sentence or a few; agents and models read it, and comments show it.
_ANSWER_CHARACTERS_MAX = 2_000


def place_of(state: RepositoryState, issue: IssueNumber) -> str | None:
    """Where questions are asked: in a tracking issue, or on a pull that touches specs."""
    for run in state.spec_runs.values():
        if run.issue == issue:
            return run.path
    pull = PullNumber(int(issue))
    return pull_place(pull) if pull in state.pull_digests else None


def holding_questions(decision: Decision, run: SpecRun) -> tuple[Question, ...]:
    """What has to be answered before the plan of a spec run may be approved."""
    asked = decision.state.asked.get(run.path, Asked())
    return unanswered(asked, decision.state.decisions, decision.policy.file.questions)


def answers_in(
    command: Command, asked: Sequence[int]
) -> tuple[tuple[NumberedAnswer, ...], tuple[str, ...]]:
    """The answers to the numbers that are asked, cut to size; what is refused of the rest."""
    answers = read_answers(command.argument, frozenset(asked))
    if not answers:
        return (), (replies.answer_needs_number(tuple(asked)),)
    fitting = tuple(
        answer.model_copy(update={"text": answer.text[:_ANSWER_CHARACTERS_MAX]})
        for answer in answers
        if answer.number in asked
    )
    refused = (a.number for a in answers if a.number not in asked)
    return fitting, tuple(replies.no_such_question(number, tuple(asked)) for number in refused)


def answer_questions(
    decision: Decision, place: str, comment: Comment, command: Command
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Record the answers of a command; what is said of it, and what is refused."""
    questions = {q.number: q for q in decision.state.asked.get(place, Asked()).questions}
    answers, refused = answers_in(command, tuple(questions))
    said = []
    for answer in answers:
        question = questions[answer.number]
        given = SpecDecision(
            topic=question.topic,
            text_hash=question.text_hash,
            question=question.sentence,
            answer=answer.text,
            author=comment.author,
            decided_at=decision.now,
        )
        decision.emit(QuestionAnswered(place=place, number=question.number, decision=given))
        said.append(replies.question_answered(question, given))
    return tuple(said), refused
