"""The models of one question in their order: asked, judged by the form, written down.

The rule: a transient failure goes on to the next model and then comes back later, nothing else does;
an answer that is not of the form is mended once and never used as it is. Deliberately absent: whose
turn it is to ask, and what an answer is worth.
"""

import hashlib
import time
from datetime import timedelta

from pydantic import BaseModel

from action.report import TokenUse
from bot.core.journal.effects import AskModel
from bot.core.prompts.plan_forms import faults_of
from bot.core.values.price import Price, cache_share, cost, price_of
from bot.core.values.prompt import (
    Asked,
    AskOutcome,
    CallOutcome,
    ModelCall,
    Question,
    Repair,
    Reply,
    ReplyEnding,
)
from bot.ports import Model, Retryable, UserError
from bot.shell.prompt_texts import form_for

_DELAY_FIRST_SECONDS = 2.0
_DELAY_LONGEST_SECONDS = 120.0
# A server that asks for more than this is away; the question fails and a person decides.
_RETRY_AFTER_LONGEST = timedelta(minutes=15)

_SAID_CHARACTERS_MAX = 60_000


def delay_seconds(effect: AskModel, tries: int) -> float:
    """Doubling, and for each question a little different, so that not all come back at once."""
    grown = min(_DELAY_FIRST_SECONDS * 2**tries, _DELAY_LONGEST_SECONDS)
    spread = hashlib.sha256(f"{effect.key} {tries}".encode()).digest()[0] / 255
    return float(grown * (0.75 + spread / 2))


class ModelFallback:
    """The models of one question, asked in turn; every call is written down."""

    def __init__(self, model: Model, effect: AskModel, prices: dict[str, Price]) -> None:
        self._model = model
        self._effect = effect
        self._prices = prices
        self._form: type[BaseModel] = form_for(effect.about)
        self._calls: list[ModelCall] = []

    def ask(self, question: Question, tries: int) -> Asked:
        """The first good answer; busy where every model had trouble that passes."""
        longest = timedelta()
        sentence = ""
        for name in self._effect.models:
            try:
                return self._ask_one(name, question)
            except Retryable as failure:
                longest = max(longest, failure.after or timedelta())
                sentence = failure.sentence
            except UserError as failure:
                return self._ended(AskOutcome.FAILED, failure.sentence)
        if longest > _RETRY_AFTER_LONGEST:
            return self._ended(AskOutcome.FAILED, sentence)
        after = max(delay_seconds(self._effect, tries), longest.total_seconds())
        busy = self._ended(AskOutcome.BUSY, sentence)
        return busy.model_copy(update={"after_seconds": after})

    def _ask_one(self, name: str, question: Question) -> Asked:
        """One answer of one model, repaired once where it is not of the form."""
        reply = self._call(name, question)
        faults = self._faults(reply)
        if faults and reply.ending is not ReplyEnding.REFUSED:
            said = reply.text[:_SAID_CHARACTERS_MAX]
            repair = Repair(said=said, errors=faults)
            reply = self._call(name, question.model_copy(update={"repair": repair}))
            faults = self._faults(reply)
        if reply.ending is ReplyEnding.REFUSED:
            return self._ended(AskOutcome.FAILED, f"{name} refused to answer.")
        if faults:
            why = "; ".join(faults)[:400]
            return self._ended(
                AskOutcome.FAILED, f"{name} gave no answer of the form, twice: {why}"
            )
        return Asked(outcome=AskOutcome.ANSWERED, calls=tuple(self._calls), answer=reply.text)

    def _faults(self, reply: Reply) -> tuple[str, ...]:
        if reply.ending is ReplyEnding.TRUNCATED:
            return ("answer: it was cut off at the limit of its length; be shorter",)
        return faults_of(self._form, reply.text)

    def _call(self, name: str, question: Question) -> Reply:
        began = time.monotonic()
        try:
            reply = self._model.ask(name, question)
        except (Retryable, UserError) as failure:
            is_busy = isinstance(failure, Retryable)
            outcome = CallOutcome.BUSY if is_busy else CallOutcome.FAILED
            self._note(name, outcome, time.monotonic() - began, None, failure.sentence)
            raise
        self._note(name, self._outcome(reply), time.monotonic() - began, reply, "")
        return reply

    def _outcome(self, reply: Reply) -> CallOutcome:
        if reply.ending is ReplyEnding.REFUSED:
            return CallOutcome.REFUSED
        return CallOutcome.INVALID if self._faults(reply) else CallOutcome.ANSWERED

    def _note(
        self,
        name: str,
        outcome: CallOutcome,
        seconds: float,
        reply: Reply | None,
        sentence: str,
    ) -> None:
        tokens = reply.tokens if reply else TokenUse()
        self._calls.append(
            ModelCall(
                role=self._effect.role,
                model=name,
                outcome=outcome,
                tokens=tokens,
                dollars=cost(tokens, price_of(name, self._prices)),
                cache_share=round(cache_share(tokens), 3),
                seconds=round(seconds, 3),
                request_id=reply.request_id if reply else "",
                sentence=sentence,
            )
        )

    def _ended(self, outcome: AskOutcome, sentence: str) -> Asked:
        return Asked(outcome=outcome, calls=tuple(self._calls), sentence=sentence)
