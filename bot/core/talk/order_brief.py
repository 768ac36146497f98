"""What an agent is told besides its requirements: the plan's words, the other changes, what was tried."""

from collections.abc import Sequence

from action.order import ChangeBrief, SiblingChange
from bot.core.journal.change_state import AgentRun, RedGate
from bot.core.journal.state import ChangeFacts, RepositoryState
from bot.core.spec.policy import Policy
from bot.core.state.candidates import state_shown
from bot.core.state.declared_scope import held_to
from bot.core.talk.planned_tests import planned_tests
from bot.core.values.lifecycle import ChangeState
from bot.core.values.spec_model import Requirement

_SIBLINGS_TOLD = 20
_LANDED_TOLD = 20
_FILES_TOLD = 8
_LINE_CHARACTERS_MAX = 300


def brief_of(
    state: RepositoryState,
    policy: Policy,
    change: ChangeFacts,
    requirements: Sequence[Requirement],
) -> ChangeBrief:
    others = [c for c in state.changes_of(change.spec_run) if c.id != change.id]
    landed = [c for c in others if c.state is ChangeState.LANDED]
    under_way = [c for c in others if not c.is_ended]
    planned = change.planned
    return ChangeBrief(
        scope=planned.scope,
        left_out=planned.left_out,
        files=planned.files,
        done=planned.done,
        siblings=tuple(_sibling(state, c) for c in under_way[:_SIBLINGS_TOLD]),
        landed=tuple(c.planned.title for c in landed[-_LANDED_TOLD:][::-1]),
        attempts=tuple(_attempt(run) for run in change.agent_runs if not run.remade),
        test_plan=planned_tests(policy.test_plan, requirements),
        held_to=held_to(policy, planned),
    )


def _sibling(state: RepositoryState, change: ChangeFacts) -> SiblingChange:
    return SiblingChange(
        title=change.planned.title,
        state=state_shown(state, change),
        files=change.planned.files[:_FILES_TOLD],
    )


def _attempt(run: AgentRun) -> str:
    said = [f"Attempt {run.attempt}: {run.outcome.replace('_', ' ')}.", run.sentence]
    said += [f"{run.ticked} of {run.tasks} tasks were ticked."] if run.tasks else []
    said += [_red(gate) for gate in run.red]
    line = " ".join(" ".join(said).split())
    return line if len(line) <= _LINE_CHARACTERS_MAX else line[: _LINE_CHARACTERS_MAX - 1] + "…"


def _red(gate: RedGate) -> str:
    what = ", ".join(gate.tests) or gate.error.rstrip(".") or gate.ending.value
    return f"Gate {gate.gate} was red: {what}."
