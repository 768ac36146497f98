"""Perform: one effect and what goes with it, under the lease; what came of it as events.

The table below is the whole of it: one row an effect. The rule: an effect that was open before this
process took the lease (`found_open`) may have happened; its deed looks first and does it again only
where it finds nothing. The lease is renewed right before the deed, so that a worker that was held
up does not do what another took over meanwhile. Failures are told apart in `failure`. Deliberately
absent: deciding.
"""

from bot.core.journal import effects as ef
from bot.core.journal.effects import Effect
from bot.core.journal.events import EffectDone, Event
from bot.core.journal.state import RepositoryState
from bot.core.state.issue_batch import together_with
from bot.core.values.repository import RepositoryFacts
from bot.ports import Lease, Limited, Retryable, UserError
from bot.shell import asking, deeds_git, deeds_github, deeds_issue, deeds_specs
from bot.shell.bench import Bench
from bot.shell.failure import outcome_of


def perform(
    bench: Bench, lease: Lease, state: RepositoryState, effect: Effect, found_open: frozenset[str]
) -> RepositoryState:
    """Do it, and write down what came of it; the state after that. Raises `LeaseLost`."""
    if state.facts is None:
        return state
    bench.journal.append(lease, (), bench.clock.now())
    delay = state.delays.get(effect.key)
    # What was only held back, to keep within GitHub's limits, has not been tried.
    look_first = effect.key in found_open or (delay is not None and delay.tries > 0)
    effects = together_with(state, effect, bench.clock.now())
    try:
        facts = _deed(bench, state, state.facts, effects)(look_first)
        events: tuple[Event, ...] = (*facts, *(EffectDone(key=e.key) for e in effects))
    except asking.AskAgain as later:
        tries = state.delays[effect.key].tries if effect.key in state.delays else 0
        delayed = outcome_of(later, effect.key, tries, bench.clock.now())
        events = (*later.facts, delayed)
    except (UserError, Retryable) as failure:
        tries = delay.tries if delay else 0
        now = bench.clock.now()
        events = tuple(outcome_of(failure, e.key, tries, now) for e in effects)
        if isinstance(failure, Limited):
            bench.journal.pause(all_of(state.facts), now + failure.after)
    return bench.journal.append(lease, events, bench.clock.now())


def all_of(facts: RepositoryFacts) -> str:
    """Whom GitHub's limits are counted for: the installation, with all of its repositories."""
    return f"installation {facts.installation_id}"


def _deed(  # noqa: C901 - one case an effect, and nothing else
    bench: Bench, state: RepositoryState, facts: RepositoryFacts, effects: tuple[Effect, ...]
) -> "deeds_github.Deed":
    """The deed of what goes together: called with whether to look first, it returns facts."""
    match effect := effects[0]:
        case ef.OpenIssue():
            return lambda look: deeds_github.open_issue(bench, facts, effect, look)
        case ef.LinkSubIssue():
            return lambda look: deeds_github.link_sub_issue(bench, facts, effect, look)
        case ef.LinkBlockedBy():
            return lambda look: deeds_github.link_blocked_by(bench, facts, effect, look)
        case ef.EditIssue():
            return lambda _: deeds_issue.write_issue(bench, facts, effect.issue, effects)
        case ef.CloseIssue():
            return lambda _: deeds_issue.write_issue(bench, facts, effect.issue, effects)
        case ef.ReopenIssue():
            return lambda _: deeds_issue.write_issue(bench, facts, effect.issue, effects)
        case ef.PostComment():
            return lambda look: deeds_github.post_comment(bench, facts, effect, look)
        case ef.EditComment():
            return lambda _: deeds_github.edit_comment(bench, facts, effect)
        case ef.PostCommitComment():
            return lambda look: deeds_github.post_commit_comment(bench, facts, effect, look)
        case ef.React():
            return lambda _: deeds_github.react(bench, facts, effect)
        case ef.OpenPull():
            return lambda look: deeds_github.open_pull(bench, facts, effect, look)
        case ef.ClosePull():
            return lambda _: deeds_github.close_pull(bench, facts, effect)
        case ef.PublishCheckRun():
            return lambda look: deeds_github.publish_check_run(bench, facts, effect, look)
        case ef.DispatchOrder():
            return lambda look: deeds_github.dispatch_order(bench, facts, effect, look)
        case ef.RevokeOrder():
            return lambda _: deeds_github.revoke_order(bench, facts, effect)
        case ef.ImportBundle():
            return lambda _: deeds_git.import_bundle(bench, facts, effect)
        case ef.BuildCandidate():
            return lambda _: deeds_git.build_candidate(bench, facts, state, effect)
        case ef.PrepareStart():
            return lambda _: deeds_git.prepare_start(bench, facts, effect)
        case ef.LandCandidate():
            return lambda look: deeds_git.land_candidate(bench, facts, effect, look)
        case ef.ForgetRefs():
            return lambda _: deeds_git.forget_refs(bench, facts, effect)
        case ef.OfferGates():
            return lambda _: deeds_git.offer_gates(bench, facts, effect)
        case ef.ProposeSpec():
            return lambda _: deeds_specs.propose_spec(bench, facts, effect)
        case ef.WithdrawSpec():
            return lambda _: deeds_specs.withdraw_spec(bench, facts, effect)
        case ef.AskModel():
            return lambda _: asking.take_reply(bench, state, effect)
        case ef.PublishLedger():
            return lambda _: deeds_git.publish_ledger(bench, facts, effect)
