"""How far each requirement of a change is proven, by what a runner saw and what passed.

What could not be observed is not held against a change: if too many tests passed to be named, the text
says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.core.spec.test_plan import Risk, TestPlan
from bot.core.spec.triage.mentions import Mention
from bot.core.state.coverage import PassedTests, has_passed, matched
from bot.core.values.ids import Frozen, RequirementId
from bot.core.values.spec_model import Requirement
from gates.proof import ProofLevel, ProvingTest, RequirementProof
from gates.result import Ending, GateResult
from gates.test_guard.languages import is_test_path


class ProofContext(Frozen):
    """What is known of the change beside the runner's word.

    `requirements` are as approved; `stale` those whose text on main is another one by now. `passed`
    is None where no gate names tests. `mentions` are those of the judged commit. What the change
    only keeps needs no test that fails without it.
    """

    requirements: Mapping[str, Requirement]
    stale: frozenset[str] = frozenset()
    passed: PassedTests | None = None
    mentions: tuple[Mention, ...] = ()
    plan: TestPlan = TestPlan(levels=dict.fromkeys(Risk, ProofLevel.L2))
    kept: frozenset[str] = frozenset()

    def wanted_of(self, requirement: str) -> ProofLevel:
        most = ProofLevel.L2 if requirement in self.kept else ProofLevel.L4
        wanted = self.plan.level_of(self.requirements.get(RequirementId(requirement)))
        return min(wanted, most, key=lambda level: level.rank)


def with_levels(result: GateResult, known: ProofContext) -> GateResult:
    """The result of `spec_verify` with the level of each requirement; red where one is too low."""
    if result.ending is not Ending.PASSED or not result.proof:
        return result
    others = matched(list(known.requirements.values()), _elsewhere(known.mentions, result))
    proof = tuple(
        _levelled(one, known, others.get(RequirementId(one.requirement), ()))
        for one in result.proof
    )
    low = [one for one in proof if one.level.rank < known.wanted_of(one.requirement).rank]
    if known.passed is None and known.plan.highest.rank >= ProofLevel.L2.rank:
        return replace(
            result,
            proof=proof,
            ending=Ending.COULD_NOT_RUN,
            sentence="No gate reports which tests passed, so no requirement is proven. Set `junit` "
            "for the gate that runs your tests in the policy.",
        )
    thin = [one for one in proof if one.thin]
    convicts = [one for one in low if not _is_unseen(one, known)]
    if not convicts and thin:
        return replace(result, proof=proof, ending=Ending.FAILED, sentence=_thin_sentence(thin))
    if convicts:
        return replace(
            result,
            proof=proof,
            ending=Ending.FAILED,
            sentence=_sentence(convicts, len(proof), known),
        )
    reached = min((one.level for one in proof), key=lambda level: level.rank)
    unseen = f" {len(low)} could not be checked: {low[0].why}." if low else _further(proof)
    return replace(
        result,
        proof=proof,
        sentence=f"All {len(proof)} requirements are proven at least to {reached}.{unseen}"
        if len(proof) > 1
        else f"The requirement is proven to {reached}.{unseen}",
    )


def _sentence(low: Sequence[RequirementProof], total: int, known: ProofContext) -> str:
    wanted = " or ".join(sorted({known.wanted_of(one.requirement) for one in low}))
    named = "; ".join(f"{one.requirement.partition('#')[2]}: {one.why}" for one in low[:3])
    more = f" and {len(low) - 3} more" if len(low) > 3 else ""
    return f"{len(low)} of {total} requirements not proven to {wanted}: {named}{more}."


def _thin_sentence(thin: Sequence[RequirementProof]) -> str:
    named = [f"{one.requirement.partition('#')[2]}: {name}" for one in thin for name in one.thin]
    more = f" and {len(named) - 3} more" if len(named) > 3 else ""
    wanted = " or ".join(sorted({str(one.planned) for one in thin}))
    return (
        f"{len(named)} scenarios have fewer than {wanted} tests that name them and passed: "
        f"{'; '.join(named[:3])}{more}."
        if len(named) > 1
        else f"A scenario has fewer than {wanted} tests that name it and passed: {named[0]}."
    )


def _further(proofs: Sequence[RequirementProof]) -> str:
    """What keeps requirements from the next level, although the policy does not require it."""
    short = [one for one in proofs if one.why]
    named = "; ".join(f"{one.requirement.partition('#')[2]}: {one.why}" for one in short[:3])
    return f" Warning: {named}." if short else ""


def _is_unseen(proof: RequirementProof, known: ProofContext) -> bool:
    """Whether its tests are fine, and only the list of passed tests was too long."""
    is_short = known.passed is not None and not known.passed.is_whole
    return is_short and proof.level is ProofLevel.L1


def _elsewhere(mentions: Iterable[Mention], result: GateResult) -> list[Mention]:
    """Tests in languages whose syntax the runner does not read; their names are all that is known."""
    read = {test.path for proof in result.proof for test in proof.tests}
    return [m for m in mentions if not is_test_path(m.path) and m.path not in read]


def _levelled(
    proof: RequirementProof, known: ProofContext, others: Sequence[Mention]
) -> RequirementProof:
    requirement = known.requirements.get(proof.requirement)
    tests = (
        *proof.tests,
        *(ProvingTest(path=m.path, name=m.test, version=m.version) for m in others if m.test),
    )
    names = known.passed.names if known.passed else ()
    seen = tuple(replace(test, passed=has_passed(_mention(test), names)) for test in tests)
    level, why = _level(seen, requirement, known, is_stale=proof.requirement in known.stale)
    planned = 0 if proof.requirement in known.kept else known.plan.tests_per_scenario(requirement)
    return replace(
        proof,
        tests=seen,
        level=level,
        why=why,
        planned=planned,
        thin=_thin(proof.scenarios, seen, planned, known),
    )


def _thin(
    scenarios: Sequence[str], tests: Sequence[ProvingTest], planned: int, known: ProofContext
) -> tuple[str, ...]:
    """The scenarios that too few tests show; a test counts that may have passed unseen."""
    is_whole = known.passed is None or known.passed.is_whole
    counted = [test for test in tests if test.asserts and (test.passed or not is_whole)]
    return tuple(
        scenario
        for scenario in scenarios
        if sum(scenario in test.scenarios for test in counted) < planned
    )


def _mention(test: ProvingTest) -> Mention:
    short = test.name.rpartition("::")[2].partition(" #")[0]
    return Mention(written="", path=test.path, line=1, test=short)


def _level(
    tests: Sequence[ProvingTest],
    requirement: Requirement | None,
    known: ProofContext,
    *,
    is_stale: bool,
) -> tuple[ProofLevel, str]:
    if not tests:
        return ProofLevel.NONE, "no test names it"
    asserting = [test for test in tests if test.asserts]
    if not asserting:
        return ProofLevel.NONE, "the tests that name it assert nothing, or are skipped"
    if is_stale:
        return ProofLevel.L0, "its text on main is no longer the approved one"
    text = requirement.text_hash if requirement else ""
    fresh = [test for test in asserting if text.startswith(test.version[:8])]
    if not fresh:
        return ProofLevel.L0, "its tests name another version of the text"
    passed = [test for test in fresh if test.passed]
    if not passed:
        is_whole = known.passed is None or known.passed.is_whole
        many = "too many tests passed to list them all by name"
        return ProofLevel.L1, "no test that names it has passed" if is_whole else many
    if requirement is None or requirement.id in known.kept:
        return ProofLevel.L2, ""
    return _beyond_passing(
        passed, is_asked=known.plan.level_of(requirement).rank > ProofLevel.L2.rank
    )


def _beyond_passing(passed: Sequence[ProvingTest], *, is_asked: bool) -> tuple[ProofLevel, str]:
    """What the runner measured of passed tests; what it could not see is named if the policy asks for it."""
    running = [test for test in passed if test.runs_added]
    # Where no call can run what was added, as with a constant, only the failure can be seen.
    running += [test for test in passed if test.runs_added is None and test.fails_without]
    if not running:
        if any(test.runs_added is False for test in passed):
            return ProofLevel.L2, "its tests run none of the lines that the change added"
        return ProofLevel.L2, "it is unknown which lines its tests run" if is_asked else ""
    if any(test.fails_without for test in running):
        return ProofLevel.L4, ""
    if any(test.fails_without is False for test in running):
        return ProofLevel.L3, "none of its tests fails by an assertion without the change"
    return (
        ProofLevel.L3,
        "it is unknown whether its tests fail without the change" if is_asked else "",
    )
