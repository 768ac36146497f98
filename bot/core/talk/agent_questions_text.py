"""The comment with an agent's questions, and the lines about them in the report."""

from bot.core.journal.state import ChangeFacts
from bot.core.spec.policy import Policy
from bot.core.state.waiting import answers_by, is_waited_for
from bot.core.talk.links import issue_link
from bot.core.talk.question_text import how_to_answer, question_lines
from bot.core.talk.text import cell, inert, login, moment
from bot.core.values.clarification import Clarification, WaitingEnd
from bot.core.values.question import Question


def nothing_waited_for(change: ChangeFacts) -> str:
    """The reply to an answer that came too late, or that no agent asked for."""
    why = "the change was stopped." if change.is_ended else "it has already continued."
    return (
        f"The agent of `{change.slug}` does not wait for an answer: {why} To give it other "
        "instructions, edit the spec."
    )


def questions_text(policy: Policy, change: ChangeFacts, asked: Clarification) -> str:
    """The whole comment: each question with its answer or assumption, and what happens next."""
    count = len(asked.asked.questions)
    lines = [
        f"**The agent of this change asks {'a question' if count == 1 else f'{count} questions'}.** "
        "Its work so far is kept, and no runner is occupied.",
        "",
        *(line for q in asked.asked.questions for line in _drawn(change, asked, q)),
        "",
        _what_now(policy, change, asked),
    ]
    return "\n".join(lines)


def _drawn(change: ChangeFacts, asked: Clarification, question: Question) -> list[str]:
    assumed = inert(question.assumption)
    without = f"**No answer, so it assumes:** {assumed}"
    if is_waited_for(change, asked):
        without = f"Without an answer, it assumes: {assumed}"
    return question_lines(question, asked.asked.answers.get(question.number), without=without)


def _what_now(policy: Policy, change: ChangeFacts, asked: Clarification) -> str:
    match asked.ended:
        case WaitingEnd.ANSWERED:
            return "All questions are answered. The agent continues."
        case WaitingEnd.TIME_IS_UP:
            return "The time for answers has ended. The agent continues."
        case WaitingEnd.NOBODY_IS_ASKED:
            return "The policy no longer lets agents ask (`clarify: off`). The agent continues."
        case WaitingEnd.BY_A_PERSON:
            return f"{login(asked.ended_by)} told the agent to continue without more answers."
        case None:
            if is_waited_for(change, asked):
                return _how_to_answer(policy, asked)
            how = "has ended" if change.is_ended else "was started again"
            return f"The change {how}, so Headgate no longer waits for answers."


def _how_to_answer(policy: Policy, asked: Clarification) -> str:
    until = moment(answers_by(policy, asked))
    number = (*asked.asked.unanswered, *asked.asked.questions)[0].number
    return (
        f"{how_to_answer(number)} The agent continues when every question is answered. At {until} it continues with its assumptions for the open "
        "questions. `/headgate retry` makes it continue now; `/headgate stop` stops the change. "
        "All other changes continue."
    )


def clarified_lines(changes: tuple[ChangeFacts, ...]) -> list[str]:
    """The report's lines on what agents asked and who answered; empty if no agent asked."""
    asked = [(c, one, q) for c in changes for one in c.clarifications for q in one.asked.questions]
    if not asked:
        return []
    lines = [f"- Questions from agents: {len(asked)}"]
    for change, one, question in asked:
        given = one.asked.answers.get(question.number)
        outcome = f"{login(given.author)} answered: {cell(given.text, 200)}" if given else ""
        if not outcome:
            outcome = f"**no answer, so it assumed:** {inert(question.assumption, 200)}"
        name = f"{issue_link(change)} `{change.slug}`"
        lines.append(f"  - {name}, {question.number}. {inert(question.sentence, 200)} – {outcome}")
    return lines
