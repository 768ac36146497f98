"""Sends one prompt to its models in order until one gives a valid reply; every call is recorded.

A busy model passes the prompt to the next one, and any other failure ends the attempt. A reply that
does not fit the form is repaired once.
"""

import hashlib
import time
from datetime import timedelta

from pydantic import BaseModel

from action.order import Price
from action.report import TokenUse
from bot.core.journal.effects import AskModel
from bot.core.prompts.plan_forms import faults_of
from bot.core.values.price import cache_share, cost, price_of
from bot.core.values.prompt import (
    CallOutcome,
    ModelCall,
    Prompt,
    PromptOutcome,
    PromptResult,
    Repair,
    Reply,
    ReplyEnding,
)
from bot.ports import Model, Retryable, UserError
from bot.shell.prompt_texts import form_for

_DELAY_FIRST_SECONDS = 2.0
_DELAY_LONGEST_SECONDS = 120.0
# A provider that asks for a longer wait is down: the prompt fails and a person decides.
_RETRY_AFTER_LONGEST = timedelta(minutes=15)

_REPAIR_CHARACTERS_MAX = 60_000


def delay_seconds(effect: AskModel, tries: int) -> float:
    """Doubles with each try; ± 25 % by the prompt, so that not all come back at once."""
    grown = min(_DELAY_FIRST_SECONDS * 2**tries, _DELAY_LONGEST_SECONDS)
    spread = hashlib.sha256(f"{effect.key} {tries}".encode()).digest()[0] / 255
    return float(grown * (0.75 + spread / 2))


class ModelFallback:
    """One attempt at one prompt; make a new instance for each."""

    def __init__(self, model: Model, effect: AskModel, prices: dict[str, Price]) -> None:
        self._model = model
        self._effect = effect
        self._prices = prices
        self._form: type[BaseModel] = form_for(effect.about)
        self._calls: list[ModelCall] = []

    def ask(self, prompt: Prompt, tries: int) -> PromptResult:
        """The first valid reply; BUSY where every model was busy."""
        longest = timedelta()
        sentence = ""
        for name in self._effect.models:
            try:
                return self._ask_one(name, prompt)
            except Retryable as failure:
                longest = max(longest, failure.after or timedelta())
                sentence = failure.sentence
            except UserError as failure:
                return self._ended(PromptOutcome.FAILED, failure.sentence)
        if longest > _RETRY_AFTER_LONGEST:
            return self._ended(PromptOutcome.FAILED, sentence)
        after = max(delay_seconds(self._effect, tries), longest.total_seconds())
        busy = self._ended(PromptOutcome.BUSY, sentence)
        return busy.replace(after_seconds=after)

    def _ask_one(self, name: str, prompt: Prompt) -> PromptResult:
        reply = self._call(name, prompt)
        faults = self._faults(reply)
        if faults and reply.ending is not ReplyEnding.REFUSED:
            invalid = reply.text[:_REPAIR_CHARACTERS_MAX]
            repair = Repair(reply=invalid, errors=faults)
            reply = self._call(name, prompt.replace(repair=repair))
            faults = self._faults(reply)
        if reply.ending is ReplyEnding.REFUSED:
            return self._ended(PromptOutcome.FAILED, f"{name} refused to answer.")
        if faults:
            why = "; ".join(faults)[:400]
            return self._ended(
                PromptOutcome.FAILED,
                f"{name} twice gave an answer without the required format: {why}",
            )
        return PromptResult(
            outcome=PromptOutcome.ANSWERED, calls=tuple(self._calls), answer=reply.text
        )

    def _faults(self, reply: Reply) -> tuple[str, ...]:
        if reply.ending is ReplyEnding.TRUNCATED:
            return ("answer: it was cut off at the limit of its length; be shorter",)
        return faults_of(self._form, reply.text)

    def _call(self, name: str, prompt: Prompt) -> Reply:
        began = time.monotonic()
        try:
            reply = self._model.ask(name, prompt)
        except (Retryable, UserError) as failure:
            is_busy = isinstance(failure, Retryable)
            outcome = CallOutcome.BUSY if is_busy else CallOutcome.FAILED
            self._record(name, outcome, time.monotonic() - began, None, failure.sentence)
            raise
        self._record(name, self._outcome(reply), time.monotonic() - began, reply, "")
        return reply

    def _outcome(self, reply: Reply) -> CallOutcome:
        if reply.ending is ReplyEnding.REFUSED:
            return CallOutcome.REFUSED
        return CallOutcome.INVALID if self._faults(reply) else CallOutcome.ANSWERED

    def _record(
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

    def _ended(self, outcome: PromptOutcome, sentence: str) -> PromptResult:
        return PromptResult(outcome=outcome, calls=tuple(self._calls), sentence=sentence)
