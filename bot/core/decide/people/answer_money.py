"""Answers to the question whether a spec run may go on beyond its budget."""

import re

from bot.core.decide.decision import Decision
from bot.core.journal.events import BudgetRaised, QuestionAnswered
from bot.core.journal.state import SpecRun, asked_at
from bot.core.talk import money_text
from bot.core.values.question import Answer, Question, money_place

_AMOUNT = re.compile(r"(?:yes,? ?)?\$? ?([0-9]{1,5}(?:\.[0-9]{1,2})?) ?(?:\$|usd|dollars?)?")
_YES = frozenset({"yes", "y", "ok", "go on"})
_NO = frozenset({"no", "n", "stop"})


def answer_money(decision: Decision, run: SpecRun, question: Question, given: Answer) -> str:
    """Record the answer; what is refused of it."""
    place = money_place(run.id)
    before = asked_at(decision.state, place).answers.get(question.number)
    if before is not None and before.text != money_text.NO:
        return money_text.answered_before(question.number)
    said = " ".join(given.text.split()).lower().rstrip(".!")
    amount = _AMOUNT.fullmatch(said)
    cents = question.cents if said in _YES else round(float(amount[1]) * 100) if amount else 0
    if not cents and said not in _NO:
        return money_text.not_understood(question.number)
    text = money_text.yes(cents / 100) if cents else money_text.NO
    decision.emit(
        QuestionAnswered(place=place, number=question.number, answer=given.replace(text=text))
    )
    if cents:
        decision.emit(BudgetRaised(spec_run=run.id, cents=cents, raised_by=given.author))
    return ""
