"""What is open in the state and is looked at again with each round."""

from bot.core.journal.state import Candidate, RepositoryState, SpecRun
from bot.core.prompts.digest_prompt import DigestPromptInput
from bot.core.state.candidates import awaited_now, reviews_awaited
from bot.core.values.ids import Sha, SpecRunId


def is_untold(run: SpecRun) -> bool:
    """Whether a spec run has ended and its report is not published yet."""
    return not run.is_open and run.issue is not None and not run.issue_closed


def awaited_checks(state: RepositoryState) -> tuple[Sha, ...]:
    """The candidates whose checks of other Apps are awaited."""
    waiting = (awaited_now(state, change) for change in state.changes.values())
    return tuple(waits.candidate for waits in waiting if waits is not None)


def reviewed_diffs(state: RepositoryState) -> tuple[Candidate, ...]:
    """The candidates whose diff a model reads."""
    return tuple(
        candidate
        for change in state.changes.values()
        if (candidate := state.candidate_of(change)) and reviews_awaited(state, change)
    )


def has_landed(state: RepositoryState) -> bool:
    """Whether an open or unreported run has landed work, whose tests are then read."""
    return any(
        c.landed is not None
        for r in state.spec_runs.values()
        if r.is_open or is_untold(r)
        for c in state.changes_of(r.id)
    )


def deltas(state: RepositoryState) -> tuple[SpecRunId, ...]:
    """Spec runs with a delta that may conflict with a newer main."""
    return tuple(
        r.id
        for r in state.spec_runs.values()
        if r.is_open and r.is_delta and any(not c.is_ended for c in state.changes_of(r.id))
    )


def sources(state: RepositoryState) -> dict[str, DigestPromptInput]:
    """Texts on which a model's reply is not checked yet."""
    return {
        id_: said.about
        for advice in state.model_advice.values()
        for id_, said in advice.answers.items()
        if isinstance(said.about, DigestPromptInput)
    }
