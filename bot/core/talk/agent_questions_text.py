"""The comment in which an agent's questions are asked, and their place in the report."""

from bot.core.journal.state import ChangeFacts
from bot.core.spec.policy import Policy
from bot.core.state.waiting import answers_by, is_waited_for
from bot.core.talk.links import issue_link
from bot.core.talk.text import cell, inert, login
from bot.core.values.clarification import Clarification, WaitingEnd
from bot.core.values.question import Question


def nothing_waited_for(change: ChangeFacts) -> str:
    """An answer that comes too late, or to nothing."""
    return (
        f"The agent of `{change.slug}` waits for no answer"
        + (": the change was stopped." if change.is_ended else "; it has gone on.")
        + " To have it begin anew with other words, edit the spec."
    )


def questions_text(policy: Policy, change: ChangeFacts, asked: Clarification) -> str:
    """The whole comment: who may answer and how, every question, and what has come of each."""
    count = len(asked.asked.questions)
    lines = [
        f"**The agent of this change asks {'a question' if count == 1 else f'{count} questions'}.** "
        "What it has done so far is kept, and no runner waits.",
        "",
        *(line for q in asked.asked.questions for line in (*_question(change, asked, q), "")),
        _what_now(policy, change, asked),
    ]
    return "\n".join(lines)


def _question(change: ChangeFacts, asked: Clarification, question: Question) -> list[str]:
    lines = [f"**{question.number}.** {inert(question.sentence)}"]
    lines += [f"- Why it matters: {inert(question.why)}"] if question.why else []
    if question.choices:
        lines.append(f"- Choices: {' · '.join(inert(choice) for choice in question.choices)}")
    given = asked.asked.answers.get(question.number)
    if given is not None:
        lines.append(f"- **Answered by {login(given.author)}:** {cell(given.text)}")
    elif is_waited_for(change, asked):
        lines.append(f"- Without an answer it assumes: {inert(question.assumption)}")
    else:
        lines.append(f"- **Not answered, so it assumes:** {inert(question.assumption)}")
    return lines


def _what_now(policy: Policy, change: ChangeFacts, asked: Clarification) -> str:
    match asked.ended:
        case WaitingEnd.ANSWERED:
            return "Everything is answered, and the agent goes on."
        case WaitingEnd.TIME_IS_UP:
            return "The time for answers is up, and the agent goes on."
        case WaitingEnd.NOBODY_IS_ASKED:
            return "The policy has agents ask nobody any more (`clarify: off`), so it goes on."
        case WaitingEnd.BY_A_PERSON:
            return f"{login(asked.ended_by)} let the agent go on without more answers."
        case None:
            if is_waited_for(change, asked):
                return _how_to_answer(policy, asked)
            how = "has ended" if change.is_ended else "was begun again"
            return f"The change {how}, so no answer is waited for any more."


def _how_to_answer(policy: Policy, asked: Clarification) -> str:
    until = f"{answers_by(policy, asked):%Y-%m-%d %H:%M} UTC"
    number = (*asked.asked.unanswered, *asked.asked.questions)[0].number
    return (
        f"Whoever has the role write here may answer: `/headgate answer {number} …`, several as a "
        "numbered list below one line `/headgate answer`. When all are answered the agent goes on "
        f"at once; what is open at {until} it assumes. `/headgate retry` lets it go on without "
        "more answers, `/headgate stop` stops the change. Everything else goes on meanwhile."
    )


def clarified_lines(changes: tuple[ChangeFacts, ...]) -> list[str]:
    """What agents asked in a spec run and who answered, for its report; empty where none did."""
    asked = [(c, one, q) for c in changes for one in c.clarifications for q in one.asked.questions]
    if not asked:
        return []
    lines = [f"- Questions of agents: {len(asked)}"]
    for change, one, question in asked:
        given = one.asked.answers.get(question.number)
        came = f"{login(given.author)} answered: {cell(given.text, 200)}" if given else ""
        if not came:
            came = f"**nobody answered; it assumed:** {inert(question.assumption, 200)}"
        name = f"{issue_link(change)} `{change.slug}`"
        lines.append(f"  - {name}, {question.number}. {inert(question.sentence, 200)} – {came}")
    return lines
