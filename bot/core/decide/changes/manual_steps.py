"""What people do by hand: put on the issues of changes, and done by a tick or by `/headgate done`."""

import re

from bot.core.decide.decision import Decision
from bot.core.journal.events import StepDone, StepsPut
from bot.core.journal.state import ChangeFacts, SpecRunState
from bot.core.plan.by_hand import manual_steps
from bot.core.state.steps_by_hand import open_steps
from bot.core.talk.asked_command import Reply, refuse, reply
from bot.core.talk.manual_text import which_step

_ALL = "all"


def next_steps(decision: Decision) -> None:
    """Keep the steps of every running spec run as its text says; take the ticks."""
    for run in tuple(decision.state.spec_runs.values()):
        spec = decision.spec_of(run)
        if run.state is not SpecRunState.RUNNING or spec is None or run.plan is None:
            continue
        found = manual_steps(spec, run.plan)
        for change in decision.state.changes_of(run.id):
            steps = found.get(change.slug, ())
            if steps != change.steps:
                decision.emit(StepsPut(change=change.id, steps=steps))
    for change in tuple(decision.state.changes.values()):
        ticked = decision.observed.ticked.get(change.issue, ()) if change.issue else ()
        for step in open_steps(change):
            if step.key in ticked:
                decision.emit(StepDone(change=change.id, key=step.key))


def done(decision: Decision, change: ChangeFacts, argument: str, by: str) -> Reply:
    said = argument.strip().lower()
    left = open_steps(change)
    if said == _ALL or (not said and len(change.steps) == 1):
        steps = left
    elif re.fullmatch("[0-9]{1,4}", said) and 0 < int(said) <= len(change.steps):
        steps = tuple(step for step in left if step is change.steps[int(said) - 1])
    else:
        return refuse(which_step(change))
    for step in steps:
        decision.emit(StepDone(change=change.id, key=step.key, done_by=by))
    return reply() if change.steps else refuse(which_step(change))
