"""How far the review of a change's candidate by a model is."""

from bot.core.journal.model_advice_state import ModelAdvice
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.prompts.review_prompt import place_of
from gates.graded.rounds import Asking, Reviewed, ReviewLedger, Subject, next_step


def review_step(state: RepositoryState, change: ChangeFacts, subject: Subject) -> Asking | Reviewed:
    """What is to be asked by all that is known, or the end."""
    last = change.reviews.get(subject.gate)
    advice = state.model_advice.get(place_of(change.id, subject.gate), ModelAdvice())
    answers = {id_: said.answer for id_, said in advice.answers.items()}
    ledger = last.ledger if last is not None else ReviewLedger()
    return next_step(subject, ledger, answers, advice.failures)
