"""A gate order of one's own machine: the same checkout, walls and gates, and nobody is asked or told."""

import sys
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from action.halt import Halt
from action.harness.folder import order_folder
from action.harness.gate_order import run_gate_order
from action.harness.git import GitRefusedError
from action.harness.order_context import OrderContext
from action.harness.progress import Progress
from action.harness.workflow import log_safe
from action.order import GateOrder
from action.report import GateOrderReport
from gates.judge import all_required_passed

PASSED, NOT_PASSED, NOTHING_JUDGED = 0, 1, 2


def run_local_order(order_file: Path, repository: Path, environment: Mapping[str, str]) -> int:
    """Judge a commit of a repository on this machine; says on the way what it does."""
    try:
        order = GateOrder.model_validate_json(order_file.read_bytes())
    except (OSError, ValidationError) as error:
        _say(f"The order could not be read: {error}")
        return NOTHING_JUDGED
    with order_folder(environment) as folder:
        context = OrderContext(folder, environment, "", Halt(), Progress(_say))
        try:
            context.git.create()
            context.git.bring(repository, order.candidate_sha)
        except GitRefusedError as refused:
            _say(f"The commit could not be taken: {refused}")
            return NOTHING_JUDGED
        report = run_gate_order(order, context)
    sys.stdout.write(_summary(report))
    if report.report is None:
        return NOTHING_JUDGED
    return PASSED if all_required_passed(order.gates, report.report) else NOT_PASSED


def _say(sentence: str) -> None:
    sys.stderr.write(f"{log_safe(sentence)}\n")
    sys.stderr.flush()


def _summary(report: GateOrderReport) -> str:
    lines = [f"{log_safe(report.sentence)} (walls: {report.sandbox.value})"]
    for result in report.report.results if report.report else ():
        lines.append(f"{result.ending.value:>13}  {result.gate}: {log_safe(result.sentence)}")
        if result.ending.value != "passed":
            lines += [f"{'':15}{log_safe(line)}" for line in result.log_tail.splitlines()[-20:]]
            lines += [
                f"{'':15}{a.path}:{a.line_start}: {log_safe(a.message)}"
                for a in result.annotations[:20]
            ]
    return "\n".join([*lines, ""])
