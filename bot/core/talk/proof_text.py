"""The table of proofs: requirement, scenario, test and level."""

from collections.abc import Iterable

from bot.core.journal.state import Candidate
from bot.core.talk.text import cell, code, counted, cut
from gates.proof import ProvingTest, RequirementProof, proof_digest
from gates.result import GateResult

_TESTS_SHOWN = 3


def proof_lines(results: Iterable[GateResult]) -> list[str]:
    """The table of the change's requirements; nothing where no gate proves them."""
    proofs = [proof for result in results for proof in result.proof]
    if not proofs:
        return []
    rows = ["| Requirement | Level | Scenario | Tests | Missing |", "|---|---|---|---|---|"]
    for proof in proofs:
        name = cell(proof.requirement.partition("#")[2] or proof.requirement)
        rows.append(f"| {name} | {proof.level} | | {_tests(proof.tests)} | {cell(proof.why)} |")
        rows += [_scenario(proof, scenario) for scenario in proof.scenarios]
    return ["\n".join(("**Proof of each requirement**", "", *rows))]


def proof_comment(candidate: Candidate) -> str:
    """The table on the pull, with the digest that the ledger line of the landing has; empty without proof."""
    proofs = [proof for result in candidate.results for proof in result.proof]
    if not proofs:
        return ""
    judged = f"Judged on {candidate.sha[:12]}. SHA-256 of the proof: `{proof_digest(proofs)}`. "
    ledger = "The ledger line of the landing records the same digest."
    return cut("\n\n".join((*proof_lines(candidate.results), judged + ledger)))


def _scenario(proof: RequirementProof, scenario: str) -> str:
    named = [test for test in proof.tests if scenario in test.scenarios]
    missing = "" if named else "no test names it"
    if scenario in proof.thin:
        missing = f"fewer than {counted(proof.planned, 'test')} passed"
    return f"| | | {cell(scenario)} | {_tests(named)} | {missing} |"


def _tests(tests: Iterable[ProvingTest]) -> str:
    all_ = sorted(tests, key=lambda test: not test.passed)
    shown = "<br>".join(f"{_mark(test)} {code(test.id)}" for test in all_[:_TESTS_SHOWN])
    more = len(all_) - _TESTS_SHOWN
    return (f"{shown}<br>and {more} more" if more > 0 else shown) or "–"


def _mark(test: ProvingTest) -> str:
    if not test.asserts:
        return "asserts nothing:"
    return "passed:" if test.passed else "not passed:"
