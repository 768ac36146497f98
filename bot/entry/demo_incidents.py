"""What goes wrong in the demo on purpose, and whether it went well in the end.

A person pushes to main while changes are judged; a runner is killed with an agent's order in its
hand; and the script's first attempt at one change is wrong. The rule: an incident that did not
happen, or did not end well, is a problem of the verdict. Deliberately absent: luck; a moment that
was missed is waited for again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.core.journal.events import AgentLost, CandidateBuilt, CandidateFailed, Event
from bot.core.journal.state import ChangeFacts, LedgerKind, OrderState, RepositoryState
from bot.core.values.ids import OrderId
from bot.core.values.lifecycle import ChangeState
from bot.entry.demo_material import story
from bot.entry.demo_stage import Stage
from bot.entry.demo_view import Screen
from gates.result import Ending

# An order this young has most of its scene before it: the kill comes in the middle of the work.
_YOUNG = timedelta(seconds=2)


@dataclass(frozen=True)
class Happened:
    """What was done to the demo; None: it was not."""

    interrupted: OrderId | None = None
    pushed: str | None = None


@dataclass
class Incidents:
    """Makes each incident happen once, when its moment has come."""

    stage: Stage
    screen: Screen
    kills: bool
    _victim: OrderId | None = field(default=None, init=False)
    _pushed: str | None = field(default=None, init=False)

    def happen(self, state: RepositoryState) -> None:
        """Whatever is due now."""
        if not any(c.landed for c in state.changes.values()):
            return
        if self.kills and self._victim is None:
            self._kill(state)
        elif self._victim is not None and state.orders[self._victim].state is OrderState.REPORTED:
            # The report was faster than the signal: nothing was interrupted.
            self._victim = None
        judging = any(c.state is ChangeState.JUDGING for c in state.changes.values())
        if self._pushed is None and judging:
            push = story.PERSON_PUSH
            self._pushed = self.stage.push_as_person(push)
            self.screen.say(f"{push.author} pushes to main: {push.message}")

    def _kill(self, state: RepositoryState) -> None:
        for change in _working(state):
            order = state.orders[change.order] if change.order else None
            if order is None or order.workflow_run is None or order.leased_at is None:
                continue
            if datetime.now(UTC) > order.leased_at + _YOUNG:
                continue
            runner = self.stage.runner_of(order.workflow_run)
            if runner:
                self.stage.replace_runner(runner)
                self._victim = order.id
                self.screen.say(f"{runner} is killed (SIGKILL) while it works on {change.slug}")
                return

    @property
    def happened(self) -> Happened:
        """What was done so far."""
        return Happened(self._victim, self._pushed)


def _working(state: RepositoryState) -> list[ChangeFacts]:
    """The changes at which an agent is at work, the one that the story names first."""
    working = [c for c in state.changes.values() if c.state is ChangeState.WORKING]
    return sorted(working, key=lambda c: c.slug != story.INTERRUPTED)


@dataclass(frozen=True)
class Told:
    """Sentences for the end: what went wrong and was mended, and what was not."""

    mended: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def tell_incidents(
    state: RepositoryState, events: Iterable[Event], happened: Happened, editors: int
) -> Told:
    """How each incident ended. `editors`: how many landed commits changed the shared file."""
    journal = tuple(events)
    told = (
        _tell_wrong_attempt(state, journal),
        _tell_shared_file(journal, editors),
        _tell_push(state, happened.pushed),
    )
    mended = tuple(s for is_well, s in told if is_well)
    problems = tuple(s for is_well, s in told if not is_well)
    return Told(mended, problems)


def tell_interruption(state: RepositoryState, events: Iterable[Event], happened: Happened) -> Told:
    """How the orders of the killed runner ended: it had more than one at hand."""
    lost = [e for e in events if isinstance(e, AgentLost)]
    if happened.interrupted not in {e.order for e in lost}:
        return Told(problems=("no runner was killed in the middle of an agent's work",))
    changes = [state.changes[id_] for id_ in dict.fromkeys(e.change for e in lost)]
    unlanded = [c.slug for c in changes if c.landed is None]
    if unlanded:
        names = ", ".join(unlanded)
        return Told(problems=(f"{names} did not get over the loss of a runner",))
    return Told(tuple(f"{c.slug}: lost its runner, was ordered again, and landed" for c in changes))


def _tell_wrong_attempt(state: RepositoryState, events: tuple[Event, ...]) -> tuple[bool, str]:
    change = next((c for c in state.changes.values() if c.slug == story.WRONG_FIRST), None)
    if change is None:
        return False, f"there is no change {story.WRONG_FIRST}"
    red = [e for e in events if isinstance(e, CandidateFailed) and e.change == change.id]
    if not red or change.landed is None:
        return False, f"the wrong attempt at {change.slug} was not caught and mended"
    gates = " and ".join(r.gate for r in red[0].results if r.ending is not Ending.PASSED)
    return True, f"{change.slug}: attempt 1 was wrong; gate {gates} said so, attempt 2 mended it"


def _tell_shared_file(events: tuple[Event, ...], editors: int) -> tuple[bool, str]:
    built = [e for e in events if isinstance(e, CandidateBuilt)]
    again = len(built) - len({e.change for e in built})
    if editors < 2 or not again:
        return False, "no two changes met in one file"
    return True, (
        f"{editors} changes edited {story.SHARED_FILE}; "
        f"{again} candidates were built and judged again, because main had moved or gates were red"
    )


def _tell_push(state: RepositoryState, pushed: str | None) -> tuple[bool, str]:
    line = next((ln for ln in state.ledger if ln.sha == pushed), None)
    if pushed is None or line is None:
        return False, "nobody pushed to main in between"
    adoption = state.adoptions.get(line.sha)
    if line.kind is not LedgerKind.ADOPTED or adoption is None or not adoption.green:
        return False, f"{pushed[:12]}, which a person pushed, was not adopted and judged green"
    return True, f"{story.PERSON_PUSH.author} pushed {pushed[:7]} to main: adopted, judged, green"
