"""Questions to people as Markdown, with their answers: one form, whoever asks.

No boxes: a tick answers nothing, and beside the steps of a change it would look as if it did.
"""

from bot.core.talk.text import cell, inert, login, places
from bot.core.values.question import Answer, Question
from bot.core.values.repository import Role


def question_lines(
    question: Question, answer: Answer | None, *, where: str = "", without: str = ""
) -> list[str]:
    """An entry of a list; `where` links to a line, `without` says what happens without an answer."""
    place = f"{where} " if where else ""
    text = f" (text: “{cell(question.quote[:200])}”)" if question.quote else ""
    head = (
        f"- **{question.number}.** {place}{inert(question.sentence)}{places(question.lines)}{text}"
    )
    if answer is not None:
        source = f" ([comment]({answer.link}))" if answer.link else ""
        return [head, f"  - Answered by {login(answer.author)}: {cell(answer.text)}{source}"]
    why = f" <sub>{inert(question.why, 300)}</sub>" if question.why else ""
    choices = "; ".join(inert(choice, 120) for choice in question.choices)
    return [
        f"{head}{why}",
        *([f"  - Possible answers: {choices}"] if choices else []),
        f"  - {without or 'Not answered yet.'}",
    ]


def how_to_answer(number: int, role: Role | str = Role.WRITE, text: str = "…") -> str:
    """What to write for an answer, with one of the numbers as the example."""
    return (
        f"To answer, comment `/headgate answer {number} {text}`, or write a numbered list of answers "
        f"below one line `/headgate answer`. You need the role {role}."
    )
