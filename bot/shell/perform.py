"""Performs one effect, and what goes in the same request, under the lease; says what came of it.

An effect that was open before this process took the lease (`found_open`) may have happened: the
function that performs it looks first, and repeats it only if it finds nothing. The lease is renewed
right before, so that a worker that was delayed does not repeat what another one took over. Failures
are told apart in `bot.shell.failure`.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from bot.core.journal import effects as ef
from bot.core.journal.effect_class import EffectClass
from bot.core.journal.effects import EFFECT_CLASSES, Effect
from bot.core.journal.events import EffectDone, Event
from bot.core.journal.state import RepositoryState
from bot.core.state.issue_batch import batched_with
from bot.core.state.observed import Hint, HintKind
from bot.core.values.repository import RepositoryFacts
from bot.ports import Limited, Retryable, UserError
from bot.shell import (
    model_calls,
    perform_git,
    perform_github,
    perform_issue,
    perform_pushes,
    perform_specs,
)
from bot.shell.failure import NotPushed, outcome_of
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports

_EffectT = TypeVar("_EffectT", bound=EffectClass)
_Performer = Callable[[Task[Effect]], tuple[Event, ...]]


def _row(
    effect: type[_EffectT], performer: Callable[[Task[_EffectT]], tuple[Event, ...]]
) -> tuple[type[EffectClass], _Performer]:
    """A row of the table; the type checker refuses a function that performs another effect."""
    return effect, cast("_Performer", performer)


PERFORMERS: Mapping[type[EffectClass], _Performer] = dict(
    (
        _row(ef.OpenIssue, perform_github.open_issue),
        _row(ef.LinkSubIssue, perform_github.link_sub_issue),
        _row(ef.LinkBlockedBy, perform_github.link_blocked_by),
        _row(ef.EditIssue, perform_issue.write_issue),
        _row(ef.CloseIssue, perform_issue.write_issue),
        _row(ef.ReopenIssue, perform_issue.write_issue),
        _row(ef.PostComment, perform_github.post_comment),
        _row(ef.EditComment, perform_github.edit_comment),
        _row(ef.PostCommitComment, perform_github.post_commit_comment),
        _row(ef.React, perform_github.react),
        _row(ef.OpenPull, perform_github.open_pull),
        _row(ef.ClosePull, perform_github.close_pull),
        _row(ef.PublishCheckRun, perform_github.publish_check_run),
        _row(ef.DispatchOrder, perform_github.dispatch_order),
        _row(ef.RevokeOrder, perform_github.revoke_order),
        _row(ef.ImportBundle, perform_git.import_bundle),
        _row(ef.TakeOverPush, perform_pushes.take_over_push),
        _row(ef.BuildCandidate, perform_git.build_candidate),
        _row(ef.PrepareStart, perform_git.prepare_start),
        _row(ef.LandCandidate, perform_git.land_candidate),
        _row(ef.DeleteRefs, perform_git.delete_refs),
        _row(ef.OfferGates, perform_git.offer_gates),
        _row(ef.PublishLedger, perform_git.publish_ledger),
        _row(ef.ProposeSpec, perform_specs.propose_spec),
        _row(ef.WithdrawSpec, perform_specs.withdraw_spec),
        _row(ef.AskModel, model_calls.take_reply),
    )
)

if _missing := [c.__name__ for c in EFFECT_CLASSES if c not in PERFORMERS]:
    raise TypeError(f"No function performs {', '.join(_missing)}: add a row to PERFORMERS.")


def perform(
    ports: Ports, state: RepositoryState, effect: Effect, found_open: frozenset[str]
) -> tuple[Event, ...]:
    """Perform it; what came of it, for the journal. The lease was renewed right before."""
    if state.facts is None:
        return ()
    delay = state.delays.get(effect.key)
    # What was only deferred, to keep within GitHub's limits, has not been tried.
    look_first = effect.key in found_open or (delay is not None and delay.tries > 0)
    effects = batched_with(state, effect, ports.clock.now())
    task = Task(ports, state.facts, state, effect, effects, look_first)
    try:
        facts = PERFORMERS[type(effect)](task)
        return (*facts, *(EffectDone(key=e.key) for e in effects))
    except model_calls.PromptDelayed as later:
        tries = state.delays[effect.key].tries if effect.key in state.delays else 0
        delayed = outcome_of(later, effect.key, tries, ports.clock.now())
        return (*later.facts, delayed)
    except (UserError, Retryable) as failure:
        tries = delay.tries if delay else 0
        now = ports.clock.now()
        is_refusal = isinstance(failure, UserError | NotPushed)
        is_githubs = is_refusal and not isinstance(effect, ef.AskModel)
        if is_githubs and is_elsewhere(ports, state.facts):
            # It is not refused for good: it waits until we know where the repository is.
            ports.journal.put_hints(state.facts.id, (Hint(kind=HintKind.REPOSITORY),))
            failure = Retryable(failure.sentence)
        if isinstance(failure, Limited):
            ports.journal.pause(budget_of(state.facts), now + failure.after)
        return tuple(outcome_of(failure, e.key, tries, now) for e in effects)


def is_elsewhere(ports: Ports, facts: RepositoryFacts) -> bool:
    """After a refusal: whether the repository is not what we knew, or we may not work there."""
    try:
        return ports.forge.standing(facts, is_doubted=True).facts != facts
    except (Retryable, UserError):
        return False


def budget_of(facts: RepositoryFacts) -> str:
    """Whose budget at GitHub is spent: the installation's, with all of its repositories."""
    return f"installation {facts.installation_id}"
