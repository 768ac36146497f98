"""What events of answers that people read mean for the state.

The rule: an answer waits here, with what it is about, until it is weighed; what was kept belongs to
a text and outlives the pull or run that had it read. Deliberately absent: weighing.
"""

from bot.core.journal import events as ev
from bot.core.journal.effects import AskModel
from bot.core.journal.model_advice_state import ModelAdvice, Said
from bot.core.journal.state import RepositoryState, pull_place
from bot.core.prompts import summary_prompt
from bot.core.prompts.digest_prompt import PLACE, DigestPromptInput, text_key
from bot.core.values.ids import EffectKey, PullNumber
from bot.core.values.spent import with_call

# What was noticed of texts that nobody has written for so long is read again if it comes back.
_TEXTS_MAX = 5_000

_Heard = DigestPromptInput | summary_prompt.SummaryPromptInput


def evolve_model_advice(state: RepositoryState, event: ev.Event) -> RepositoryState:
    """The state after an event of such an answer; the same state after any other."""
    match event:
        case ev.ModelAsked() if _is_ours(event.place):
            advice = state.model_advice.get(event.place, ModelAdvice())
            return _with_advice(state, event.place, use=with_call(advice.use, event.call))
        case ev.ModelAnswered() if _is_ours(event.place):
            return _with_answer(state, event)
        case ev.ModelFailed() if _is_ours(event.place):
            failures = state.model_advice.get(event.place, ModelAdvice()).failures
            failed = {**failures, event.question: event.sentence}
            return _with_news(_with_advice(state, event.place, failures=failed), event.place)
        case ev.RequirementsRead():
            return _with_news(_with_reading(state, event), event.place)
        case ev.SummaryWritten() | ev.SummaryRefused():
            answers = state.model_advice.get(event.place, ModelAdvice()).answers
            left_open = {q: said for q, said in answers.items() if q != event.question}
            return _with_advice(state, event.place, answers=left_open)
        case ev.SpecPullForgotten():
            gone = f"{PLACE}{pull_place(event.pull)}"
            left = {place: v for place, v in state.model_advice.items() if place != gone}
            return state.model_copy(update={"model_advice": left})
        case _:
            return state


def _is_ours(place: str) -> bool:
    return place.startswith((PLACE, summary_prompt.PLACE))


def _with_advice(state: RepositoryState, place: str, /, **update: object) -> RepositoryState:
    advice = state.model_advice.get(place, ModelAdvice()).model_copy(update=update)
    others = {known: other for known, other in state.model_advice.items() if known != place}
    is_pulls = place.startswith(f"{PLACE}pull:")
    is_over = is_pulls and not (advice.answers or advice.failures or _pull_of(state, place))
    if is_over:
        # Its pull is gone: what came late was paid for, and nobody is told of it.
        return state.model_copy(update={"model_advice": others})
    return state.model_copy(update={"model_advice": {**others, place: advice}})


def _pull_of(state: RepositoryState, place: str) -> PullNumber | None:
    """The pull that is told at a place, while it is known."""
    return next((n for n in state.pull_digests if place == f"{PLACE}{pull_place(n)}"), None)


def _with_answer(state: RepositoryState, event: ev.ModelAnswered) -> RepositoryState:
    effect = state.open_effects.get(EffectKey(f"ask:{event.place}:{event.question}"))
    if not isinstance(effect, AskModel) or not isinstance(effect.about, _Heard):
        return state
    advice = state.model_advice.get(event.place, ModelAdvice())
    said = Said(about=effect.about, answer=event.answer)
    return _with_advice(state, event.place, answers={**advice.answers, event.question: said})


def _with_reading(state: RepositoryState, event: ev.RequirementsRead) -> RepositoryState:
    advice = state.model_advice.get(event.place, ModelAdvice())
    read = {text_key(event.path, text): seen for text, seen in event.noticed.items()}
    kept = {key: seen for key, seen in state.noticed.items() if key not in read}
    newest = dict([*kept.items(), *read.items()][-_TEXTS_MAX:])
    return _with_advice(
        state.model_copy(update={"noticed": newest}),
        event.place,
        answers={q: said for q, said in advice.answers.items() if q != event.question},
        dropped=advice.dropped + event.dropped,
    )


def _with_news(state: RepositoryState, place: str) -> RepositoryState:
    """Whoever is told at this place may be told something else now."""
    number = _pull_of(state, place)
    if number is None:
        return state
    stale = state.pull_digests[number].model_copy(update={"is_stale": True})
    return state.model_copy(update={"pull_digests": {**state.pull_digests, number: stale}})
