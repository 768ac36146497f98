"""A gate order from its lease to its report: a clean checkout, then every gate by itself.

`python -m gates` runs inside the sandbox, once per gate on a restored checkout, and its report is
believed for that one gate only; so code under judgement can at most falsify the gate that runs
it, never another. A gate without a readable result is a gate that did not run (law 6).
"""

import os
import stat
import sys
import time
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

import gates
from action.harness.git import GitRefusedError
from action.harness.order_context import OrderContext, open_sandbox, set_up
from action.harness.saved_checkout import SavedCheckout
from action.harness.work import replace_git_folder
from action.order import GateOrder
from action.report import GateOrderReport, Obstacle
from action.sandbox.choice import SandboxRefusal
from action.sandbox.sandbox import Command, CommandResult, Sandbox
from gates.result import Ending, GateDefinition, GateReport, GateResult

CANDIDATE_REF = "refs/headgate/candidate"
REPORT_BYTES_MAX = 8 * 1024**2
LOG_CHARACTERS_MAX = 16_000
# What the judge itself needs besides a gate's own time.
GRACE_SECONDS = 120.0
GATES_FOLDER = Path(gates.__file__).parent
# Started in isolated mode: neither the checkout nor the environment can put a `gates` before ours.
_START = (
    "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module('gates', run_name='__main__', alter_sys=True)"
)


class _Definitions(BaseModel):
    """The file that `python -m gates --definition` reads."""

    model_config = ConfigDict(frozen=True)

    gates: tuple[GateDefinition, ...]
    protected: tuple[str, ...]
    archive_paths: tuple[str, ...]


_REPORT = TypeAdapter(GateReport)


def run_gate_order(order: GateOrder, context: OrderContext) -> GateOrderReport:
    """Whatever the order or the repository does wrong is in the report, never raised."""
    started = time.monotonic()
    sandbox = open_sandbox(context, order, also_shown=(GATES_FOLDER,))
    if isinstance(sandbox, SandboxRefusal):
        return GateOrderReport(
            order_id=order.order_id,
            sentence=sandbox.sentence,
            obstacle=Obstacle.SANDBOX_REFUSED,
        )
    report: GateReport | None = None
    obstacle: Obstacle | None = None
    try:
        sentence = _prepare(order, context, sandbox)
        if sentence is not None:
            obstacle = Obstacle.SETUP_FAILED
        else:
            report = _judge(order, context, sandbox)
            passed = sum(result.ending is Ending.PASSED for result in report.results)
            sentence = f"{passed} of {len(report.results)} gates passed."
    except GitRefusedError as refused:
        obstacle = Obstacle.FETCH_FAILED
        sentence = f"The candidate could not be fetched: {refused}"
    return GateOrderReport(
        order_id=order.order_id,
        sentence=sentence,
        report=report,
        obstacle=obstacle,
        seconds=round(time.monotonic() - started, 3),
        sandbox=sandbox.kind,
    )


def _prepare(order: GateOrder, context: OrderContext, sandbox: Sandbox) -> str | None:
    context.progress.note(f"Fetching {order.repository} at {order.candidate_sha[:12]}")
    git = context.git
    source = context.source(order)
    git.create()
    git.fetch(source, order.candidate_ref, order.candidate_sha, CANDIDATE_REF)
    git.fetch_history_between(source, order.diff_base_sha, order.candidate_sha)
    git.check_out(order.candidate_sha)
    replace_git_folder(context.folder)
    context.folder.give_to(sandbox)
    failed = set_up(context, order, sandbox)
    if failed is not None:
        return failed
    # What setup made is not part of the candidate; what it changed is put back.
    git.exclude_untracked()
    git.check_out(order.candidate_sha)
    replace_git_folder(context.folder)
    context.folder.give_to(sandbox)
    return None


def _judge(order: GateOrder, context: OrderContext, sandbox: Sandbox) -> GateReport:
    saved = SavedCheckout(context.folder, sandbox)
    saved.save()
    results: list[GateResult] = []
    for number, definition in enumerate(order.gates, start=1):
        context.progress.note(f"Gate {number} of {len(order.gates)}: {definition.name}")
        saved.restore()
        results.append(_judge_one(order, definition, context, sandbox))
        context.halt.check()
        context.progress.note(f"{definition.name}: {results[-1].ending.value}")
    return GateReport(
        candidate_sha=order.candidate_sha,
        tree_sha=context.git.tree_of(order.candidate_sha),
        definition_hash=order.definition_hash,
        results=tuple(results),
    )


def _judge_one(
    order: GateOrder, definition: GateDefinition, context: OrderContext, sandbox: Sandbox
) -> GateResult:
    folder = context.folder
    definitions = _Definitions(
        gates=(definition,), protected=order.protected, archive_paths=order.archive_paths
    )
    definition_file = folder.given / "definition.json"
    definition_file.write_text(definitions.model_dump_json(), encoding="utf-8")
    report_file = folder.out / "report.json"
    program = (sys.executable, "-I", "-c", _START, str(GATES_FOLDER.parent))
    arguments = (
        *("--definition", str(definition_file)),
        *("--checkout", str(folder.tree)),
        *("--diff-base", order.diff_base_sha),
        *("--out", str(report_file)),
    )
    ended = sandbox.run(
        Command(
            (*program, *arguments),
            folder.home,
            definition.gate_timeout_seconds + GRACE_SECONDS,
        )
    )
    found = _read_result(report_file, definition, order.candidate_sha)
    if ended.timed_out:
        found = f"it was ended after {ended.seconds:.0f} s"
    if isinstance(found, GateResult):
        return found
    return _result_for_missing_report(definition, ended, found)


def _read_result(path: Path, definition: GateDefinition, sha: str) -> GateResult | str:
    """The one result that was asked for, or why there is none. The file may be hostile."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return f"no report was left ({error.strerror})"
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return "the report is not a file"
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(REPORT_BYTES_MAX + 1)
    if len(content) > REPORT_BYTES_MAX:
        return "the report is too large"
    try:
        report = _REPORT.validate_json(content)
    except ValidationError:
        return "the report could not be read"
    if report.candidate_sha != sha:
        return f"the report speaks of another commit ({report.candidate_sha})"
    if len(report.results) != 1:
        return f"the report has {len(report.results)} results where one was asked for"
    result = report.results[0]
    if (result.gate, result.judges) != (definition.name, definition.judges):
        return f"the report speaks of another gate ({result.gate})"
    return result


def _result_for_missing_report(
    definition: GateDefinition, ended: CommandResult, why: str
) -> GateResult:
    ending = Ending.TIMED_OUT if ended.timed_out else Ending.CRASHED
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=ending,
        sentence=f"The gate gave no result: {why}.",
        exit_code=ended.exit_code,
        seconds=round(ended.seconds, 3),
        log_tail=ended.output_tail[-LOG_CHARACTERS_MAX:],
    )
