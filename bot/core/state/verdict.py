"""Verdicts: what the required gates say together of one candidate.

The rule (law 6): only a gate that ran and passed is a pass; a result that is missing is a gate that
could not run, and an empty set of required gates passes nothing. Results hold again only as law 8
says: a tree result for the identical tree, a diff result for the identical diff, both under the
same definition. Deliberately absent: running gates.
"""

import hashlib
from dataclasses import replace
from enum import StrEnum

from bot.core.journal.state import Candidate, ChangeFacts
from bot.core.spec.policy import Policy
from bot.core.values.ids import Frozen
from gates.result import Ending, GateDefinition, GateReport, GateResult, Judges, definition_hash


class Verdict(StrEnum):
    """Whether a candidate may become main."""

    GREEN = "green"
    RED = "red"


class Judgement(Frozen):
    """A verdict with the results it rests on and a sentence for a person."""

    verdict: Verdict
    results: tuple[GateResult, ...]
    sentence: str


def gates_hash(policy: Policy) -> str:
    """One name for all that judges: the gates in their order, and what may not be touched."""
    protected = "\n".join(policy.protected)
    text = f"{definition_hash(policy.gates)}\n{protected}"
    return hashlib.sha256(text.encode()).hexdigest()


def judge(policy: Policy, results: tuple[GateResult, ...]) -> Judgement:
    """The verdict over results, in the policy's order; a missing gate is one that did not run."""
    # Where a gate is reported twice, the worse result counts.
    worst_last = sorted(results, key=lambda r: r.ending is not Ending.PASSED)
    by_name = {r.gate: r for r in worst_last}
    asked = tuple(_as_defined(g, by_name.get(g.name)) for g in policy.gates)
    required = frozenset(policy.required_gates)
    red = tuple(r for r in asked if r.gate in required and r.ending is not Ending.PASSED)
    if not required:
        return Judgement(
            verdict=Verdict.RED,
            results=asked,
            sentence="No gate is required, so nothing can land.",
        )
    if red:
        names = ", ".join(f"{r.gate} ({r.ending.replace('_', ' ')})" for r in red)
        return Judgement(verdict=Verdict.RED, results=asked, sentence=f"Did not pass: {names}.")
    return Judgement(
        verdict=Verdict.GREEN,
        results=asked,
        sentence=f"All {len(required)} required gates passed.",
    )


def _as_defined(gate: GateDefinition, result: GateResult | None) -> GateResult:
    """The result under the base's definition: what it holds for is not the runner's to say."""
    if result is not None:
        return replace(result, judges=gate.judges)
    return GateResult(
        gate=gate.name,
        judges=gate.judges,
        ending=Ending.COULD_NOT_RUN,
        sentence="The runner reported no result for this gate.",
    )


def believable(report: GateReport, commit: str, asked_hash: str) -> bool:
    """Whether a report speaks of the commit and the definitions that were asked about."""
    return report.candidate_sha == commit and report.definition_hash == asked_hash


def reusable(change: ChangeFacts, candidate: Candidate, policy: Policy) -> tuple[GateResult, ...]:
    """Passed results of earlier candidates that still hold for this one (law 8)."""
    asked_hash = gates_hash(policy)
    held: dict[str, GateResult] = {}
    for judged in change.judged:
        if judged.definition_hash != asked_hash:
            continue
        for result in judged.results:
            same = (
                judged.tree == candidate.tree
                if result.judges is Judges.TREE
                else judged.diff_digest == candidate.diff_digest
            )
            if same:
                held[result.gate] = result
    return tuple(held.values())
