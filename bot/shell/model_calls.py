"""Asking a model: outside of every lease, paid for once, its reply kept before it is used.

Reconcile rings for open questions and takes replies that lie ready; an asker claims a question, asks
the models of its chain in turn, has one malformed answer repaired, and keeps what came of it. The
rule: a transient failure goes on to the next model and then comes back later, nothing else does; an
answer that is not of the form is never used. Deliberately absent: what an answer is worth.
"""

import hashlib
from datetime import datetime, timedelta

from bot.core.journal.effects import AskModel
from bot.core.journal.events import Event, ModelAnswered, ModelAsked, ModelFailed
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.prompt import Asked, AskOutcome
from bot.core.values.repository import RepositoryFacts
from bot.ports import Asking, Retryable, UserError
from bot.shell.model_fallback import ModelFallback, delay_seconds
from bot.shell.observe import Observer
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports
from bot.shell.prompt_texts import is_wanted, prepared

# How often a question whose whole chain had trouble comes back; with delays that double from two
# seconds, an overload of some four minutes is sat out.
ROUNDS_MAX = 7

# Longer than any asking takes: two models, two answers each, ten minutes each at the very most.
CLAIM = timedelta(minutes=45)
# A nudge that nobody has heard after this long is given again.
_NUDGE_AGAIN = timedelta(seconds=5)


class AskAgain(Retryable):
    """Every model of the chain had trouble that passes. `facts` are the calls that were made."""

    def __init__(self, sentence: str, after: timedelta, facts: tuple[Event, ...]) -> None:
        super().__init__(sentence, after)
        self.facts = facts


# Reconcile's side, under the lease


def asking_of(repository: RepositoryId, state: RepositoryState, effect: AskModel) -> Asking:
    """The asking that an open question is at; another after each delay."""
    delay = state.delays.get(effect.key)
    text = f"{effect.model_dump_json()} {delay.tries if delay else 0}"
    return Asking(repository=repository, id=hashlib.sha256(text.encode()).hexdigest()[:40])


def _open(state: RepositoryState) -> dict[EffectKey, AskModel]:
    return {k: e for k, e in state.open_effects.items() if isinstance(e, AskModel)}


def without_reply(ports: Ports, state: RepositoryState) -> frozenset[EffectKey]:
    """The open questions that no reply lies ready for."""
    questions = _open(state)
    if not questions or state.facts is None:
        return frozenset()
    repository = state.facts.id
    kept = ports.prompt_store.kept(repository)
    return frozenset(
        k for k, e in questions.items() if asking_of(repository, state, e).id not in kept
    )


def nudge(ports: Ports, state: RepositoryState) -> datetime | None:
    """Ring for every question that nobody is asking; when to look again, None where none is open."""
    if state.facts is None:
        return None
    repository, now = state.facts.id, ports.clock.now()
    questions = _open(state)
    if state.model_calls:
        _forget_taken(ports, state, repository, questions)
    claims = ports.prompt_store.claims(repository) if questions else {}
    again: list[datetime] = []
    for key in without_reply(ports, state):
        delay = state.delays.get(key)
        if delay is not None and delay.until > now:
            continue
        claimed = claims.get(asking_of(repository, state, questions[key]).id)
        if claimed is not None and claimed > now:
            again.append(claimed)
            continue
        ports.doorbell.ring_prompt(repository, key)
        again.append(now + _NUDGE_AGAIN)
    return min(again, default=None)


def _forget_taken(
    ports: Ports,
    state: RepositoryState,
    repository: RepositoryId,
    questions: dict[EffectKey, AskModel],
) -> None:
    """What reconcile has written down need not lie ready any more."""
    waiting = {asking_of(repository, state, e).id for e in questions.values()}
    taken = tuple(id_ for id_ in ports.prompt_store.kept(repository) if id_ not in waiting)
    if taken:
        ports.prompt_store.forget(repository, taken)


def take_reply(task: Task[AskModel]) -> tuple[Event, ...]:
    """What a kept reply means as events. Raises `AskAgain` where it is to be asked later."""
    state, effect = task.state, task.effect
    asking = asking_of(task.facts.id, state, effect)
    asked = task.ports.prompt_store.kept(task.facts.id)[asking.id]
    place, question = effect.about.place, effect.question
    calls = tuple(ModelAsked(place=place, question=question, call=c) for c in asked.calls)
    delay = state.delays.get(effect.key)
    tries = delay.tries if delay else 0
    match asked.outcome:
        case AskOutcome.ANSWERED:
            return (*calls, ModelAnswered(place=place, question=question, answer=asked.answer))
        case AskOutcome.BUSY if tries + 1 < ROUNDS_MAX and is_wanted(state, effect.about):
            raise AskAgain(asked.sentence, timedelta(seconds=asked.after_seconds), calls)
        case _ if is_wanted(state, effect.about):
            failed = ModelFailed(place=place, question=question, sentence=asked.sentence)
            return (*calls, failed)
        case _:
            return calls


# The asker's side, without a lease


def ask(ports: Ports, observer: Observer, repository: RepositoryId, key: EffectKey) -> None:
    """Ask one open question, unless somebody does; keep what came of it and ring."""
    state = ports.journal.load(repository)
    effect = state.open_effects.get(key)
    if not isinstance(effect, AskModel) or state.facts is None or state.unreadable is not None:
        return
    now = ports.clock.now()
    delay = state.delays.get(key)
    if delay is not None and delay.until > now:
        return
    asking = asking_of(repository, state, effect)
    if not ports.prompt_store.claim(asking, ports.holder, now + CLAIM, now):
        return
    asked = _asked(ports, observer, state, effect, delay.tries if delay else 0)
    ports.prompt_store.keep(asking, asked)
    ports.journal.put_hints(repository, (Hint(kind=HintKind.AGAIN),))
    ports.doorbell.ring_repository(repository)


def _asked(
    ports: Ports,
    observer: Observer,
    state: RepositoryState,
    effect: AskModel,
    tries: int,
) -> Asked:
    facts: RepositoryFacts | None = state.facts
    if ports.model is None or facts is None:
        sentence = "This server has no key for a model (ANTHROPIC_API_KEY)."
        return Asked(outcome=AskOutcome.FAILED, calls=(), sentence=sentence)
    try:
        question = prepared(ports, facts, state, effect)
    except Retryable as failure:
        after = failure.after.total_seconds() if failure.after else delay_seconds(effect, tries)
        sentence = failure.sentence
        return Asked(outcome=AskOutcome.BUSY, calls=(), sentence=sentence, after_seconds=after)
    except UserError as failure:
        return Asked(outcome=AskOutcome.FAILED, calls=(), sentence=failure.sentence)
    prices = {}
    if state.main is not None:
        prices = observer.policy_at(facts, state, state.main).file.prices
    return ModelFallback(ports.model, effect, prices).ask(question, tries)
