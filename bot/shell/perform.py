"""Performs one effect, and what goes in the same request, under the lease; says what came of it.

An effect that was open before this process took the lease (`found_open`) may have happened, and so
may any after the journal lost its end: the
function that performs it looks first, and repeats it only if it finds nothing. The lease is renewed
right before, so that a worker that was delayed does not repeat what another one took over. Failures
are told apart in `bot.shell.failure`.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import TypeVar, cast

from bot.core.journal import effects as ef
from bot.core.journal.branches import on
from bot.core.journal.effect_class import EffectClass
from bot.core.journal.effects import EFFECT_CLASSES, Effect
from bot.core.journal.events import EffectDelayed, EffectDone, Event
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
    perform_landing,
    perform_ledger,
    perform_pushes,
    perform_queue,
    perform_specs,
    perform_threads,
    self_tests,
)
from bot.shell.failure import NotPushed, outcome_of
from bot.shell.perform_task import Task
from bot.shell.process_ports import Ports
from bot.shell.rate_limit import budget_of_installation

log = logging.getLogger(__name__)

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
        _row(ef.RunSelfTest, self_tests.tell),
        _row(ef.React, perform_github.react),
        _row(ef.ReactToReview, perform_github.react_to_review),
        _row(ef.AnswerThread, perform_threads.answer_thread),
        _row(ef.OpenPull, perform_github.open_pull),
        _row(ef.ClosePull, perform_github.close_pull),
        _row(ef.PublishCheckRun, perform_github.publish_check_run),
        _row(ef.DispatchOrder, perform_github.dispatch_order),
        _row(ef.RevokeOrder, perform_github.revoke_order),
        _row(ef.TellOrder, perform_github.tell_order),
        _row(ef.ImportBundle, perform_git.import_bundle),
        _row(ef.TakeOverPush, perform_pushes.take_over_push),
        _row(ef.BuildCandidate, perform_git.build_candidate),
        _row(ef.PrepareStart, perform_git.prepare_start),
        _row(ef.LandCandidate, perform_landing.land_candidate),
        _row(ef.BuildPull, perform_queue.build_pull),
        _row(ef.LandPull, perform_queue.land_pull),
        _row(ef.DeleteRefs, perform_git.delete_refs),
        _row(ef.OfferGates, perform_git.offer_gates),
        _row(ef.PublishLedger, perform_ledger.publish_ledger),
        _row(ef.ProposeSpec, perform_specs.propose_spec),
        _row(ef.WithdrawSpec, perform_specs.withdraw_spec),
        _row(ef.AskModel, model_calls.take_reply),
    )
)

# A list may lack what was created just before: what may have been sent is looked for after this long.
LISTS_ARE_BEHIND = timedelta(seconds=3)

if _missing := [c.__name__ for c in EFFECT_CLASSES if c not in PERFORMERS]:
    raise TypeError(f"No function performs {', '.join(_missing)}: add a row to PERFORMERS.")


def not_tried(
    state: RepositoryState, found_open: frozenset[str], now: datetime
) -> tuple[EffectDelayed, ...]:
    """What is left for another turn, which need not wait to see whether it was done."""
    return tuple(
        EffectDelayed(key=key, sentence="Others have their turn first.", until=now, tries=0)
        for key, effect in state.open_effects.items()
        if effect.listed and key not in state.delays and key not in found_open
    )


def perform(
    ports: Ports, state: RepositoryState, effect: Effect, found_open: frozenset[str]
) -> tuple[Event, ...]:
    """Perform it; what came of it, for the journal. The lease was renewed right before."""
    if state.facts is None:
        return ()
    delay = state.delays.get(effect.key)
    # What was only deferred, to keep within GitHub's limits, has not been tried.
    look_first = effect.key in found_open or (delay is not None and delay.tries > 0)
    if state.rewound is not None and state.rewound.counts_at(ports.clock.now()):
        look_first = True
    if effect.key in found_open and delay is None and effect.listed:
        # Whoever intended it may have sent it a moment ago.
        unsure = Retryable("It is looked for before it is done.", LISTS_ARE_BEHIND)
        return (outcome_of(unsure, effect.key, 0, ports.clock.now()),)
    effects = batched_with(state, effect, ports.clock.now())
    # An effect of another branch's queue moves that branch, and re-reads it.
    branch = getattr(effect, "branch_of_queue", "")
    facts_there = state.facts.replace(default_branch=branch) if branch else state.facts
    task = Task(ports, facts_there, on(state, branch), effect, effects, look_first)
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
        if is_refusal:
            told = {"repository": state.facts.full_name, "what": effect.type}
            log.warning("effect_refused", extra={**told, "why": failure.sentence})
        is_githubs = is_refusal and not isinstance(effect, ef.AskModel)
        if is_githubs and not _is_as_known(ports, state.facts):
            # It is not refused for good: it waits until we know where the repository is, and who
            # GitHub takes us for (a clock that is off, a key that was revoked).
            ports.journal.put_hints(state.facts.id, (Hint(kind=HintKind.REPOSITORY),))
            failure = Retryable(failure.sentence)
        elif isinstance(failure, Retryable) and effect.listed:
            failure.after = max(failure.after or LISTS_ARE_BEHIND, LISTS_ARE_BEHIND)
        if isinstance(failure, Limited):
            ports.journal.pause(budget_of(state.facts), now + failure.after)
        return tuple(outcome_of(failure, e.key, tries, now) for e in effects)


def _is_as_known(ports: Ports, facts: RepositoryFacts) -> bool:
    """After a refusal: whether the repository is what we knew, for sure."""
    try:
        return ports.forge.standing(facts, is_doubted=True).facts == facts
    except (Retryable, UserError):
        return False


def is_elsewhere(ports: Ports, facts: RepositoryFacts) -> bool:
    """After a refusal: whether the repository is not what we knew, or we may not work there."""
    try:
        return ports.forge.standing(facts, is_doubted=True).facts != facts
    except (Retryable, UserError):
        return False


def budget_of(facts: RepositoryFacts) -> str:
    """Whose budget at GitHub is spent: the installation's, with all of its repositories."""
    return budget_of_installation(facts.installation_id)
