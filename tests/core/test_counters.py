"""What events add to the counts of `/metrics`."""

from datetime import UTC, datetime, timedelta

from action.report import SandboxKind, TokenUse
from bot.core.journal.change_events import CandidateFailed, OrderLeased, WorkHandedIn
from bot.core.journal.change_state import OrderFacts, OrderKind
from bot.core.journal.clarify_events import AgentAsked
from bot.core.journal.pause_events import OrderDeferred
from bot.core.journal.repository_events import AdoptionOrdered
from bot.core.journal.state import RepositoryState
from bot.core.state.counted import counted
from bot.core.values.ids import ChangeId, Digest, OrderId, Sha, WorkflowRunId
from bot.core.values.lifecycle import OrderState
from bot.core.values.pause import Cause
from bot.core.values.vitals import Count
from gates.result import Ending, GateResult, Judges

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
CHANGE, ORDER, SHA = ChangeId("r1/a"), OrderId("o1"), Sha("a" * 40)


def result(gate: str, ending: Ending, seconds: float) -> GateResult:
    return GateResult(gate=gate, judges=Judges.TREE, ending=ending, sentence="", seconds=seconds)


REUSED = result("build", Ending.PASSED, 30.0)


def state(kind: OrderKind) -> RepositoryState:
    order = OrderFacts(
        id=ORDER,
        kind=kind,
        state=OrderState.LEASED,
        change=CHANGE,
        commit=SHA,
        placed_at=NOON,
        reused=(REUSED,),
    )
    return RepositoryState(orders={ORDER: order})


def test_an_order_waits_from_its_placing_to_its_lease() -> None:
    event = OrderLeased(
        change=CHANGE,
        order=ORDER,
        workflow_run=WorkflowRunId(1),
        leased_at=NOON + timedelta(seconds=40),
    )
    kind = (("kind", "agent"),)
    assert counted((event,), state(OrderKind.AGENT)) == {
        Count("order_wait_seconds", kind): 40,
        Count("orders_taken", kind): 1,
    }


def test_the_gates_of_main_are_orders_like_others() -> None:
    event = AdoptionOrdered(sha=SHA, order=ORDER, asked_hash="h", placed_at=NOON)
    assert counted((event,), RepositoryState()) == {Count("orders_placed", (("kind", "gate"),)): 1}


def test_tokens_are_counted_by_model_and_priced_where_the_price_is_known() -> None:
    tokens = TokenUse(input=1_000_000, output=100_000)
    runs = [
        WorkHandedIn(
            change=CHANGE,
            order=ORDER,
            bundle=Digest("d"),
            turns=3,
            tokens=tokens,
            model=model,
            seconds=60,
            sandbox=SandboxKind.NONE,
        )
        for model in ("claude-sonnet-4-6", "a-model-of-ours")
    ]
    counts = counted(runs, state(OrderKind.AGENT))
    assert counts[Count("agent_runs", (("ending", "finished"),))] == 2
    assert counts[Count("dollars", (("model", "claude-sonnet-4-6"),))] == 4.5
    assert Count("dollars", (("model", "a-model-of-ours"),)) not in counts
    assert counts[Count("tokens", (("model", "a-model-of-ours"), ("kind", "output")))] == 100_000


def test_the_cost_of_an_agent_before_its_question_is_counted() -> None:
    event = AgentAsked(
        change=CHANGE,
        order=ORDER,
        bundle=None,
        asked_at=NOON,
        turns=2,
        tokens=TokenUse(input=1_000_000),
        model="claude-sonnet-4-6",
        seconds=60,
        sandbox=SandboxKind.NONE,
    )
    counts = counted((event,), state(OrderKind.AGENT))
    assert counts[Count("agent_runs", (("ending", "asked"),))] == 1
    assert counts[Count("dollars", (("model", "claude-sonnet-4-6"),))] == 3


def test_an_order_that_no_agent_started_is_not_counted_as_a_run() -> None:
    event = OrderDeferred(
        change=CHANGE,
        order=ORDER,
        pause="setup:x",
        cause=Cause.SETUP_FAILED,
        about="",
        sentence="",
        deferred_at=NOON,
        until=NOON,
        main=SHA,
    )
    assert counted((event,), state(OrderKind.AGENT)) == {}


def test_a_gate_whose_result_was_reused_did_not_run() -> None:
    event = CandidateFailed(
        change=CHANGE,
        order=ORDER,
        candidate=SHA,
        definition_hash="h",
        results=(REUSED, result("test", Ending.FAILED, 12.0)),
        sentence="",
    )
    assert counted((event,), state(OrderKind.GATE)) == {
        Count("candidates_judged", (("verdict", "failed"),)): 1,
        Count("gate_runs", (("gate", "test"), ("ending", "failed"))): 1,
        Count("gate_seconds", (("gate", "test"),)): 12,
    }
