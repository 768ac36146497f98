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
from bot.core.values.replacement import less, newest, replace, without
from bot.core.values.spent import with_call

# What was noticed of texts that nobody has written for so long is read again if it comes back.
_TEXTS_MAX = 5_000

# The places where pulls that touch specs are told what a model noticed; the number follows.
_OF_PULL = f"{PLACE}{pull_place(PullNumber(0))[:-1]}"

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
    noticed = {**without(state.noticed, *read), **read}
    after = _with_advice(
        replace(state, noticed=newest(noticed, _TEXTS_MAX)),
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
    for place in state.review_places.get(event.change, ()):
        state = _without(state, place)
    return state


def _without(state: RepositoryState, place: str) -> RepositoryState:
    without_it = replace(state, model_advice=without(state.model_advice, place))
    change = _change_of(place)
    left = less(state.review_places.get(change, ()), place) if change is not None else ()
    if change is None or change not in state.review_places:
        return without_it
    others = without(state.review_places, change)
    return replace(without_it, review_places={**others, change: left} if left else others)


def _change_of(place: str) -> ChangeId | None:
    """The change of which candidates are reviewed at the place; None where it is no review's."""
    if not place.startswith(review_prompt.PLACE):
        return None
    return ChangeId(place.removeprefix(review_prompt.PLACE).rpartition(":")[0])


def _is_over(state: RepositoryState, place: str) -> bool:
    """Whether the place is a review's whose candidate no longer waits: a late reply is not used."""
    id_ = _change_of(place)
    change = state.changes.get(id_) if id_ is not None else None
    return id_ is not None and (change is None or change.is_ended)


def _weighed(advice: ModelAdvice, prompt: str) -> ModelAdvice:
    """The advice without an answer that has been weighed."""
    return replace(advice, answers=without(advice.answers, prompt))


def _forgotten(state: RepositoryState, event: ev.SpecPullForgotten) -> RepositoryState:
    return _without(state, f"{PLACE}{pull_place(event.pull)}")


def _with_advice(state: RepositoryState, place: str, advice: ModelAdvice) -> RepositoryState:
    others = _without(state, place)
    is_pulls = place.startswith(_OF_PULL)
    is_over = is_pulls and not (advice.answers or advice.failures or _pull_of(state, place))
    if is_over or _is_over(state, place):
        # Its pull is gone: a late reply is paid for and not shown.
        return others
    advised = replace(others, model_advice={**others.model_advice, place: advice})
    change = _change_of(place)
    if change is None:
        return advised
    places = (*advised.review_places.get(change, ()), place)
    return replace(advised, review_places={**advised.review_places, change: places})


def _pull_of(state: RepositoryState, place: str) -> PullNumber | None:
    """The pull that is told at a place, while it is known."""
    number = place.removeprefix(_OF_PULL)
    if number == place or not number.isdecimal():
        return None
    return PullNumber(int(number)) if int(number) in state.pull_digests else None


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
