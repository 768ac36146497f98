"""Why a change is where it is, in sentences: what it waits for, and who must do what."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.core.journal.events import FailureReason
from bot.core.journal.evolve_change_candidate import red_gate
from bot.core.journal.state import ChangeFacts, OrderKind, RepositoryState
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import RunsOnFor
from bot.core.state.candidates import is_being_judged
from bot.core.state.queue_order import is_doubtful
from bot.core.state.reason import Cause, Reason
from bot.core.state.waiting import shown
from bot.core.talk.attempts import red_gate_text, stopped_by_gates
from bot.core.talk.links import issue_link
from bot.core.talk.lost_gates_text import is_unjudged, judge_again
from bot.core.talk.pause_text import head_of
from bot.core.talk.push_text import hand_or_hand_back
from bot.core.talk.refusal_text import refusal_text
from bot.core.talk.review_waits import for_reviews
from bot.core.talk.text import cell, code, inert, moment
from bot.core.values.ids import ChangeId, OrderId

# The label that the workflow files ask for where the policy's `runs_on` names none.
RUNNER_LABEL = "headgate"
_CHANGES_NAMED = 5


def labels_asked(
    state: RepositoryState, policy: Policy | None, change: ChangeFacts, order: OrderId | None
) -> str:
    """`the label x`, or labels, that a runner needs for an order of the change."""
    known = state.orders.get(order) if order else None
    is_gate = known is not None and known.kind is OrderKind.GATE
    kind = RunsOnFor.GATES if is_gate else RunsOnFor.AGENTS
    said = policy.runs_on(kind, change.planned.type) if policy else ()
    labels = said or (RUNNER_LABEL,)
    return (
        f"the label{'' if len(labels) == 1 else 's'} {', '.join(code(label) for label in labels)}"
    )


@dataclass(frozen=True)
class _Told:
    """All that a sentence is made of."""

    state: RepositoryState
    policy: Policy | None
    change: ChangeFacts
    reason: Reason

    @property
    def others(self) -> str:
        pulls = [
            f"#{number} (a person's pull request)" for number in self.reason.pulls[:_CHANGES_NAMED]
        ]
        changes = _named(self.state, self.reason.changes) if self.reason.changes else ""
        return ", ".join(part for part in (*pulls, changes) if part)

    @property
    def tracking(self) -> str:
        run = self.state.spec_runs.get(self.change.spec_run)
        return f"#{run.issue}" if run is not None and run.issue else "the tracking issue"

    @property
    def approval(self) -> str:
        role = f" (needs the role {self.policy.file.approver})" if self.policy else ""
        return f"comment `/headgate approve` on {self.tracking}{role}"


def reason_text(
    state: RepositoryState, policy: Policy | None, change: ChangeFacts, reason: Reason
) -> str:
    """What the change waits for and who must do what, in one or two sentences."""
    told = _Told(state, policy, change, reason)
    return f"{_doubted(told)}{_said(told)}"


def _said(told: _Told) -> str:
    return (
        _before_work(told)
        or _no_order(told)
        or _paused(told)
        or _at_work(told)
        or _stopped_by_person(told)
        or _at_the_queue(told)
    )


def _doubted(told: _Told) -> str:
    """The red of the newest candidate that does not count yet."""
    candidate = told.state.candidate_of(told.change)
    if candidate is None or not candidate.doubts or not is_being_judged(told.state, told.change):
        return ""
    red = "; ".join(red_gate_text(red_gate(result)) for result in candidate.doubts)
    return f"{_end(red)} The red gates run once more before this counts. "


def _before_work(told: _Told) -> str:
    reason, change = told.reason, told.change
    match reason.cause:
        case Cause.LANDED:
            return f"It is on main{_since(reason)}."
        case Cause.FAILED | Cause.STOPPED:
            again = f"To try again, comment `/headgate retry` on {issue_link(change)}."
            said = _end(cell(reason.sentence) or "It ended without landing")
            if change.failure is FailureReason.STEERED:
                # Its sentence says what to comment, and a retry is not that.
                return said
            return f"{said} {stopped_by_gates(change)}{again}"
        case Cause.REPLACED:
            return "It was planned again: later changes of the plan have its requirements."
        case Cause.NOT_APPROVED:
            return f"Its plan waits for approval: {told.approval}."
        case Cause.EDIT_NOT_APPROVED:
            return (
                "The spec was edited, and the new revision of the plan waits for approval: "
                f"{told.approval}."
            )
        case Cause.NO_GATES:
            return (
                "This repository has no required gate, so no change can land. Merge the pull "
                "request that proposes a first `.github/headgate.yml`, or write that file."
            )
        case Cause.HELD_BACK:
            return (
                f"It is held back by {told.others}. To continue, comment `/headgate retry` there."
            )
        case Cause.BY_HAND:
            return (
                f"A person must first do a step by hand: “{inert(reason.sentence, 300)}” When "
                f"it is done, tick it in {told.others}, or comment `/headgate done` there."
            )
        case Cause.DEPENDS:
            return f"It starts when {told.others} {_has(reason)} landed."
        case Cause.STARTS:
            said = stopped_by_gates(change)
            return f"{said}Headgate starts an agent next, for attempt {change.attempt + 1}."
        case _:
            return ""


def _no_order(told: _Told) -> str:
    """Why no agent is ordered for what could begin."""
    reason = told.reason
    match reason.cause:
        case Cause.RIVALS:
            return (
                f"It starts when {told.others} {_has(reason)} ended, because another spec also "
                f"edits {inert(reason.sentence, 300)}. To start it at once, comment `/headgate "
                f"now` on {issue_link(told.change)}."
            )
        case Cause.NO_SLOT:
            limit = f" (`max_parallel: {told.policy.file.max_parallel}`)" if told.policy else ""
            return (
                f"Agents are working on {told.others}, and no more can work at the same "
                f"time{limit}."
            )
        case Cause.RUN_BUDGET:
            return f"The budget of its spec run is spent. {told.tracking} asks whether to continue."
        case Cause.DAY_BUDGET:
            return f"The day's budget is spent. Headgate starts an agent{_at(reason)}."
        case Cause.RULE_REFUSES:
            return (
                "A rule of this repository would refuse its landing, so no agent has "
                f"started{_since(reason)}. {told.tracking} names the rule and what to do."
            )
        case _:
            return ""


def _paused(told: _Told) -> str:
    """Which pause holds the order, and what comes next of it."""
    reason = told.reason
    heads = {
        Cause.PAUSED: "No agent starts",
        Cause.GATES_PAUSED: "Its gates do not start",
    }
    if reason.pause is None or reason.cause not in heads:
        return ""
    missing = head_of(reason.pause.cause, reason.pause.about)
    then = f"Headgate tries again{_at(reason)}."
    if reason.changes:
        then = f"Headgate tries again with {told.others} first."
    since = f" (since {moment(reason.since)})" if reason.since else ""
    return f"{heads[reason.cause]}: {missing}{since}. {then}"


def _awaited(reason: Reason) -> str:
    named = inert(reason.sentence, 300)
    if reason.cause is Cause.CHECK_LATE:
        return (
            f"It has been on hold{_since(reason)}. {_end(inert(reason.sentence, 1000))} It "
            "continues when the check is green there. To wait again for the same time, comment "
            "`/headgate release`."
        )
    if reason.cause is Cause.ACCEPTANCE_AWAITED:
        where = f"press Accept or Reject in the check run of {named}"
        return f"Its gates passed. It has waited for a person{_since(reason)}: {where}."
    checks = f": {named}" if named else ""
    return f"Its gates passed. It has waited for other checks{_since(reason)}{checks}."


def _at_work(told: _Told) -> str:
    reason, change = told.reason, told.change
    link = _run_link(told.state, reason)
    match reason.cause:
        case Cause.DELAYED:
            return f"{_end(inert(reason.sentence))} Headgate tries again{_at(reason)}."
        case Cause.PUSH_REFUSED if reason.refusal is not None:
            return (
                f"{refusal_text(reason.refusal)} The work is kept, and this does not count as "
                f"an attempt. Headgate tries again{_at(reason)}. To try at once, comment "
                "`/headgate resume`."
            )
        case Cause.NOT_DISPATCHED:
            return "Headgate is about to send its order to GitHub Actions."
        case Cause.NO_RUNNER:
            again = (
                f" After {moment(reason.until)} Headgate sends the order again."
                if reason.until
                else ""
            )
            return (
                f"No runner with {labels_asked(told.state, told.policy, change, reason.order)} "
                f"has taken its order{_since(reason)}{link}. Start a runner, or wait until one "
                f"is free.{again}"
            )
        case Cause.AGENT_WORKS:
            who = "An agent has been working on it"
            if change.remaking:
                made = ", ".join(code(path) for path in change.remaking)
                who = f"A command has been generating {made} again"
            return f"{who}{_since(reason)}{link}."
        case Cause.GATES_RUN:
            return (
                "The gates have been running on its "
                f"candidate{_since(reason)}{link}.{_of_main(told)}"
            )
        case Cause.CHECKS_AWAITED | Cause.ACCEPTANCE_AWAITED | Cause.CHECK_LATE:
            return _awaited(reason)
        case Cause.QUESTION:
            then = f" Without an answer it continues{_at(reason)}." if reason.until else ""
            return (
                f"Its agent asks in {issue_link(change)}: “{inert(reason.sentence, 300)}” Answer "
                f"there with `/headgate answer`.{then}"
            )
        case Cause.IMPORTED:
            return "Headgate checks and imports the agent's work."
        case Cause.BUILT:
            return "Headgate builds its candidate on main."
        case _:
            return ""


def _of_main(told: _Told) -> str:
    """What a change introduced is not known before main's own gates have spoken."""
    candidate = told.state.candidate_of(told.change)
    if candidate is None or not is_doubtful(told.state, candidate.base):
        return ""
    return " The gates are also running on main itself. Their result counts first."


def _stopped_by_person(told: _Told) -> str:
    reason, change = told.reason, told.change
    why = f" ({inert(reason.sentence, 300)})" if reason.sentence else ""
    match reason.cause:
        case Cause.IN_HAND:
            return (
                f"{cell(change.held_by)} has taken it over. {_end(inert(reason.sentence))} "
                f"{stopped_by_gates(change)}{hand_or_hand_back()}"
            )
        case Cause.ORDERS_STOPPED:
            stopped = (
                f"A person has stopped all new orders{why}, so no order has started{_since(reason)}"
            )
            return f"{stopped}. `/headgate resume` starts them again."
        case Cause.FROZEN:
            end = f"until {moment(reason.until)}" if reason.until else "until `/headgate unfreeze`"
            return (
                f"The queue has been frozen by a person{_since(reason)}{why}: "
                f"no change lands {end}."
            )
        case Cause.LANDING_HELD:
            return (
                f"It has been on hold{_since(reason)}{why}. It can land after `/headgate release`."
            )
        case Cause.REVIEWS:
            waits = for_reviews(change)
            return f"{waits[0].upper()}{waits[1:]}."
        case Cause.ADOPTED:
            end = "no change lands until `/headgate unfreeze`"
            return f"The queue has been frozen{_since(reason)}{why}: {end}."
        case Cause.SMOKE:
            end = "no change lands until they pass, or until `/headgate unfreeze`"
            return f"The queue has been frozen by red smoke gates{_since(reason)}{why}: {end}."
        case _:
            return ""


def _at_the_queue(told: _Told) -> str:
    reason = told.reason
    match reason.cause:
        case Cause.AHEAD:
            return f"Ahead of it in the queue: {told.others}."
        case Cause.CONFLICT_AHEAD:
            files = ", ".join(code(f) for f in told.change.conflict_files[:3])
            met = f"It met a conflict with main in {files or 'some files'}"
            return f"{met} and waits for {told.others}."
        case Cause.JUDGED_BESIDE:
            return f"The gates judge {told.others} first, because its landing would move main."
        case Cause.MAIN_IS_RED:
            said = _end(cell(reason.sentence))
            seen = stopped_by_gates(told.change) if told.state.results_of(told.change) else ""
            return f"The queue is frozen: {said} {seen}{_goes_on_with_main(told.state)}"
        case Cause.MAIN_IS_JUDGED:
            return "The gates are running on main itself. It continues when they have passed."
        case Cause.LANDING_REFUSED:
            said = _end(inert(reason.sentence) or "GitHub refused to move main")
            return f"{said} Headgate tries again{_at(reason)}."
        case _:
            return "It is first in the queue and lands next."


def _goes_on_with_main(state: RepositoryState) -> str:
    main = state.adoption_under(state.main) if state.main else None
    if main is None or not is_unjudged(main):
        return "It continues when main is fixed."
    return (
        "It continues when main has passed its gates. Find out why no runner completed the "
        f"gates of main, and then {judge_again(main)}."
    )


def _named(state: RepositoryState, ids: Iterable[ChangeId]) -> str:
    """`#4 (judging), #5 (failed)`."""
    found = [state.changes[id_] for id_ in ids]
    names = [f"{issue_link(c)} ({shown(state, c)})" for c in found[:_CHANGES_NAMED]]
    more = len(found) - _CHANGES_NAMED
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def _has(reason: Reason) -> str:
    return "has" if len(reason.changes) == 1 else "have"


def _since(reason: Reason) -> str:
    return f" since {moment(reason.since)}" if reason.since else ""


def _at(reason: Reason) -> str:
    return f" at {moment(reason.until)}" if reason.until else " soon"


def _run_link(state: RepositoryState, reason: Reason) -> str:
    if reason.workflow_run is None or state.facts is None:
        return ""
    return f" ([workflow run]({state.facts.html_url}/actions/runs/{reason.workflow_run}))"


def _end(sentence: str) -> str:
    """Other people's words as a sentence."""
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."
