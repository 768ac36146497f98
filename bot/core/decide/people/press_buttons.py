"""What people press on check runs: *Re-run* judges again, *Retry* and *Explain* are the commands,
*Accept* and *Reject* answer a gate that asks a person.

Only the webhook tells of a press; if it is lost, the person must press again. A press of somebody who may
not write to the repository does nothing.
"""

from bot.core.decide.changes import await_acceptance
from bot.core.decide.decision import Decision
from bot.core.journal.events import (
    ChangeReopened,
    GatesAskedAgain,
    SmokeAskedAgain,
    SpecRunReopened,
)
from bot.core.journal.evolve_main import check_of_main
from bot.core.journal.evolve_smoke import check_of_smoke
from bot.core.journal.state import ChangeFacts
from bot.core.state.candidates import stage_of
from bot.core.state.observed import PressWithRole
from bot.core.talk import replies
from bot.core.talk.commands import ROWS
from bot.core.values.check_button import Button, Press
from bot.core.values.command import Verb
from bot.core.values.ids import Sha
from bot.core.values.lifecycle import ChangeState, OfferStage
from bot.core.values.repository import Role

_JUDGED = {OfferStage.JUDGING, OfferStage.QUEUED}
# Check runs of main, and of no change.
_OF_MAIN = ("main:", "smoke:")
_ENDED = {ChangeState.FAILED, ChangeState.STOPPED}


def next_steps(decision: Decision) -> None:
    for pressed in decision.observed.presses:
        if pressed.press.button in await_acceptance.ANSWERS:
            _answer(decision, pressed)
        elif pressed.role.covers(ROWS[Verb.RETRY].role or Role.WRITE):
            _press(decision, pressed.press)


def _answer(decision: Decision, pressed: PressWithRole) -> None:
    change = _pressed_at(decision, pressed.press)
    if change is not None:
        await_acceptance.press(decision, change, pressed.press, pressed.role)


def _press(decision: Decision, press: Press) -> None:
    for branch in ("", *decision.state.branches):
        with decision.on(branch) as is_seen:
            if is_seen:
                _ask_main_again(decision, press)
                _ask_smoke_again(decision, press)
    change = _pressed_at(decision, press)
    if change is None:
        return
    if press.button is Button.EXPLAIN:
        _explain(decision, change, press)
    elif change.state in _ENDED and not decision.state.is_replaced(change):
        if not decision.state.spec_runs[change.spec_run].is_open:
            decision.emit(SpecRunReopened(spec_run=change.spec_run))
        decision.emit(ChangeReopened(change=change.id, reopened_by=press.person))
    elif press.button is Button.AGAIN and _is_judged(decision, change, press):
        decision.emit(
            GatesAskedAgain(change=change.id, candidate=Sha(press.sha), asked_by=press.person)
        )
    else:
        _explain(decision, change, press)


def _ask_main_again(decision: Decision, press: Press) -> None:
    """Main, or a further branch; the same commit may be the tip of several."""
    state, sha = decision.state, Sha(press.sha)
    own = check_of_main(state, sha)
    is_others = press.external_id.startswith(_OF_MAIN) and press.external_id != own
    is_judged = sha == state.main and sha in state.adoptions
    if press.button is Button.AGAIN and is_judged and not is_others:
        decision.emit(GatesAskedAgain(change=None, candidate=sha, asked_by=press.person))


def _ask_smoke_again(decision: Decision, press: Press) -> None:
    smoke = decision.state.smoke
    is_newest = smoke is not None and smoke.sha == press.sha and smoke.outcome is not None
    is_meant = press.external_id == check_of_smoke(decision.state, Sha(press.sha))
    if press.button is Button.AGAIN and is_newest and is_meant:
        decision.emit(SmokeAskedAgain(sha=Sha(press.sha), asked_by=press.person))


def _pressed_at(decision: Decision, press: Press) -> ChangeFacts | None:
    """The change whose candidate the check run, or the suite, is about."""
    for change in decision.state.changes.values():
        candidate = decision.state.candidate_of(change)
        is_its_candidate = candidate is not None and candidate.sha == press.sha
        if press.external_id.startswith(f"{change.id}:") or (
            is_its_candidate and not press.external_id
        ):
            return change
    return None


def _is_judged(decision: Decision, change: ChangeFacts, press: Press) -> bool:
    """Whether its newest candidate has a result, and no gates are running."""
    order = decision.state.orders.get(change.order) if change.order else None
    candidate = decision.state.candidate_of(change)
    is_newest = candidate is not None and candidate.sha == press.sha
    is_judged = stage_of(decision.state, change) in _JUDGED
    return is_judged and is_newest and not (order is not None and order.is_open)


def _explain(decision: Decision, change: ChangeFacts, press: Press) -> None:
    if change.issue is None:
        return
    models = decision.observed.models
    text = replies.why_reply(decision.state, decision.policy, change, models=models)
    # Another press at another time is another question.
    subject = f"pressed {change.id} {press.button} {decision.now:%Y-%m-%dT%H:%M:%S}"
    decision.comment_once(change.issue, subject, text)
