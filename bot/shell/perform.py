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
from bot.core.state.issue_batch import batched_with
from bot.core.values.repository import RepositoryFacts
from bot.ports import Lease, Limited, Retryable, UserError
from bot.shell import model_calls, perform_git, perform_github, perform_issue, perform_specs
from bot.shell.failure import outcome_of
from bot.shell.process_ports import Ports


def perform(
    ports: Ports, lease: Lease, state: RepositoryState, effect: Effect, found_open: frozenset[str]
) -> RepositoryState:
    """Do it, and write down what came of it; the state after that. Raises `LeaseLost`."""
    if state.facts is None:
        return state
    ports.journal.append(lease, (), ports.clock.now())
    delay = state.delays.get(effect.key)
    # What was only held back, to keep within GitHub's limits, has not been tried.
    look_first = effect.key in found_open or (delay is not None and delay.tries > 0)
    effects = batched_with(state, effect, ports.clock.now())
    try:
        facts = _deed(ports, state, state.facts, effects)(look_first)
        events: tuple[Event, ...] = (*facts, *(EffectDone(key=e.key) for e in effects))
    except model_calls.PromptDelayed as later:
        tries = state.delays[effect.key].tries if effect.key in state.delays else 0
        delayed = outcome_of(later, effect.key, tries, ports.clock.now())
        events = (*later.facts, delayed)
    except (UserError, Retryable) as failure:
        tries = delay.tries if delay else 0
        now = ports.clock.now()
        events = tuple(outcome_of(failure, e.key, tries, now) for e in effects)
        if isinstance(failure, Limited):
            ports.journal.pause(all_of(state.facts), now + failure.after)
    return ports.journal.append(lease, events, ports.clock.now())


def all_of(facts: RepositoryFacts) -> str:
    """Whom GitHub's limits are counted for: the installation, with all of its repositories."""
    return f"installation {facts.installation_id}"


def _deed(  # noqa: C901 - one case an effect, and nothing else
    ports: Ports, state: RepositoryState, facts: RepositoryFacts, effects: tuple[Effect, ...]
) -> "perform_github.Deed":
    """The deed of what goes together: called with whether to look first, it returns facts."""
    match effect := effects[0]:
        case ef.OpenIssue():
            return lambda look: perform_github.open_issue(ports, facts, effect, look)
        case ef.LinkSubIssue():
            return lambda look: perform_github.link_sub_issue(ports, facts, effect, look)
        case ef.LinkBlockedBy():
            return lambda look: perform_github.link_blocked_by(ports, facts, effect, look)
        case ef.EditIssue():
            return lambda _: perform_issue.write_issue(ports, facts, effect.issue, effects)
        case ef.CloseIssue():
            return lambda _: perform_issue.write_issue(ports, facts, effect.issue, effects)
        case ef.ReopenIssue():
            return lambda _: perform_issue.write_issue(ports, facts, effect.issue, effects)
        case ef.PostComment():
            return lambda look: perform_github.post_comment(ports, facts, effect, look)
        case ef.EditComment():
            return lambda _: perform_github.edit_comment(ports, facts, effect)
        case ef.PostCommitComment():
            return lambda look: perform_github.post_commit_comment(ports, facts, effect, look)
        case ef.React():
            return lambda _: perform_github.react(ports, facts, effect)
        case ef.OpenPull():
            return lambda look: perform_github.open_pull(ports, facts, effect, look)
        case ef.ClosePull():
            return lambda _: perform_github.close_pull(ports, facts, effect)
        case ef.PublishCheckRun():
            return lambda look: perform_github.publish_check_run(ports, facts, effect, look)
        case ef.DispatchOrder():
            return lambda look: perform_github.dispatch_order(ports, facts, effect, look)
        case ef.RevokeOrder():
            return lambda _: perform_github.revoke_order(ports, facts, effect)
        case ef.ImportBundle():
            return lambda _: perform_git.import_bundle(ports, facts, effect)
        case ef.BuildCandidate():
            return lambda _: perform_git.build_candidate(ports, facts, state, effect)
        case ef.PrepareStart():
            return lambda _: perform_git.prepare_start(ports, facts, effect)
        case ef.LandCandidate():
            return lambda look: perform_git.land_candidate(ports, facts, effect, look)
        case ef.ForgetRefs():
            return lambda _: perform_git.forget_refs(ports, facts, effect)
        case ef.OfferGates():
            return lambda _: perform_git.offer_gates(ports, facts, effect)
        case ef.ProposeSpec():
            return lambda _: perform_specs.propose_spec(ports, facts, effect)
        case ef.WithdrawSpec():
            return lambda _: perform_specs.withdraw_spec(ports, facts, effect)
        case ef.AskModel():
            return lambda _: model_calls.take_reply(ports, state, effect)
        case ef.PublishLedger():
            return lambda _: perform_git.publish_ledger(ports, facts, effect)
