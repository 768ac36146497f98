"""What gates are told of a change's requirements, and what proof of each is asked."""

from dataclasses import replace

import pytest

from action.order import AgentOrder, GateOrder
from bot.core.journal import effects as ef, events as ev
from bot.core.journal.state import LedgerKind
from bot.core.spec.test_plan import Risk, TestPlan
from bot.core.spec.triage.mentions import Mention
from bot.core.state.candidates import is_being_judged
from bot.core.state.coverage import PassedTests
from bot.core.state.proof import ProofContext, with_levels
from bot.core.talk.planned_tests import planned_tests
from bot.core.values.ids import IssueNumber
from bot.core.values.lifecycle import ChangeState
from bot.core.values.spec_model import Modality, Operation
from gates.asked import Asked, AskedRequirement
from gates.proof import ProofLevel, ProvingTest, RequirementProof, proof_digest
from gates.result import Ending, GateResult, Judges
from tests.core.kit import World, approved
from tests.core.values import GATES, policy, requirement, sha, spec


def told(world: World) -> tuple[AskedRequirement, ...]:
    """The requirements of the gate order that comes for the first work of an agent."""
    world.settle()
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    (order,) = world.open_orders(GateOrder)
    return world.gate_order(order).requirements


class TestGateOrders:
    """Gates know the requirements of the change: by which names, and what becomes of each."""

    def test_a_requirement_is_sent_with_the_names_that_tests_may_use(self) -> None:
        world = approved(spec(requirement("REQ-CART-01", "cart", scenario="It adds up.")))
        assert told(world) == (
            AskedRequirement(id="shop#REQ-CART-01", names=("REQ-CART-01",), scenarios=("shown",)),
        )

    @pytest.mark.parametrize(
        ("operation", "asked"),
        [
            (None, Asked.ADDED),
            (Operation.ADDED, Asked.ADDED),
            (Operation.RENAMED, Asked.KEPT),
            (Operation.MODIFIED, Asked.MODIFIED),
            (Operation.REMOVED, Asked.REMOVED),
        ],
    )
    def test_only_modified_or_removed_requirements_allow_test_changes(
        self, operation: Operation | None, asked: Asked
    ) -> None:
        world = approved(spec(requirement("A", operation=operation)))
        (only,) = told(world)
        assert only.asked is asked
        assert only.frees_tests is (operation in {Operation.MODIFIED, Operation.REMOVED})

    def test_requirements_of_other_changes_allow_no_test_changes(self) -> None:
        world = approved(
            spec(requirement("A", "cart"), requirement("B", "till", operation=Operation.REMOVED))
        )
        assert [one.id for one in told(world)] == ["shop#A"]

    def test_commits_by_people_are_judged_as_a_persons_work(self) -> None:
        world = approved(spec(requirement("A")))
        world.settle()
        world.push(sha("by hand"), "README.md")
        world.settle()
        orders = [world.gate_order(order) for order in world.open_orders(GateOrder)]
        assert [order.is_of_person for order in orders] == [True]
        assert orders[0].requirements == ()


VERIFIED = (
    GATES.replace("run: make test\n", "run: make test\n    junit: true\n")
    + "  spec_verify:\n    builtin: spec_verify\n"
)
SUM = ProvingTest(path="tests/test_shop.py", name="TestShop::test_sum", scenarios=("shown",))


def judged(
    *tests: ProvingTest,
    passing: tuple[str, ...] = ("tests.test_shop.TestShop::test_sum",),
    policy_text: str = VERIFIED,
    unnamed: int = 0,
    failed: str = "",
    is_reading_tests: bool = False,
) -> World:
    """One requirement, whose work has been judged with these tests."""
    world = approved(spec(requirement("A", scenario="It adds up.")))
    world.policy_text = policy_text
    world.passing, world.passing_unnamed = list(passing), unnamed
    world.proof = [RequirementProof(requirement="shop#A", scenarios=("shown",), tests=tests)]
    world.settle()
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    (order,) = world.open_orders(GateOrder)
    world.judge(order, (), **dict.fromkeys(failed.split(), Ending.FAILED))
    world.is_reading_tests = is_reading_tests
    world.settle()
    return world


def verified(world: World) -> GateResult:
    """The first judgement of `spec_verify` in the journal."""
    return next(
        result
        for event in world.journal
        if isinstance(event, ev.CandidatePassed | ev.CandidateFailed | ev.GatesDoubted)
        for result in event.results
        if result.gate == "spec_verify"
    )


def verdict(world: World) -> str:
    """What the check run of the only candidate says."""
    return world.check_runs[f"{world.change('A').id}:1"].summary


class TestLevels:
    """Each requirement of the change has a test that asserts, means its text and passed."""

    def test_a_test_that_names_it_and_passed_proves_a_requirement(self) -> None:
        world = judged(SUM)
        assert verified(world).ending is Ending.PASSED
        assert [one.level for one in verified(world).proof] == [ProofLevel.L2]
        world.work()
        assert world.change("A").state is ChangeState.LANDED

    def test_a_report_waits_until_the_tests_that_it_names_are_read(self) -> None:
        world = judged(SUM, is_reading_tests=True)
        assert is_being_judged(world.state, world.change("A"))
        assert len(world.open_orders(GateOrder)) == 1
        world.is_reading_tests = False
        world.settle()
        assert [one.level for one in verified(world).proof] == [ProofLevel.L2]

    @pytest.mark.parametrize(
        ("tests", "passing", "level", "why"),
        [
            ((), ("other",), ProofLevel.NONE, "no test names it"),
            (
                (ProvingTest(path="tests/test_shop.py", name="test_sum", asserts=False),),
                ("tests.test_shop.test_sum",),
                ProofLevel.NONE,
                "the tests that name it assert nothing, or are skipped",
            ),
            (
                (ProvingTest(path="tests/test_shop.py", name="test_sum", version="0" * 8),),
                ("tests.test_shop.test_sum",),
                ProofLevel.L0,
                "its tests name another version of the text",
            ),
            ((SUM,), ("other",), ProofLevel.L1, "no test that names it has passed"),
            (
                (SUM,),
                ("tests.test_shop.test_sums",),
                ProofLevel.L1,
                "no test that names it has passed",
            ),
        ],
    )
    def test_a_requirement_that_is_not_proven_is_red(
        self,
        tests: tuple[ProvingTest, ...],
        passing: tuple[str, ...],
        level: ProofLevel,
        why: str,
    ) -> None:
        world = judged(*tests, passing=passing)
        result = verified(world)
        assert result.ending is Ending.FAILED
        assert result.sentence == f"1 of 1 requirements not proven to L2: A: {why}."
        assert [one.level for one in result.proof] == [level]
        assert world.change("A").state is not ChangeState.LANDED

    def test_a_runner_cannot_say_itself_that_a_test_passed(self) -> None:
        claimed = ProvingTest(path="tests/test_shop.py", name="test_sum", passed=True)
        assert verified(judged(claimed, passing=("other",))).ending is Ending.FAILED

    def test_a_gate_without_a_test_report_proves_no_requirement(self) -> None:
        result = verified(judged(SUM, policy_text=VERIFIED.replace("    junit: true\n", "")))
        assert result.ending is Ending.COULD_NOT_RUN
        assert "Set `junit` for the gate that runs your tests" in result.sentence

    def test_a_cut_list_of_passed_tests_does_not_fail_a_change(self) -> None:
        world = judged(SUM, passing=("other",), unnamed=2_000)
        assert verified(world).ending is Ending.PASSED
        assert (
            "1 could not be checked: too many tests passed to list them all by name."
            in verified(world).sentence
        )

    @pytest.mark.parametrize(
        ("wanted", "ending"),
        [("L0", Ending.PASSED), ("L1", Ending.FAILED), ("L2", Ending.FAILED)],
    )
    def test_the_policy_says_how_far_a_requirement_must_be_proven(
        self, wanted: str, ending: Ending
    ) -> None:
        other_text = ProvingTest(path="tests/test_shop.py", name="test_sum", version="0badc0de")
        text = VERIFIED + f"    level: {wanted}\n"
        world = judged(other_text, passing=("tests.test_shop.test_sum",), policy_text=text)
        assert verified(world).ending is ending

    def test_tests_in_an_unsupported_language_count_by_name(self) -> None:
        world = approved(spec(requirement("REQ-CART-01")))
        world.policy_text = VERIFIED
        world.tests = [
            Mention(written="REQ-CART-01", path="spec/cart_spec.rb", line=1, test="adds")
        ]
        world.passing = ["spec.cart_spec adds"]
        world.proof = [RequirementProof(requirement="shop#REQ-CART-01")]
        world.work()
        assert [one.level for one in verified(world).proof] == [ProofLevel.L2]

    def test_tests_read_by_a_plugin_are_not_counted_again_by_name(self) -> None:
        world = approved(spec(requirement("REQ-CART-01")))
        world.policy_text = VERIFIED
        hollow = ProvingTest(path="test/cart_test.exs", name="adds", asserts=False)
        world.tests = [Mention(written="REQ-CART-01", path=hollow.path, line=1, test="adds")]
        world.passing = ["test.cart_test adds"]
        world.proof = [RequirementProof(requirement="shop#REQ-CART-01", tests=(hollow,))]
        world.work()
        assert [one.level for one in verified(world).proof] == [ProofLevel.NONE]

    def test_a_text_that_changed_on_main_is_not_the_approved_one(self) -> None:
        asked = requirement("A")
        seen = GateResult(
            gate="spec_verify",
            judges=Judges.CHANGE,
            ending=Ending.PASSED,
            sentence="",
            proof=(RequirementProof(requirement=asked.id, tests=(SUM,)),),
        )
        passed = PassedTests(names=("test_sum",), is_whole=True)
        known = ProofContext(requirements={asked.id: asked}, passed=passed)
        assert with_levels(seen, known).proof[0].level is ProofLevel.L2
        result = with_levels(seen, known.replace(stale=frozenset({asked.id})))
        assert result.proof[0].level is ProofLevel.L0
        assert result.ending is Ending.FAILED

    def test_a_proof_that_failed_with_a_red_test_is_repeated_with_it(self) -> None:
        text = VERIFIED.replace("repeat: 0", "repeat: 1")
        world = judged(SUM, passing=(), policy_text=text, failed="test")
        world.passing = ["tests.test_shop.TestShop::test_sum"]
        world.work()
        assert world.change("A").state is ChangeState.LANDED
        assert [e.gate for e in world.journal if isinstance(e, ev.GateFlaked)] == ["test"]


class TestPublishedProof:
    """The table stands in the verdict, and its digest in the ledger."""

    def test_the_verdict_shows_requirement_scenario_test_and_level(self) -> None:
        world = judged(SUM)
        said = verdict(world)
        assert "**Proof of each requirement**" in said
        assert "| A | L2 | | passed: `tests/test_shop.py::TestShop::test_sum` |" in said
        assert "| | | shown | passed: `tests/test_shop.py::TestShop::test_sum` |" in said

    def test_a_scenario_that_no_test_names_is_shown(self) -> None:
        world = judged(
            ProvingTest(path="tests/test_shop.py", name="test_sum"), passing=("test_sum",)
        )
        assert "| | | shown | – | no test names it |" in verdict(world)

    def test_the_table_on_the_pull_shows_the_newest_verdict(self) -> None:
        world = judged(SUM, passing=("test_other",))
        pull = world.change("A").pull
        (said,) = [text for number, text in world.posted if number == pull]
        assert "| A | L1 |" in said
        world.passing = ["tests.test_shop.TestShop::test_sum"]
        world.work()
        line = next(one for one in world.state.ledger if one.kind is LedgerKind.LANDED)
        edits = [e for e in world.intended if isinstance(e, ef.EditComment)]
        assert {e.issue for e in edits} == {IssueNumber(pull or 0)}
        assert "| A | L2 |" in edits[-1].text
        assert f"`{line.proof}`" in edits[-1].text

    def test_without_a_proof_the_pull_has_no_comment(self) -> None:
        world = approved(spec(requirement("A")))
        world.work()
        assert not [number for number, _ in world.posted if number == world.change("A").pull]

    def test_the_ledger_keeps_the_digest_of_the_proof(self) -> None:
        world = judged(SUM)
        world.work()
        line = next(one for one in world.state.ledger if one.kind is LedgerKind.LANDED)
        assert line.proof == proof_digest(verified(world).proof)
        assert len(line.proof) == 64


def ordered(policy_text: str) -> GateOrder:
    """The gate order of the first work."""
    world = approved(spec(requirement("A")), policy_text)
    world.settle()
    world.hand_in(world.open_orders(AgentOrder)[0])
    world.settle()
    return world.gate_order(world.open_orders(GateOrder)[0])


def measured(*, runs: bool | None, fails: bool | None) -> ProvingTest:
    """The test of the sum, as the harness measured it."""
    return replace(SUM, runs_added=runs, fails_without=fails)


class TestMeasuredProof:
    """L3 and L4: a test runs what the change added, and fails without it."""

    @pytest.mark.parametrize(
        ("runs", "fails", "level", "why"),
        [
            (True, True, ProofLevel.L4, ""),
            (
                True,
                False,
                ProofLevel.L3,
                "none of its tests fails by an assertion without the change",
            ),
            (True, None, ProofLevel.L3, ""),
            (
                False,
                False,
                ProofLevel.L2,
                "its tests run none of the lines that the change added",
            ),
            # It fails for another reason than what the change added to the code.
            (
                False,
                True,
                ProofLevel.L2,
                "its tests run none of the lines that the change added",
            ),
            (None, True, ProofLevel.L4, ""),
            (None, None, ProofLevel.L2, ""),
        ],
    )
    def test_measurements_set_the_level_and_fail_nothing_by_default(
        self, *, runs: bool | None, fails: bool | None, level: ProofLevel, why: str
    ) -> None:
        result = verified(judged(measured(runs=runs, fails=fails)))
        assert result.ending is Ending.PASSED
        assert [(one.level, one.why) for one in result.proof] == [(level, why)]
        assert ("Warning" in result.sentence) is bool(why)
        assert why in result.sentence

    @pytest.mark.parametrize(
        ("wanted", "runs", "fails", "ending"),
        [
            ("L3", True, False, Ending.PASSED),
            ("L3", False, True, Ending.FAILED),
            ("L3", None, None, Ending.FAILED),
            ("L4", True, True, Ending.PASSED),
            ("L4", True, False, Ending.FAILED),
            ("L4", True, None, Ending.FAILED),
        ],
    )
    def test_the_policy_may_require_measurements(
        self, *, wanted: str, runs: bool | None, fails: bool | None, ending: Ending
    ) -> None:
        text = VERIFIED + f"    level: {wanted}\n"
        result = verified(judged(measured(runs=runs, fails=fails), policy_text=text))
        assert result.ending is ending
        if runs is None or fails is None:
            assert "it is unknown" in result.sentence

    @pytest.mark.parametrize(
        ("more", "measured"),
        [
            ("", ProofLevel.L3),
            ("    measure: L2\n", ProofLevel.L2),
            ("    measure: L4\n", ProofLevel.L4),
            ("    level: L4\n", ProofLevel.L4),
        ],
    )
    def test_a_runner_measures_up_to_the_level_of_the_policy(
        self, more: str, measured: ProofLevel
    ) -> None:
        assert ordered(VERIFIED + more).measured is measured

    def test_without_a_proof_gate_nothing_is_measured(self) -> None:
        assert ordered(GATES).measured is ProofLevel.NONE

    def test_a_failing_test_proves_nothing_by_failing_on_main(self) -> None:
        failing = replace(measured(runs=True, fails=True), name="TestShop::test_other")
        world = judged(measured(runs=False, fails=None), failing)
        assert [one.level for one in verified(world).proof] == [ProofLevel.L2]

    def test_an_unchanged_requirement_needs_no_failing_test(self) -> None:
        asked = requirement("A")
        seen = GateResult(
            gate="spec_verify",
            judges=Judges.CHANGE,
            ending=Ending.PASSED,
            sentence="",
            proof=(RequirementProof(requirement=asked.id, tests=(SUM,)),),
        )
        known = ProofContext(
            requirements={asked.id: asked},
            passed=PassedTests(names=("test_sum",), is_whole=True),
            plan=TestPlan(levels=dict.fromkeys(Risk, ProofLevel.L4)),
        )
        assert with_levels(seen, known).ending is Ending.FAILED
        assert with_levels(seen, known.replace(kept=frozenset({asked.id}))).ending is Ending.PASSED


PLANNED = VERIFIED + "    scenarios: 2\n"


class TestScenarios:
    """A test plan: how many tests each scenario has."""

    def test_a_scenario_with_too_few_tests_is_red_and_named(self) -> None:
        world = judged(SUM, policy_text=PLANNED)
        result = verified(world)
        assert result.ending is Ending.FAILED
        said = "A scenario has fewer than 2 tests that name it and passed: A: shown."
        assert result.sentence == said
        assert "fewer than 2 tests passed" in verdict(world)

    def test_a_scenario_with_enough_passed_tests_is_green(self) -> None:
        other = replace(SUM, name="test_more")
        passing = ("tests.test_shop.TestShop::test_sum", "tests.test_shop.test_more")
        assert (
            verified(judged(SUM, other, passing=passing, policy_text=PLANNED)).proof[0].thin == ()
        )
        one_red = judged(SUM, other, passing=passing[:1], policy_text=PLANNED)
        assert verified(one_red).proof[0].thin == ("shown",)
        silent = replace(other, asserts=False)
        assert verified(judged(SUM, silent, passing=passing, policy_text=PLANNED)).proof[0].thin

    def test_unnamed_tests_of_a_cut_report_do_not_fail_a_scenario(self) -> None:
        other = replace(SUM, name="test_more")
        world = judged(SUM, other, policy_text=PLANNED, unnamed=2_000)
        assert verified(world).ending is Ending.PASSED

    def test_the_agent_order_contains_the_test_plan(self) -> None:
        world = approved(spec(requirement("A")), PLANNED + "    level: L4\n")
        world.settle()
        plan = world.agent_order().brief.test_plan
        assert len(plan) == 3
        assert "fails by an assertion" in plan[1]
        assert "2 tests that pass" in plan[2]
        plain = approved(spec(requirement("A")), GATES)
        plain.settle()
        assert plain.agent_order().brief.test_plan == ()

    @pytest.mark.parametrize(
        ("risks", "priority", "ending"),
        [
            ("", None, Ending.PASSED),
            ("    risks: {'shop#*': high}\n", None, Ending.FAILED),
            ("    risks: {'shop#B': high, '*': low}\n", None, Ending.PASSED),
            ("", "P1", Ending.FAILED),
            ("    risks: {'*': normal}\n", "P1", Ending.PASSED),
        ],
    )
    def test_a_requirement_of_high_risk_needs_more(
        self, risks: str, priority: str | None, ending: Ending
    ) -> None:
        plan = "    scenarios: {high: 2, normal: 1}\n    level: {high: L3}\n"
        asked = requirement("A").replace(priority=priority)
        known = ProofContext(
            requirements={asked.id: asked},
            passed=PassedTests(names=("tests.test_shop.TestShop::test_sum",), is_whole=True),
            plan=policy(VERIFIED + plan + risks).test_plan,
        )
        proof = RequirementProof(
            requirement=asked.id, scenarios=("shown",), tests=(measured(runs=True, fails=None),)
        )
        seen = GateResult(
            gate="spec_verify",
            judges=Judges.CHANGE,
            ending=Ending.PASSED,
            sentence="",
            proof=(proof,),
        )

        assert with_levels(seen, known).ending is ending

        unmeasured = replace(proof, tests=(SUM,))
        low = with_levels(replace(seen, proof=(unmeasured,)), known)
        assert ("not proven to L3" in low.sentence) is (ending is Ending.FAILED)

    def test_the_test_plan_lists_requirements_that_need_more(self) -> None:
        told = planned_tests(
            policy(
                VERIFIED + "    scenarios: {high: 2, normal: 1}\n    risks: {'*B': high}\n"
                "    level: {high: L3}\n"
            ).test_plan,
            [requirement("A"), requirement("B"), requirement("C").replace(modality=Modality.MAY)],
        )
        assert told[1:] == (
            "A test of B runs lines that your work adds.",
            "Each scenario of A has a test that passes and contains the scenario's name in its "
            "words.",
            "Each scenario of B has 2 tests that pass and contains the scenario's name in its "
            "words.",
        )
