"""How model advice evolves: answers that people read.

An answer waits here, with what it is about, until it is weighed; what was kept belongs to a text
and outlives the pull or run that had it read.
"""

from bot.core.journal import events as ev
from bot.core.journal.effects import AskModel
from bot.core.journal.fold_table import folds, on
from bot.core.journal.model_advice_state import ModelAdvice, Said
from bot.core.journal.state import RepositoryState, pull_place
from bot.core.prompts import review_prompt, summary_prompt
from bot.core.prompts.digest_prompt import PLACE, DigestPromptInput, text_key
from bot.core.values.ids import ChangeId, EffectKey, PullNumber
from bot.core.values.replacement import replace
from bot.core.values.spent import with_call

# What was noticed of texts that nobody has written for so long is read again if it comes back.
_TEXTS_MAX = 5_000

_Ended = ev.ChangeFailed | ev.ChangeStopped | ev.Landed | ev.MergedByHand
_Heard = DigestPromptInput | summary_prompt.SummaryPromptInput | review_prompt.ReviewPromptInput


def _is_ours(place: str) -> bool:
    return place.startswith((PLACE, summary_prompt.PLACE, review_prompt.PLACE))


def _advice(state: RepositoryState, place: str) -> ModelAdvice:
    return state.model_advice.get(place, ModelAdvice())


def _called(state: RepositoryState, event: ev.ModelAsked) -> RepositoryState:
    if not _is_ours(event.place):
        return state
    advice = _advice(state, event.place)
    return _with_advice(state, event.place, replace(advice, use=with_call(advice.use, event.call)))


def _answered(state: RepositoryState, event: ev.ModelAnswered) -> RepositoryState:
    effect = state.open_effects.get(EffectKey(f"ask:{event.place}:{event.prompt}"))
    if not _is_ours(event.place) or not isinstance(effect, AskModel):
        return state
    if not isinstance(effect.about, _Heard):
        return state
    advice = _advice(state, event.place)
    said = Said(about=effect.about, answer=event.answer)
    answers = {**advice.answers, event.prompt: said}
    return _with_advice(state, event.place, replace(advice, answers=answers))


def _failed(state: RepositoryState, event: ev.ModelFailed) -> RepositoryState:
    if not _is_ours(event.place):
        return state
    advice = _advice(state, event.place)
    failed = replace(advice, failures={**advice.failures, event.prompt: event.sentence})
    return _with_news(_with_advice(state, event.place, failed), event.place)


def _read(state: RepositoryState, event: ev.RequirementsRead) -> RepositoryState:
    advice = _weighed(_advice(state, event.place), event.prompt)
    read = {text_key(event.path, text): seen for text, seen in event.noticed.items()}
    kept = {key: seen for key, seen in state.noticed.items() if key not in read}
    newest = dict([*kept.items(), *read.items()][-_TEXTS_MAX:])
    after = _with_advice(
        replace(state, noticed=newest),
        event.place,
        replace(advice, dropped=advice.dropped + event.dropped),
    )
    return _with_news(after, event.place)


def _summed_up(
    state: RepositoryState, event: ev.SummaryWritten | ev.SummaryRefused
) -> RepositoryState:
    advice = _weighed(_advice(state, event.place), event.prompt)
    return _with_advice(state, event.place, advice)


def _reviewed(state: RepositoryState, event: ev.CandidateReviewed) -> RepositoryState:
    return _without(state, review_prompt.place_of(event.change, event.gate))


def _review_over(state: RepositoryState, event: _Ended) -> RepositoryState:
    ours = f"{review_prompt.PLACE}{event.change}:"
    for place in state.model_advice:
        state = _without(state, place) if place.startswith(ours) else state
    return state


def _without(state: RepositoryState, place: str) -> RepositoryState:
    left = {known: advice for known, advice in state.model_advice.items() if known != place}
    return replace(state, model_advice=left)


def _is_over(state: RepositoryState, place: str) -> bool:
    """Whether the place is a review's whose candidate no longer waits: a late reply is not used."""
    if not place.startswith(review_prompt.PLACE):
        return False
    change = state.changes.get(ChangeId(place.removeprefix(review_prompt.PLACE).rpartition(":")[0]))
    return change is None or change.is_ended


def _weighed(advice: ModelAdvice, prompt: str) -> ModelAdvice:
    """The advice without an answer that has been weighed."""
    left_open = {p: said for p, said in advice.answers.items() if p != prompt}
    return replace(advice, answers=left_open)


def _forgotten(state: RepositoryState, event: ev.SpecPullForgotten) -> RepositoryState:
    return _without(state, f"{PLACE}{pull_place(event.pull)}")


def _with_advice(state: RepositoryState, place: str, advice: ModelAdvice) -> RepositoryState:
    others = {known: other for known, other in state.model_advice.items() if known != place}
    is_pulls = place.startswith(f"{PLACE}pull:")
    is_over = is_pulls and not (advice.answers or advice.failures or _pull_of(state, place))
    if is_over or _is_over(state, place):
        # Its pull is gone: a late reply is paid for and not shown.
        return replace(state, model_advice=others)
    return replace(state, model_advice={**others, place: advice})


def _pull_of(state: RepositoryState, place: str) -> PullNumber | None:
    """The pull that is told at a place, while it is known."""
    return next((n for n in state.pull_digests if place == f"{PLACE}{pull_place(n)}"), None)


def _with_news(state: RepositoryState, place: str) -> RepositoryState:
    """Mark the text at this place as changed, so that it is published again."""
    number = _pull_of(state, place)
    if number is None:
        return state
    stale = replace(state.pull_digests[number], is_stale=True)
    return replace(state, pull_digests={**state.pull_digests, number: stale})


ADVICE_FOLDS = folds(
    on(ev.ModelAsked, _called),
    on(ev.ModelAnswered, _answered),
    on(ev.ModelFailed, _failed),
    on(ev.RequirementsRead, _read),
    on(ev.SummaryWritten, _summed_up),
    on(ev.SummaryRefused, _summed_up),
    on(ev.SpecPullForgotten, _forgotten),
    on(ev.CandidateReviewed, _reviewed),
    on(ev.ChangeFailed, _review_over),
    on(ev.ChangeStopped, _review_over),
    on(ev.Landed, _review_over),
    on(ev.MergedByHand, _review_over),
)
