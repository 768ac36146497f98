"""`/headgate answer`: which questions a comment answers, and what is refused.

An unknown number is refused with a list of the open ones. Permission is checked before this is
called.
"""

from collections.abc import Sequence

from bot.core.decide.decision import Decision
from bot.core.decide.people.advance_dialogue import skip
from bot.core.decide.people.answer_money import answer_money
from bot.core.journal.events import QuestionAnswered
from bot.core.journal.state import (
    ChangeFacts,
    RepositoryState,
    SpecRun,
    asked_at,
    dialogue_of,
    pull_place,
)
from bot.core.talk import dialogue_text, replies
from bot.core.talk.agent_questions_text import nothing_waited_for
from bot.core.talk.asked_command import AskedCommand, Reply, refuse, reply
from bot.core.talk.commands import ROWS, NumberedAnswer, read_answers
from bot.core.values.command import Command, Verb
from bot.core.values.ids import IssueNumber, PullNumber
from bot.core.values.lifecycle import ChangeState
from bot.core.values.question import Answer, Question, change_place, money_place
from bot.core.values.repository import Comment, Role

# An answer is a sentence or a few; agents and models read it, and comments show it.
_ANSWER_CHARACTERS_MAX = 2_000

_SKIP = "skip"


def answer_questions(decision: Decision, asked: AskedCommand) -> Reply:
    comment, change, issue = asked.comment, asked.change, asked.comment.issue
    place = _place(decision.state, issue, change)
    closed = _why_closed(decision.state, issue, change, place)
    if closed:
        return refuse(closed)
    dialogue = dialogue_of(decision.state, issue)
    if dialogue is not None and asked.argument.strip().lower() == _SKIP:
        return refuse(*skip(decision, dialogue, comment))
    questions = {q.number: q for q in asked_at(decision.state, place).questions}
    run = next((r for r in decision.state.spec_runs.values() if r.issue == issue), None)
    of_money = asked_at(decision.state, money_place(run.id)).questions if run else ()
    money = {q.number: q for q in of_money}
    answers, refused = _answers_in(asked.command, (*questions, *money))
    said = [
        _record(decision, place, questions[a.number], a, comment)
        for a in answers
        if a.number not in money
    ]
    if run is not None:
        refused += tuple(
            _about_money(decision, run, money[a.number], a, asked)
            for a in answers
            if a.number in money
        )
    return reply(*said) + refuse(*refused)


def _about_money(
    decision: Decision,
    run: SpecRun,
    question: Question,
    answer: NumberedAnswer,
    asked: AskedCommand,
) -> str:
    """Record an answer about a run's budget, which who may approve plans may give; what is refused."""
    needed = Role(decision.policy.file.approver)
    if not asked.role.covers(needed):
        return replies.not_permitted(asked.row, asked.author, asked.role, needed)
    given = Answer(
        text=answer.text, author=asked.author, given_at=decision.now, link=asked.comment.html_url
    )
    return answer_money(decision, run, question, given)


def _place(state: RepositoryState, issue: IssueNumber, change: ChangeFacts | None) -> str:
    """The place of an issue's or pull's questions; empty if it can have none."""
    if change is not None and change.clarifications:
        return change_place(change.id)
    dialogue = dialogue_of(state, issue)
    if dialogue is not None:
        return dialogue.place
    pull = PullNumber(int(issue))
    paths = (run.path for run in state.spec_runs.values() if run.issue == issue)
    return next(paths, pull_place(pull) if pull in state.pull_digests else "")


def _why_closed(
    state: RepositoryState, issue: IssueNumber, change: ChangeFacts | None, place: str
) -> str:
    """Why nothing can be answered at a place now; empty if it can."""
    if not place:
        return replies.wrong_place(ROWS[Verb.ANSWER])
    if change is not None and change.clarifications:
        return "" if change.state is ChangeState.ASKING else nothing_waited_for(change)
    dialogue = dialogue_of(state, issue)
    if dialogue is None or (dialogue.is_open and dialogue.asked.questions):
        return ""
    return dialogue_text.nothing_asked(dialogue.pull)


def _answers_in(
    command: Command, asked: Sequence[int]
) -> tuple[tuple[NumberedAnswer, ...], tuple[str, ...]]:
    """The answers to known numbers, cut to size, and what is refused of the rest."""
    answers = read_answers(command.argument, frozenset(asked))
    if not answers:
        return (), (replies.answer_needs_number(tuple(asked)),)
    fitting = tuple(
        answer.replace(text=answer.text[:_ANSWER_CHARACTERS_MAX])
        for answer in answers
        if answer.number in asked
    )
    refused = (a.number for a in answers if a.number not in asked)
    return fitting, tuple(replies.no_such_question(number, tuple(asked)) for number in refused)


def _record(
    decision: Decision, place: str, question: Question, answer: NumberedAnswer, comment: Comment
) -> str:
    """Record one answer. Only answers about a spec get a reply; others are seen in the comment."""
    given = Answer(
        text=answer.text,
        author=comment.author,
        given_at=decision.now,
        link=comment.html_url,
        text_hash=question.text_hash,
    )
    decision.emit(QuestionAnswered(place=place, number=question.number, answer=given))
    return replies.question_answered(question, given) if question.topic else ""
