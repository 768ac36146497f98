"""What goes wrong in the demo on purpose, and how it ended.

A person pushes to main while changes are judged; a runner is killed while it works on an agent
order; and the script's first attempt at one change is wrong. An incident that did not happen, or
that Headgate did not recover from, is a problem of the verdict.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.core.journal.events import AgentLost, CandidateBuilt, CandidateFailed, Event
from bot.core.journal.state import ChangeFacts, LedgerKind, OrderState, RepositoryState
from bot.core.state.candidates import is_being_judged
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState
from bot.demo.material import story
from bot.demo.screen import Screen
from bot.demo.system import DemoSystem
from gates.result import Ending

# So soon after the lease most of the script is still to come: the kill interrupts work.
_EARLY = timedelta(seconds=2)


@dataclass(frozen=True)
class IncidentsDone:
    """The order whose runner was killed and the commit that a person pushed; None if not done."""

    interrupted: OrderId | None = None
    pushed: str | None = None


@dataclass
class Incidents:
    """Causes each incident once, at its moment; a moment that was missed is waited for again."""

    system: DemoSystem
    screen: Screen
    kills: bool
    _victim: OrderId | None = field(default=None, init=False)
    _pushed: str | None = field(default=None, init=False)

    def cause_due(self, state: RepositoryState) -> None:
        if not any(c.landed for c in state.changes.values()):
            return
        if self.kills and self._victim is None:
            self._kill(state)
        elif self._victim is not None and state.orders[self._victim].state is OrderState.REPORTED:
            # The report was faster than the kill: nothing was interrupted.
            self._victim = None
        judging = any(is_being_judged(state, c) for c in state.changes.values())
        if self._pushed is None and judging:
            push = story.PERSON_PUSH
            self._pushed = self.system.push_as_person(push)
            self.screen.say(f"{push.author} pushes to main: {push.message}")

    def _kill(self, state: RepositoryState) -> None:
        for change in _working(state):
            order = state.orders[change.order] if change.order else None
            if order is None or order.workflow_run is None or order.leased_at is None:
                continue
            if datetime.now(UTC) > order.leased_at + _EARLY:
                continue
            runner = self.system.runner_of(order.workflow_run)
            if runner:
                self.system.replace_runner(runner)
                self._victim = order.id
                self.screen.say(f"{runner} is killed (SIGKILL) while it works on {change.slug}")
                return

    @property
    def done(self) -> IncidentsDone:
        return IncidentsDone(self._victim, self._pushed)


def _working(state: RepositoryState) -> list[ChangeFacts]:
    """The changes that an agent works on; the one to be interrupted comes first."""
    working = [c for c in state.changes.values() if c.state is ChangeState.WORKING]
    return sorted(working, key=lambda c: c.slug != story.INTERRUPTED)


@dataclass(frozen=True)
class IncidentReport:
    recovered: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def report_incidents(
    state: RepositoryState, events: Iterable[Event], done: IncidentsDone, editors: int
) -> IncidentReport:
    """How each incident ended. `editors`: the number of landed commits that changed the shared file."""
    journal = tuple(events)
    endings = (
        _wrong_attempt(state, journal),
        _shared_file(journal, editors),
        _push(state, done.pushed),
    )
    recovered = tuple(s for is_well, s in endings if is_well)
    problems = tuple(s for is_well, s in endings if not is_well)
    return IncidentReport(recovered, problems)


def report_lost_runner(
    state: RepositoryState, events: Iterable[Event], done: IncidentsDone
) -> IncidentReport:
    """How the orders of the killed runner ended; it may have had more than one."""
    lost = [e for e in events if isinstance(e, AgentLost)]
    if done.interrupted not in {e.order for e in lost}:
        return IncidentReport(problems=("no runner was killed while an agent worked",))
    changes = [state.changes[id_] for id_ in dict.fromkeys(e.change for e in lost)]
    unlanded = [c.slug for c in changes if c.landed is None]
    if unlanded:
        names = ", ".join(unlanded)
        return IncidentReport(problems=(f"{names} did not recover from the loss of a runner",))
    return IncidentReport(
        tuple(f"{c.slug}: lost its runner, was ordered again, and landed" for c in changes)
    )


def _wrong_attempt(state: RepositoryState, events: tuple[Event, ...]) -> tuple[bool, str]:
    change = next((c for c in state.changes.values() if c.slug == story.WRONG_FIRST), None)
    if change is None:
        return False, f"there is no change {story.WRONG_FIRST}"
    red = [e for e in events if isinstance(e, CandidateFailed) and e.change == change.id]
    if not red or change.landed is None:
        return False, f"the wrong attempt at {change.slug} was not caught and corrected"
    gates = " and ".join(r.gate for r in red[0].results if r.ending is not Ending.PASSED)
    return (
        True,
        f"{change.slug}: attempt 1 was wrong; gate {gates} failed it, attempt 2 corrected it",
    )


def _shared_file(events: tuple[Event, ...], editors: int) -> tuple[bool, str]:
    built = [e for e in events if isinstance(e, CandidateBuilt)]
    again = len(built) - len({e.change for e in built})
    if editors < 2 or not again:
        return False, "no two changes edited the same file"
    return True, (
        f"{editors} changes edited {story.SHARED_FILE}; "
        f"{again} candidates were built and judged again, because main had moved or gates were red"
    )


def _push(state: RepositoryState, pushed: str | None) -> tuple[bool, str]:
    line = next((ln for ln in state.ledger if ln.sha == pushed), None)
    if pushed is None or line is None:
        return False, "no person pushed to main in the meantime"
    adoption = state.adoptions.get(line.sha)
    if line.kind is not LedgerKind.ADOPTED or adoption is None or not adoption.green:
        return False, f"{pushed[:12]}, pushed by a person, was not adopted and judged green"
    return True, f"{story.PERSON_PUSH.author} pushed {pushed[:7]} to main: adopted, judged, green"
