"""One order from start to end: the OIDC token, the lease, the work, what is handed back.

Whatever happens, the sandbox is ended and the order's folder is removed. A harness that the server
stops reports nothing; one that is interrupted hands back what it has, if it still can.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from pathlib import Path

from action.halt import Halt, HaltedError, HaltReason
from action.harness.event_thread import EventThread
from action.harness.folder import order_folder
from action.harness.heartbeat import HeartbeatThread
from action.harness.order_context import OrderContext
from action.harness.progress import Progress
from action.harness.server import PAUSES_SECONDS, Refused, RunnerApi, Unreachable
from action.harness.summary import summary_of
from action.harness.workflow import NoToken, Workflow
from action.order import AgentOrder, GateOrder, LeaseGrant
from action.report import AgentEnding, AgentReport, GateOrderReport, Obstacle
from action.sandbox.sandbox import SandboxEndedError

# What a report says of a failure of the harness itself.
FAILURE_CHARACTERS_MAX = 500


class Mode(StrEnum):
    """What the workflow was started for; an order of the other kind is refused."""

    AGENT = "agent"
    GATES = "gates"


class ExitCode(IntEnum):
    """How the program ends; what an agent or a gate found is in the report, not here."""

    REPORTED = 0
    USAGE = 2
    REFUSED = 3
    STOPPED = 4
    UNREACHABLE = 5
    INTERRUPTED = 6


@dataclass(frozen=True)
class SessionOptions:
    mode: Mode
    order_id: str
    server_url: str
    pauses_seconds: tuple[float, ...] = PAUSES_SECONDS


def run_session(
    asked: SessionOptions, environment: Mapping[str, str], workflow: Workflow, halt: Halt
) -> ExitCode:
    """Run the whole order; the log says why it ended."""
    api = RunnerApi(asked.server_url, asked.order_id, halt, asked.pauses_seconds)
    try:
        grant = _lease(asked, workflow, api, halt)
        if isinstance(grant, ExitCode):
            return grant
        return _work(grant, environment, workflow, halt, api)
    except (HaltedError, SandboxEndedError):
        return _halted(asked, workflow, halt, api)


def _lease(
    asked: SessionOptions, workflow: Workflow, api: RunnerApi, halt: Halt
) -> LeaseGrant | ExitCode:
    token = workflow.oidc_token(asked.server_url, halt)
    if isinstance(token, NoToken):
        workflow.fail(token.sentence)
        return ExitCode.REFUSED
    workflow.mask(token)
    grant = api.lease(token)
    if isinstance(grant, Refused):
        workflow.fail(f"The server did not give the order to this job: {grant.sentence}")
        return ExitCode.REFUSED
    if isinstance(grant, Unreachable):
        workflow.fail(f"The server cannot be reached: {grant.sentence}")
        return ExitCode.UNREACHABLE
    workflow.mask(grant.lease_token)
    if grant.model is not None:
        workflow.mask(grant.model.api_key)
    workflow.mask_variables(grant.order.environment.variables)
    kind = Mode.AGENT if isinstance(grant.order, AgentOrder) else Mode.GATES
    if kind is not asked.mode:
        workflow.fail(f"Order {asked.order_id} is for `{kind}`, not for `{asked.mode}`.")
        return ExitCode.REFUSED
    return grant


def _work(
    grant: LeaseGrant,
    environment: Mapping[str, str],
    workflow: Workflow,
    halt: Halt,
    api: RunnerApi,
) -> ExitCode:
    progress = Progress(workflow.say)
    with (
        order_folder(environment) as folder,
        HeartbeatThread(api, grant.heartbeat_seconds, halt, progress.beat),
        EventThread(api, progress, grant.heartbeat_seconds, workflow.masked),
    ):
        context = OrderContext(
            folder, environment, workflow.read_token, halt, progress, workflow.masked
        )
        try:
            return _carry_out(grant, context, workflow, api)
        except (HaltedError, SandboxEndedError):
            raise
        except Exception as failure:  # noqa: BLE001 - whatever a tree can be, the server is told
            return _hand_back(_failed(grant.order, failure), workflow, halt, api)


def _carry_out(
    grant: LeaseGrant, context: OrderContext, workflow: Workflow, api: RunnerApi
) -> ExitCode:
    # Each kind of order is imported where it is carried out: a process carries out one order.
    if isinstance(grant.order, AgentOrder):
        from action.harness.agent_order import run_agent_order

        result = run_agent_order(grant.order, grant.model, context)
        try:
            return _hand_back_work(result.report, result.bundle, workflow, context.halt, api)
        except HaltedError:
            # A signal raises once, and both requests may be sent again.
            return _hand_back_work(result.report, result.bundle, workflow, context.halt, api)
    from action.harness.gate_order import run_gate_order

    gate_report = run_gate_order(grant.order, context)
    return _hand_back(gate_report, workflow, context.halt, api)


def _failed(order: AgentOrder | GateOrder, failure: Exception) -> AgentReport | GateOrderReport:
    said = f"{type(failure).__name__}: {failure}"[:FAILURE_CHARACTERS_MAX]
    sentence = f"The harness could not continue with this tree: {said}"
    if isinstance(order, AgentOrder):
        return AgentReport(
            order_id=order.order_id,
            ending=AgentEnding.CRASHED,
            sentence=sentence,
            model=order.agent.model,
        )
    return GateOrderReport(
        order_id=order.order_id, sentence=sentence, obstacle=Obstacle.SETUP_FAILED
    )


def _hand_back_work(
    report: AgentReport, bundle: Path | None, workflow: Workflow, halt: Halt, api: RunnerApi
) -> ExitCode:
    halt.check_wanted()
    if bundle is not None:
        answer = api.upload_bundle(bundle)
        if not isinstance(answer, str):
            workflow.say(f"The bundle could not be sent: {answer.sentence}")
            lost = f"The work could not be sent: {answer.sentence}"
            report = report.replace(ending=AgentEnding.CRASHED, sentence=lost, head_sha=None)
        else:
            report = report.replace(bundle_sha256=answer)
    return _hand_back(report, workflow, halt, api)


def _hand_back(
    report: AgentReport | GateOrderReport, workflow: Workflow, halt: Halt, api: RunnerApi
) -> ExitCode:
    halt.check_wanted()
    workflow.say(report.sentence)
    workflow.summarise(summary_of(report))
    answer = api.report(report)
    if answer is None:
        return ExitCode.REPORTED if halt.reason is None else ExitCode.INTERRUPTED
    workflow.say(f"The report could not be sent: {answer.sentence}")
    return ExitCode.REFUSED if isinstance(answer, Refused) else ExitCode.UNREACHABLE


def _halted(asked: SessionOptions, workflow: Workflow, halt: Halt, api: RunnerApi) -> ExitCode:
    workflow.say(f"Stopped: {halt.sentence}")
    if halt.reason is not HaltReason.INTERRUPTED:
        return ExitCode.STOPPED
    report: AgentReport | GateOrderReport
    if asked.mode is Mode.AGENT:
        report = AgentReport(
            order_id=asked.order_id, ending=AgentEnding.CRASHED, sentence=halt.sentence
        )
    else:
        report = GateOrderReport(order_id=asked.order_id, sentence=halt.sentence)
    try:
        api.report(report)
    except HaltedError:
        # Tried once only: GitHub gives a cancelled job seconds, not minutes.
        workflow.say("The server could not be informed.")
    return ExitCode.INTERRUPTED
