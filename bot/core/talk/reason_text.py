"""Why a change is where it is, in sentences: what it waits for, and who must do what."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.reason import Cause, Reason
from bot.core.state.waiting import shown
from bot.core.talk.attempts import stopped_by_gates
from bot.core.talk.links import issue_link
from bot.core.talk.refusal_text import refusal_text
from bot.core.talk.text import cell, code, inert
from bot.core.values.ids import ChangeId

# The label that the workflows in `.github/workflows/` of Headgate itself ask for (`runs-on`).
RUNNER_LABEL = "headgate"
_CHANGES_NAMED = 5


def moment(at: datetime) -> str:
    """A time that reads the same tomorrow."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


@dataclass(frozen=True)
class _Told:
    """All that a sentence is made of."""

    state: RepositoryState
    policy: Policy | None
    change: ChangeFacts
    reason: Reason

    @property
    def others(self) -> str:
        return _named(self.state, self.reason.changes)

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
    return _before_work(told) or _at_work(told) or _at_the_queue(told)


def _before_work(told: _Told) -> str:
    reason, change = told.reason, told.change
    match reason.cause:
        case Cause.LANDED:
            return f"It is on main{_since(reason)}."
        case Cause.FAILED | Cause.STOPPED:
            again = f"To try again, comment `/headgate retry` on {issue_link(change)}."
            said = _end(cell(reason.sentence) or "It ended without landing")
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
                "This repository has no required gate, so nothing can land. Merge the pull that "
                "proposes a first `.github/headgate.yml`, or write that file."
            )
        case Cause.HELD_BACK:
            return f"It is held back by {told.others}. To go on, comment `/headgate retry` there."
        case Cause.DEPENDS:
            return f"It starts when {told.others} {_has(reason)} landed."
        case Cause.NO_SLOT:
            limit = f" (`max_parallel: {told.policy.file.max_parallel}`)" if told.policy else ""
            return f"Agents are at work on {told.others}, and no more work at once{limit}."
        case Cause.RULE_REFUSES:
            return (
                "A rule of this repository would refuse its landing, so no agent is ordered"
                f"{_since(reason)}. {told.tracking} says which, and what to do."
            )
        case Cause.STARTS:
            said = stopped_by_gates(change)
            return f"{said}Headgate orders an agent next, for attempt {change.attempt + 1}."
        case _:
            return ""


def _at_work(told: _Told) -> str:
    reason, change = told.reason, told.change
    link = _run_link(told.state, reason)
    match reason.cause:
        case Cause.DELAYED:
            return f"{_end(inert(reason.sentence))} Headgate tries again{_at(reason)}."
        case Cause.PUSH_REFUSED if reason.refusal is not None:
            return (
                f"{refusal_text(reason.refusal)} The work is kept, and no attempt is counted. Headgate "
                f"tries again{_at(reason)}; `/headgate resume` tries at once."
            )
        case Cause.NOT_DISPATCHED:
            return "Headgate is about to send its order to GitHub Actions."
        case Cause.NO_RUNNER:
            again = f" After {moment(reason.until)} it is placed again." if reason.until else ""
            return (
                f"No runner with the label `{RUNNER_LABEL}` has taken its order"
                f"{_since(reason)}{link}. Start one, or free one.{again}"
            )
        case Cause.AGENT_WORKS:
            who = "An agent works on it"
            if change.remaking:
                made = ", ".join(code(path) for path in change.remaking)
                who = f"A command makes {made} anew"
            return f"{who}{_since(reason)}{link}."
        case Cause.GATES_RUN:
            return f"The gates run on its candidate{_since(reason)}{link}."
        case Cause.CHECKS_AWAITED:
            named = f": {inert(reason.sentence, 300)}" if reason.sentence else ""
            return f"Its gates passed. Checks of other Apps are awaited{_since(reason)}{named}."
        case Cause.QUESTION:
            then = f" Without an answer it goes on{_at(reason)}." if reason.until else ""
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
            return f"First the gates judge {told.others}: what lands there moves main."
        case Cause.MAIN_IS_RED:
            said = _end(cell(reason.sentence))
            seen = stopped_by_gates(told.change) if told.change.results else ""
            return f"The queue is frozen: {said} {seen}It goes on when a person has mended main."
        case Cause.MAIN_IS_JUDGED:
            return "The gates are running on main itself; it goes on when they have passed there."
        case Cause.LANDING_REFUSED:
            said = _end(inert(reason.sentence) or "GitHub refused to move main")
            return f"{said} Headgate tries again{_at(reason)}."
        case _:
            return "It is first in the queue and lands next."


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
