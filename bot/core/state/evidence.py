"""What is known of a commit before its gates are asked: results of the same tree or the same diff.

A result holds for whoever brings the same thing to be judged, under the same definition of the gate:
its line, setup, egress, sandbox and runners, and for what judges a diff the protected paths, too.
"""

import hashlib
import json
from collections.abc import Set
from dataclasses import asdict

from bot.core.journal.state import Candidate, ChangeFacts, RepositoryState
from bot.core.spec.awaited_gates import AcceptanceGate, ReviewGate
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import RunsOnFor
from bot.core.values.evidence_key import EvidenceKey
from bot.core.values.ids import Frozen, Sha
from bot.core.values.plan_model import ChangeType
from gates.asked import AskedRequirement
from gates.declared import NOTHING_DECLARED, DeclaredScope
from gates.proof import ProofLevel
from gates.result import Ending, GateDefinition, GateResult, Judges, definition_hash

_DIGITS = 24


class Judged(Frozen):
    """What gates are given: a commit with its tree and, where it is a candidate's, its diff.

    `about` is what gates are told of the diff: requirements, and what Headgate itself wrote. An empty
    `diff` (a commit of main) finds results of its tree alone.
    """

    commit: Sha
    tree: Sha
    diff: str = ""
    about: str = ""
    type: ChangeType | None = None


def judged_of(
    change: ChangeFacts,
    candidate: Candidate,
    requirements: tuple[AskedRequirement, ...],
    declared: DeclaredScope,
) -> Judged:
    """A change's candidate, as its gates are given it."""
    told = json.dumps([asdict(r) for r in requirements], sort_keys=True)
    # Nothing where nothing is declared, so that older evidence keeps its name.
    scope = (json.dumps(asdict(declared)),) if declared != NOTHING_DECLARED else ()
    return Judged(
        commit=candidate.sha,
        tree=candidate.tree,
        diff=candidate.diff_digest,
        about=_digest(told, *candidate.archive_paths, *scope),
        type=change.planned.type,
    )


def keys_of(policy: Policy, judged: Judged) -> tuple[EvidenceKey, ...]:
    """Under which name each gate's result is kept; checks of others are about one commit, a
    model's or a person's word about one diff.
    """
    ours = (
        EvidenceKey(
            gate=gate.name,
            definition=_definition(policy, gate, judged.type),
            judged=_what(gate.judges, judged),
        )
        for gate in policy.gates
        if judged.diff or gate.judges is Judges.TREE
    )
    theirs = (
        EvidenceKey(
            gate=gate.name,
            definition=_digest(gate.model_dump_json()),
            judged=f"commit:{judged.commit}",
        )
        for gate in policy.external_gates
        if judged.diff
    )
    asked: tuple[ReviewGate | AcceptanceGate, ...] = (
        *policy.review_gates,
        *policy.acceptance_gates,
    )
    on_diffs = (
        EvidenceKey(
            gate=gate.name,
            definition=_digest(gate.model_dump_json()),
            judged=_what(Judges.DIFF, judged),
        )
        for gate in asked
        if judged.diff
    )
    return (*ours, *theirs, *on_diffs)


def held(state: RepositoryState, policy: Policy, judged: Judged) -> tuple[GateResult, ...]:
    """Passes of our gates that need not run again: the same content passed before, in whatever entry."""
    ours = {gate.name for gate in policy.gates}
    known = (state.evidence.get(key.name) for key in keys_of(policy, judged) if key.gate in ours)
    found = tuple(e.result for e in known if e is not None and e.result.ending is Ending.PASSED)
    if not judged.diff or not _must_see_tests_run(policy, {result.gate for result in found}):
        return found
    return tuple(result for result in found if not policy.file.gates[result.gate].junit)


def _must_see_tests_run(policy: Policy, names: Set[str]) -> bool:
    """Whether a gate that is asked runs the tests of others again, in the same order."""
    asked = {e.builtin for name, e in policy.file.gates.items() if name not in names}
    is_measured = policy.level.rank > ProofLevel.L2.rank
    return "base_tests" in asked or (is_measured and "spec_verify" in asked)


def is_complete(state: RepositoryState, policy: Policy, judged: Judged) -> bool:
    """Whether every required gate has its evidence, as main defines the gates now."""
    required = set(policy.required_gates)
    required |= {gate.name for gate in policy.awaited_gates if gate.required}
    keys = {key.gate: key.name for key in keys_of(policy, judged)}
    return all(keys.get(gate) in state.evidence for gate in required)


def _definition(policy: Policy, gate: GateDefinition, type_: ChangeType | None) -> str:
    runner = policy.runs_on(RunsOnFor.GATES, type_)
    parts = [
        definition_hash((gate,)),
        *(line.model_dump_json() for line in policy.setup),
        *policy.file.egress,
        *_environment(policy),
        policy.sandbox,
        *policy.sandbox_allow,
        f"runs-on {runner}",
    ]
    if gate.judges is not Judges.TREE:
        parts += policy.protected
    if gate.judges is Judges.CHANGE:
        # Its result depends on what other gates found.
        parts += (definition_hash(policy.gates), policy.level, policy.measured)
        parts += (policy.test_plan.model_dump_json(),)
    return _digest(*parts)


def _environment(policy: Policy) -> tuple[str, ...]:
    """Nothing where nothing is named, so that older evidence keeps its name."""
    named = policy.environment
    return (named.model_dump_json(),) if named.variables or named.ca_files else ()


def _what(judges: Judges, judged: Judged) -> str:
    match judges:
        case Judges.TREE:
            return f"tree:{judged.tree}"
        case Judges.DIFF:
            return f"diff:{judged.diff}:{judged.about}"
        case Judges.CHANGE:
            return f"change:{judged.tree}:{judged.diff}:{judged.about}"


def _digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_DIGITS]
