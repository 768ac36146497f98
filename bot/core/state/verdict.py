"""Verdicts: the results of all required gates on one candidate.

Law 6: only a gate that ran and passed counts as passed. A missing result counts as "could not run",
and without required gates nothing passes. Which results hold again says `evidence`.
"""

import hashlib
import json
from dataclasses import replace
from enum import StrEnum

from bot.core.spec.policy import Policy
from bot.core.values.ids import Frozen
from gates.result import Ending, GateDefinition, GateReport, GateResult, definition_hash


class Verdict(StrEnum):
    """Whether a candidate may become main."""

    GREEN = "green"
    RED = "red"


class Judgement(Frozen):
    verdict: Verdict
    results: tuple[GateResult, ...]
    sentence: str


def gates_hash(policy: Policy) -> str:
    """A hash of everything that affects a verdict: the gates in order, the protected paths, and the
    checks of others."""
    protected = "\n".join(policy.protected)
    text = f"{definition_hash(policy.gates)}\n{protected}"
    if policy.when:
        text += f"\n{json.dumps(policy.when)}"
    if policy.external_gates:
        text += "\n".join(("", *(gate.model_dump_json() for gate in policy.external_gates)))
    if policy.acceptance_gates:
        text += "\n".join(("", *(gate.model_dump_json() for gate in policy.acceptance_gates)))
    if policy.review_gates:
        text += "\n".join(("", *(gate.model_dump_json() for gate in policy.review_gates)))
    return hashlib.sha256(text.encode()).hexdigest()


def judge(policy: Policy, results: tuple[GateResult, ...]) -> Judgement:
    """The verdict on results, in the policy's order; a missing result counts as "could not run".

    Checks and words of others count where they were awaited: on candidates, not on main.
    """
    # If a gate is reported twice, the worse result counts.
    worst_last = sorted(results, key=lambda r: not r.is_accepted)
    by_name = {r.gate: r for r in worst_last}
    awaited = tuple(by_name[g.name] for g in policy.awaited_gates if g.name in by_name)
    asked = (*(_as_defined(g, by_name.get(g.name)) for g in policy.gates), *awaited)
    required = frozenset(policy.required_gates)
    if required:
        required |= {g.name for g in policy.awaited_gates if g.required and g.name in by_name}
    red = tuple(r for r in asked if r.gate in required and not r.is_accepted)
    if not required:
        return Judgement(
            verdict=Verdict.RED,
            results=asked,
            sentence="The policy requires no gate, so no change can land.",
        )
    if red:
        names = ", ".join(f"{r.gate} ({r.ending.replace('_', ' ')})" for r in red if r.is_red)
        stopped = ", ".join(r.gate for r in red if r.stopped_by)
        said = f"Did not pass: {names}." if names else ""
        left = f"Not started: {stopped}." if stopped else ""
        return Judgement(verdict=Verdict.RED, results=asked, sentence=f"{said} {left}".strip())
    return Judgement(
        verdict=Verdict.GREEN,
        results=asked,
        sentence="The required gate passed."
        if len(required) == 1
        else f"All {len(required)} required gates passed.",
    )


def _as_defined(gate: GateDefinition, result: GateResult | None) -> GateResult:
    """The result with `judges` from the policy on main, because a runner may not choose it."""
    if result is not None:
        return replace(result, judges=gate.judges)
    return GateResult(
        gate=gate.name,
        judges=gate.judges,
        ending=Ending.COULD_NOT_RUN,
        sentence="The runner reported no result for this gate.",
    )


def believable(report: GateReport, commit: str, asked_hash: str) -> bool:
    return report.candidate_sha == commit and report.definition_hash == asked_hash
