"""A gate order on one's own machine: the same checkout, sandbox and gates, without a server."""

import sys
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from action.halt import Halt, HaltedError
from action.harness.folder import order_folder
from action.harness.gate_order import run_gate_order
from action.harness.git import GitRefusedError
from action.harness.order_context import OrderContext
from action.harness.progress import Progress
from action.harness.workflow import log_safe
from action.order import GateOrder
from action.sandbox.sandbox import SandboxEndedError

JUDGED, NOTHING_JUDGED = 0, 2


def run_local_order(
    order_file: Path, repository: Path, out: Path, environment: Mapping[str, str], halt: Halt
) -> int:
    """Judge a commit of a repository on this machine; says on the way what it does, and leaves its report in
    `out`."""
    try:
        order = GateOrder.model_validate_json(order_file.read_bytes())
    except (OSError, ValidationError) as error:
        _say(f"The order could not be read: {error}")
        return NOTHING_JUDGED
    try:
        with order_folder(environment) as folder:
            context = OrderContext(folder, environment, "", halt, Progress(_say))
            context.git.create()
            context.git.bring(repository, order.candidate_sha)
            report = run_gate_order(order, context)
    except GitRefusedError as refused:
        _say(f"The commit could not be read: {refused}")
        return NOTHING_JUDGED
    except (HaltedError, SandboxEndedError):
        _say("Interrupted. No gate has judged the commit.")
        return NOTHING_JUDGED
    out.write_text(report.model_dump_json(), encoding="utf-8")
    return JUDGED if report.report is not None else NOTHING_JUDGED


def _say(sentence: str) -> None:
    sys.stderr.write(f"{log_safe(sentence)}\n")
    sys.stderr.flush()
