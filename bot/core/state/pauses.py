"""What orders need, by the names of the pauses that hold them; and which pauses hold them now.

A name says what is needed exactly: another model, another command or another gate is another name,
so that a change of the policy ends a pause by itself.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime, timedelta

from action.order import AgentSettings
from bot.core.journal.pause_state import Pause
from bot.core.journal.state import RepositoryState
from bot.core.spec.agent_budget import agent_settings
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy
from bot.core.values.ids import Frozen
from bot.core.values.pause import OF_THE_MODEL, Cause
from bot.core.values.plan_model import ChangeSize
from gates.result import GateDefinition, definition_hash

# A probe that has run for so long got past everything that ends an order early.
PROBE_RUNS = timedelta(minutes=5)

_NAME_CHARACTERS_MAX = 200

_OF_AGENTS_ALONE = OF_THE_MODEL | {Cause.PROGRAM_MISSING, Cause.PROXY_REFUSED}


class Need(Frozen):
    """Something without which an order cannot be carried out. `about` says it to people."""

    pause: str
    about: str


def need(policy: Policy, cause: Cause, about: str) -> Need:
    """What was missing, by what an order met; `about` is its model, command, workflow or gate."""
    match cause:
        case Cause.SETUP_FAILED:
            lines = "; ".join(command.run for command in policy.setup)
            named = policy.environment
            given = (named.model_dump_json(),) if named.variables or named.ca_files else ()
            return _named("setup", lines, policy.file.egress, *given)
        case Cause.SANDBOX_REFUSED:
            return _named("sandbox", str(policy.sandbox))
        case Cause.FETCH_FAILED:
            return _named("fetch", "the repository")
        case Cause.PROGRAM_MISSING | Cause.PROXY_REFUSED:
            return _named("command", about)
        case Cause.MODEL_REFUSED | Cause.MODEL_UNPAID | Cause.MODEL_AWAY:
            return _named("model", about)
        case Cause.NO_WORKFLOW:
            return _named("workflow", about)
        case Cause.NO_RUNNER:
            return _named("runner", about)
        case Cause.GATE_MISSING:
            asked = tuple(g for g in policy.gates if g.name == about)
            return _named("gate", about, definition_hash(asked))


def _named(kind: str, about: str, *more: object) -> Need:
    text = json.dumps([about, *more], default=str)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Need(pause=f"{kind}:{digest}", about=about[:_NAME_CHARACTERS_MAX])


def needs_of_agent(policy: Policy, agent: AgentSettings) -> frozenset[str]:
    found = {need(policy, Cause.MODEL_AWAY, agent.model).pause}
    if agent.command is not None:
        found.add(need(policy, Cause.PROGRAM_MISSING, agent.command).pause)
    return frozenset(found | _of_workflow(policy, policy.file.agent_workflow))


def needs_of_remake(policy: Policy) -> frozenset[str]:
    """The pauses that would hold an order to make files anew: no model, no set-up."""
    return frozenset(_of_workflow(policy, policy.file.agent_workflow)) - {
        need(policy, Cause.SETUP_FAILED, "").pause
    }


def needs_of_gates(policy: Policy, asked: Iterable[GateDefinition]) -> frozenset[str]:
    found = {need(policy, Cause.GATE_MISSING, gate.name).pause for gate in asked}
    return frozenset(found | _of_workflow(policy, policy.file.gates_workflow))


def _of_workflow(policy: Policy, workflow: str) -> set[str]:
    causes = (
        Cause.NO_WORKFLOW,
        Cause.NO_RUNNER,
        Cause.SANDBOX_REFUSED,
        Cause.FETCH_FAILED,
        Cause.SETUP_FAILED,
    )
    return {need(policy, cause, workflow).pause for cause in causes}


def all_needs(policy: Policy, models: ServerModels) -> frozenset[str]:
    """The pauses that would hold any order of today's policy."""
    agents = (agent_settings(policy, models, size) for size in ChangeSize)
    found = needs_of_gates(policy, policy.gates)
    return found.union(*(needs_of_agent(policy, agent) for agent in agents))


def of_agents(
    state: RepositoryState, policy: Policy | None, models: ServerModels | None, size: ChangeSize
) -> tuple[Pause, ...]:
    """The pauses that hold an agent order of that size; where something is not known, that may hold it."""
    if policy is not None and models is not None:
        needs = needs_of_agent(policy, agent_settings(policy, models, size))
        return tuple(pause for key, pause in state.pauses.items() if key in needs)
    return tuple(p for p in state.pauses.values() if p.cause is not Cause.GATE_MISSING)


def of_gates(state: RepositoryState, policy: Policy | None) -> tuple[Pause, ...]:
    """The pauses that hold an order of all gates; without a policy, that may hold it."""
    if policy is not None:
        needs = needs_of_gates(policy, policy.gates)
        return tuple(pause for key, pause in state.pauses.items() if key in needs)
    return tuple(p for p in state.pauses.values() if p.cause not in _OF_AGENTS_ALONE)


def is_due(state: RepositoryState, pause: Pause, now: datetime) -> bool:
    """Whether an order may be placed to see if it is over; main's files may have repaired a set-up."""
    is_moved = pause.cause not in OF_THE_MODEL and pause.main != state.main
    return is_moved or now >= pause.until


def is_being_probed(state: RepositoryState, pause: Pause, now: datetime) -> bool:
    """Whether an order is out that will say if it is over."""
    probe = state.orders.get(pause.probe) if pause.probe else None
    if probe is None or not probe.is_open:
        return False
    return probe.leased_at is None or now < probe.leased_at + PROBE_RUNS


def is_held(state: RepositoryState, needs: frozenset[str], now: datetime) -> bool:
    """Whether an order with these needs waits, or any at all because a person said so."""
    if state.orders_stopped is not None:
        return True
    met = [pause for key, pause in state.pauses.items() if key in needs]
    return any(not is_due(state, p, now) or is_being_probed(state, p, now) for p in met)
