"""A question to people as Markdown, with its answer, or with what is assumed until there is one."""

from bot.core.talk.text import cell, inert, login
from bot.core.values.question import Answer, Question


def question_lines(question: Question, answer: Answer | None, without: str = "") -> list[str]:
    """An entry of a list; `without` says what happens while nobody has answered."""
    head = f"**{question.number}.** {inert(question.sentence)}"
    if answer is not None:
        source = f" ([comment]({answer.link}))" if answer.link else ""
        given = f"  - Answered by {login(answer.author)}: {cell(answer.text)}{source}"
        return [f"- [x] {head}", given]
    why = f" <sub>{inert(question.why, 300)}</sub>" if question.why else ""
    choices = "; ".join(inert(choice, 120) for choice in question.choices)
    return [
        f"- [ ] {head}{why}",
        *([f"  - Possible answers: {choices}"] if choices else []),
        *([f"  - {without}"] if without else []),
    ]
