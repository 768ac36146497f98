"""Asks models outside of every lease, and turns kept replies into events under the lease.

`reconcile` rings for open prompts and takes replies; a worker without a lease claims a prompt, sends
it and keeps the result before anything uses it, so that no answer is paid for twice.
"""

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.core.journal.effects import AskModel
from bot.core.journal.events import Event, ModelAnswered, ModelAsked, ModelFailed
from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import EffectKey, RepositoryId
from bot.core.values.prompt import PromptOutcome, PromptResult
from bot.core.values.repository import RepositoryFacts
from bot.ports import PromptAttempt, Retryable, UserError
from bot.shell.model_fallback import ModelFallback, delay_seconds
from bot.shell.observe import Observer
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports
from bot.shell.prompt_texts import is_wanted, prepare
from bot.shell.spec_texts import Unread

# Attempts while every model is busy; with delays that double from two seconds they cover an
# overload of about four minutes.
ROUNDS_MAX = 7

# Longer than any attempt takes: two models, two replies each, at most ten minutes each.
CLAIM = timedelta(minutes=45)
# A prompt that no worker has claimed after this long is rung for again.
_RING_AGAIN = timedelta(seconds=5)


class PromptDelayed(Retryable):
    """Every model was busy. `facts` are the calls that were made."""

    def __init__(self, sentence: str, after: timedelta, facts: tuple[Event, ...]) -> None:
        super().__init__(sentence, after)
        self.facts = facts


# Reconcile's side, under the lease


def attempt_of(repository: RepositoryId, state: RepositoryState, effect: AskModel) -> PromptAttempt:
    delay = state.delays.get(effect.key)
    # An attempt that began while the field was called `question` is found again by its id.
    said = effect.model_dump_json().replace('"prompt"', '"question"', 1)
    text = f"{said} {delay.tries if delay else 0}"
    return PromptAttempt(repository=repository, id=hashlib.sha256(text.encode()).hexdigest()[:40])


def _open_prompts(state: RepositoryState) -> dict[EffectKey, AskModel]:
    return {k: e for k, e in state.open_effects.items() if isinstance(e, AskModel)}


def without_reply(ports: Ports, state: RepositoryState) -> frozenset[EffectKey]:
    prompts = _open_prompts(state)
    if not prompts or state.facts is None:
        return frozenset()
    repository = state.facts.id
    kept = ports.prompt_store.kept(repository)
    return frozenset(
        k for k, e in prompts.items() if attempt_of(repository, state, e).id not in kept
    )


def ring_for_open(ports: Ports, state: RepositoryState) -> datetime | None:
    """Ring for every unclaimed prompt; returns when to look again, None where no prompt is open."""
    if state.facts is None:
        return None
    repository, now = state.facts.id, ports.clock.now()
    prompts = _open_prompts(state)
    if state.model_calls:
        _forget_recorded(ports, state, repository, prompts)
    claims = ports.prompt_store.claims(repository) if prompts else {}
    again: list[datetime] = []
    for key in without_reply(ports, state):
        delay = state.delays.get(key)
        if delay is not None and not delay.is_over(now):
            continue
        claimed = claims.get(attempt_of(repository, state, prompts[key]).id)
        if claimed is not None and now < claimed <= now + 2 * CLAIM:
            again.append(claimed)
            continue
        ports.doorbell.ring_prompt(repository, key)
        again.append(now + _RING_AGAIN)
    return min(again, default=None)


def _forget_recorded(
    ports: Ports,
    state: RepositoryState,
    repository: RepositoryId,
    prompts: dict[EffectKey, AskModel],
) -> None:
    waiting = {attempt_of(repository, state, e).id for e in prompts.values()}
    taken = tuple(id_ for id_ in ports.prompt_store.kept(repository) if id_ not in waiting)
    if taken:
        ports.prompt_store.forget(repository, taken)


def take_reply(task: Task[AskModel]) -> tuple[Event, ...]:
    """The events of a kept result. Raises `PromptDelayed` where the prompt must be sent later."""
    state, effect = task.state, task.effect
    attempt = attempt_of(task.facts.id, state, effect)
    result = task.ports.prompt_store.kept(task.facts.id)[attempt.id]
    place, prompt_id = effect.about.place, effect.prompt
    calls = tuple(ModelAsked(place=place, prompt=prompt_id, call=c) for c in result.calls)
    delay = state.delays.get(effect.key)
    tries = delay.tries if delay else 0
    match result.outcome:
        case PromptOutcome.ANSWERED:
            return (*calls, ModelAnswered(place=place, prompt=prompt_id, answer=result.answer))
        case PromptOutcome.BUSY if tries + 1 < ROUNDS_MAX and is_wanted(state, effect.about):
            raise PromptDelayed(result.sentence, timedelta(seconds=result.after_seconds), calls)
        case _ if is_wanted(state, effect.about):
            failed = ModelFailed(place=place, prompt=prompt_id, sentence=result.sentence)
            return (*calls, failed)
        case _:
            return calls


# The worker's side, without a lease


def ask(ports: Ports, observer: Observer, repository: RepositoryId, key: EffectKey) -> None:
    """Claim and send one open prompt, keep its result and ring for the repository."""
    state = ports.journal.load(repository)
    effect = state.open_effects.get(key)
    if not isinstance(effect, AskModel) or state.facts is None or state.unreadable is not None:
        return
    now = ports.clock.now()
    delay = state.delays.get(key)
    if delay is not None and not delay.is_over(now):
        return
    tries = delay.tries if delay else 0
    try:
        send = _prepared(ports, observer, state, effect, tries)
    except Unread:
        # No attempt: whoever reads the text rings for the repository, and that for the prompt. A claim
        # would outlive that ring.
        return
    attempt = attempt_of(repository, state, effect)
    if not ports.prompt_store.claim(attempt, ports.holder, now + CLAIM, now):
        return
    ports.prompt_store.keep(attempt, send())
    ports.journal.put_hints(repository, (Hint(kind=HintKind.AGAIN),))
    ports.doorbell.ring_repository(repository)


def _prepared(
    ports: Ports,
    observer: Observer,
    state: RepositoryState,
    effect: AskModel,
    tries: int,
) -> Callable[[], PromptResult]:
    """How the prompt is sent, or what became of it before. Raises `Unread`."""
    facts: RepositoryFacts | None = state.facts
    model = ports.model
    if model is None or facts is None:
        return _ended("This server has no key for a model (ANTHROPIC_API_KEY).")
    try:
        prompt = prepare(ports, facts, state, effect)
    except Unread:
        raise
    except Retryable as failure:
        after = failure.after.total_seconds() if failure.after else delay_seconds(effect, tries)
        return _ended(failure.sentence, PromptOutcome.BUSY, after)
    except UserError as failure:
        return _ended(failure.sentence)
    prices = {}
    if state.main is not None:
        prices = observer.policy_at(facts, state, state.main).file.prices
    return lambda: ModelFallback(model, effect, prices).ask(prompt, tries)


def _ended(
    sentence: str, outcome: PromptOutcome = PromptOutcome.FAILED, after_seconds: float = 0
) -> Callable[[], PromptResult]:
    result = PromptResult(outcome=outcome, calls=(), sentence=sentence, after_seconds=after_seconds)
    return lambda: result
