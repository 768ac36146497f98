"""Runners that do what a test says: they take orders and report the results."""

from datetime import timedelta

from action.order import AgentOrder, GateOrder, RunStatus, ToldWords
from action.report import (
    AgentEnding,
    AgentQuestion,
    AgentReport,
    GateOrderReport,
    Obstacle,
    ThreadAccount,
    TokenUse,
)
from bot.core.journal.state import Candidate, ChangeFacts, QueuedPull, SpecRun
from bot.core.state.candidates import stage_of
from bot.core.state.observed import (
    OrderEntry,
)
from bot.core.values.agent_activity import AgentActivity
from bot.core.values.ids import Digest, OrderId
from bot.core.values.lifecycle import OfferStage
from bot.core.values.repository import (
    WorkflowRun,
    WorkflowRunState,
)
from gates.proof import RequirementProof
from gates.result import Ending, GateDefinition, GateReport, GateResult, TestCounts
from tests.core.repository import PlayedRepository
from tests.core.values import GATES, sha


class PlayedRunners(PlayedRepository):
    """A repository, and the runners that work for it."""

    def __init__(self, policy_text: str | None = GATES) -> None:
        super().__init__(policy_text)
        self.passed_alone: tuple[str, ...] = ()
        # What was red and ran once more in the same order.
        self.doubts: tuple[GateResult, ...] = ()
        self.orders: dict[OrderId, AgentOrder | GateOrder] = {}
        self.order_store: dict[OrderId, OrderEntry] = {}
        self.ended_runs: dict[OrderId, str] = {}
        self.told: dict[OrderId, tuple[ToldWords, ...]] = {}
        self.job_errors: tuple[str, ...] = ()
        self.bundles: dict[OrderId, str] = {}
        # The tests that every gate with a JUnit report names as passed, and how many more passed.
        self.passing: list[str] = []
        self.passing_unnamed = 0
        # What a runner sees of each requirement's tests.
        self.proof: list[RequirementProof] = []
        # What each gate takes.
        self.seconds: dict[str, float] = {}
        # What every gate that does not pass prints.
        self.log = ""

    def _workflow_run(self, id_: OrderId) -> WorkflowRun | None:
        run = self.state.orders[id_].workflow_run
        if run is None:
            return None
        conclusion = self.ended_runs.get(id_)
        return WorkflowRun(
            id=run,
            title=id_,
            state=WorkflowRunState.COMPLETED if conclusion else WorkflowRunState.IN_PROGRESS,
            conclusion=conclusion,
            html_url="https://github.test/run",
            created_at=self.now,
            errors=self.job_errors,
        )

    def open_orders(self, kind: type[AgentOrder] | type[GateOrder]) -> list[OrderId]:
        """Orders of a kind that no report has come for, oldest first."""
        return [
            id_
            for id_, order in self.orders.items()
            if isinstance(order, kind) and id_ in self.state.open_orders
        ]

    def agent_order(self, id_: OrderId | None = None) -> AgentOrder:
        """An agent order; the oldest open one unless it is named."""
        order = self.orders[id_ or self.open_orders(AgentOrder)[0]]
        assert isinstance(order, AgentOrder)
        return order

    def gate_order(self, id_: OrderId | None = None) -> GateOrder:
        """A gate order; the oldest open one unless it is named."""
        order = self.orders[id_ or self.open_orders(GateOrder)[0]]
        assert isinstance(order, GateOrder)
        return order

    def agent_order_of(self, requirement: str) -> OrderId:
        """The open agent order of the change that carries a requirement."""
        change = self.change(requirement).id
        return next(
            o for o in self.open_orders(AgentOrder) if self.state.orders[o].change == change
        )

    def lease(self, order: OrderId, seconds: float = 45) -> None:
        """A runner takes an order."""
        self.order_store[order] = self.order_store[order].model_copy(
            update={"leased_at": self.now, "lease_until": self.now + timedelta(seconds=seconds)}
        )

    def hand_in(
        self, order: OrderId, ending: AgentEnding = AgentEnding.FINISHED, sentence: str = ""
    ) -> None:
        """An agent run ends, with work only where it finished."""
        if ending is AgentEnding.FINISHED:
            self.leave_work(order, ending, sentence)
            return
        self._report(order, _agent_report(order, ending, sentence))

    def say_cost(self, order: OrderId, dollars: float) -> None:
        """An agent that a runner has taken says what it has cost so far."""
        if self.order_store[order].leased_at is None:
            self.lease(order)
        doing = AgentActivity(status=RunStatus(dollars=dollars), at=self.now)
        self.order_store[order] = self.order_store[order].model_copy(update={"doing": doing})

    def leave_work(
        self,
        order: OrderId,
        ending: AgentEnding,
        sentence: str,
        left_out: tuple[str, ...] = (),
        accounts: tuple[ThreadAccount, ...] = (),
    ) -> None:
        """An agent run ends with work, however it ended."""
        work = {"head_sha": sha(order), "bundle_sha256": self.bundle_digest(order)}
        report = _agent_report(order, ending, sentence).model_copy(update=work)
        said = {"left_out": left_out, "accounts": accounts}
        self._report(order, report.model_copy(update=said))

    def account(self, order: OrderId, **threads: str) -> None:
        """An agent finishes, and says this of the threads that it names by `t1`, `t2` …"""
        accounts = tuple(
            ThreadAccount(thread=int(name[1:]), text=text) for name, text in threads.items()
        )
        self.leave_work(order, AgentEnding.FINISHED, "", accounts=accounts)

    def ask(
        self,
        order: OrderId,
        *questions: AgentQuestion,
        tokens: int = 100,
        cache_read: int = 0,
        has_work: bool = True,
    ) -> None:
        """An agent run ends with questions, and with half of its work unless it has none."""
        report = AgentReport(
            order_id=order,
            ending=AgentEnding.ASKED,
            sentence="The agent has a question for people.",
            head_sha=sha(order) if has_work else None,
            bundle_sha256=self.bundle_digest(order) if has_work else None,
            model="m1",
            turns=2,
            tokens=TokenUse(input=tokens, cache_read=cache_read),
            questions=questions,
        )
        self._report(order, report)

    def judge(self, order: OrderId, failed: tuple[str, ...] = (), **endings: Ending) -> None:
        """Gates end: every gate that is not named passes; `failed` are the tests of those named."""
        asked = self.gate_order(order)
        results = tuple(
            GateResult(
                gate=g.name,
                judges=g.judges,
                ending=endings.get(g.name, Ending.PASSED),
                seconds=self.seconds.get(g.name, 0.0),
                sentence=f"{g.name} said so",
                failed_tests=failed if g.name in endings else (),
                passed_alone=self.passed_alone if g.name in endings else (),
                tests=self._counts(g, failed if g.name in endings else ()),
                passed_tests=tuple(self.passing) if g.junit else (),
                log_tail=self.log if g.name in endings else "",
                proof=tuple(self.proof) if g.builtin == "spec_verify" else (),
            )
            for g in asked.gates
        )
        report = GateReport(
            candidate_sha=asked.candidate_sha,
            tree_sha="",
            definition_hash=asked.definition_hash,
            results=results,
            doubts=self.doubts,
        )
        self._report(order, GateOrderReport(order_id=order, sentence="Judged.", report=report))

    def _counts(self, gate: GateDefinition, failed: tuple[str, ...]) -> TestCounts | None:
        passed = len(self.passing) + self.passing_unnamed if gate.junit else 0
        return TestCounts(passed=passed, failed=len(failed)) if failed or gate.junit else None

    def judge_nothing(self, order: OrderId) -> None:
        """A gate order comes back without a single gate having been started."""
        self._report(order, GateOrderReport(order_id=order, sentence="No checkout."))

    def defer(
        self,
        order: OrderId,
        obstacle: Obstacle,
        sentence: str = "It is not there.",
        *,
        retry_after: float | None = None,
        turns: int = 0,
        has_work: bool = False,
    ) -> None:
        """An order of either kind ends because something stands in its way."""
        if isinstance(self.orders[order], GateOrder):
            gates = GateOrderReport(order_id=order, sentence=sentence, obstacle=obstacle)
            self._report(order, gates)
            return
        report = AgentReport(
            order_id=order,
            ending=AgentEnding.DEFERRED,
            sentence=sentence,
            obstacle=obstacle,
            retry_after_seconds=retry_after,
            model=self.agent_order(order).agent.model,
            turns=turns,
            tokens=TokenUse(input=100 * turns),
            head_sha=sha(order) if has_work else None,
            bundle_sha256=self.bundle_digest(order) if has_work else None,
        )
        self._report(order, report)

    def judge_without_programs(
        self, order: OrderId, *gates: str, failed: tuple[str, ...] = ()
    ) -> None:
        """Gates end: those that are named were not found (exit code 127), the others ran."""
        asked = self.gate_order(order)
        results = tuple(
            GateResult(
                gate=g.name,
                judges=g.judges,
                ending=Ending.COULD_NOT_RUN
                if g.name in gates
                else (Ending.FAILED if g.name in failed else Ending.PASSED),
                sentence=f"{g.name} said so",
                exit_code=127 if g.name in gates else 0,
            )
            for g in asked.gates
        )
        report = GateReport(
            candidate_sha=asked.candidate_sha,
            tree_sha="",
            definition_hash=asked.definition_hash,
            results=results,
        )
        self._report(order, GateOrderReport(order_id=order, sentence="Judged.", report=report))

    def bundle_digest(self, order: OrderId) -> Digest:
        """The name of the bundle that an order came back with."""
        return Digest(f"{self.bundles.get(order, 'bundle')} of {order}")

    def _report(self, order: OrderId, report: AgentReport | GateOrderReport) -> None:
        if self.order_store[order].leased_at is None:
            self.lease(order)
        self.order_store[order] = self.order_store[order].model_copy(
            update={"report": report, "report_digest": sha(report.model_dump_json())}
        )

    @property
    def run(self) -> SpecRun:
        """The newest spec run."""
        return list(self.state.spec_runs.values())[-1]

    def change(self, requirement: str) -> ChangeFacts:
        """The change that carries a requirement, by the requirement's short name."""
        return next(
            c
            for c in self.state.changes.values()
            if f"shop#{requirement}" in c.planned.requirements and c.spec_run == self.run.id
        )

    def candidate(self, of: str | ChangeFacts | QueuedPull) -> Candidate:
        """The newest candidate of a change (by a requirement's short name) or of a person's pull."""
        found = self.state.candidate_of(self.change(of) if isinstance(of, str) else of)
        assert found is not None
        return found

    def stage(self, of: str | ChangeFacts) -> OfferStage | None:
        """How far an offered change is; None where it is not offered."""
        return stage_of(self.state, self.change(of) if isinstance(of, str) else of)


def _agent_report(order: OrderId, ending: AgentEnding, sentence: str) -> AgentReport:
    return AgentReport(
        order_id=order,
        ending=ending,
        sentence=sentence,
        model="m1",
        turns=4,
        tokens=TokenUse(input=100, output=10),
    )
