"""A gate order from its lease to its report: a clean checkout, then every gate by itself.

The gates of Headgate's own read the checkout in one run of `python -m gates` inside the sandbox, before
any code of the candidate runs. Then each shell line has a restored checkout and a sandbox of its own, several
at once, and its ending is what the harness saw. A gate without a readable result is a gate that did not run (law 6).
"""

import sys
import time
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

import gates
from action.harness.gate_line import Place, judge_gate_line
from action.harness.git import GitRefusedError
from action.harness.mains_tests import BASE_TESTS, check_base_tests
from action.harness.measure import measure
from action.harness.order_context import OrderContext, open_sandbox
from action.harness.prepare import Prepared, prepare
from action.harness.reruns import judge_red_again
from action.harness.saved_checkout import SavedCheckout
from action.harness.side_by_side import Results, in_order, judge_all, places
from action.order import GateOrder
from action.report import GateOrderReport, Obstacle
from action.sandbox.choice import SandboxRefusal
from action.sandbox.sandbox import Command, CommandResult, Sandbox
from gates.asked import AskedRequirement
from gates.declared import DeclaredScope
from gates.result import Ending, GateDefinition, GateReport, GateResult

CANDIDATE_REF = "refs/headgate/candidate"
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
    requirements: tuple[AskedRequirement, ...]
    is_of_person: bool
    declared: DeclaredScope


_REPORT = TypeAdapter(GateReport)
# How `python -m gates` ends where it has judged.
_JUDGED = (0, 1)


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
        prepared = _prepare(order, context, sandbox)
        if prepared.failed is not None:
            sentence = prepared.failed
            obstacle = Obstacle.SETUP_FAILED
        else:
            report = _judge(order, context, sandbox, prepared)
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


def _prepare(order: GateOrder, context: OrderContext, sandbox: Sandbox) -> Prepared:
    context.progress.note(f"Fetching {order.repository} at {order.candidate_sha[:12]}")
    git = context.git
    source = context.source(order)
    git.create()
    git.fetch(source, order.candidate_ref, order.candidate_sha, CANDIDATE_REF)
    git.fetch_history_between(source, order.diff_base_sha, order.candidate_sha)
    return prepare(order, context, sandbox, order.candidate_sha)


def _judge(
    order: GateOrder, context: OrderContext, sandbox: Sandbox, prepared: Prepared
) -> GateReport:
    saved = SavedCheckout(context.folder, sandbox, prepared.below)
    saved.save()
    paths = context.git.paths_of(order.candidate_sha)
    place = Place(context.folder, sandbox, saved)
    context.progress.gates.expect(order.gates)
    results = Results(
        lambda result: _tell(context, result), stops_at_first_red=order.stop_at_first_red
    )
    by_program = _judge_by_program(order, context, place)
    for definition in order.gates:
        if definition.name in by_program:
            results.add(definition, by_program[definition.name])

    def judge_one(definition: GateDefinition, at: Place) -> GateResult:
        if prepared.planted:
            return _planted(definition, prepared)
        context.progress.gates.begin(definition.name)
        return run_line(definition, at)

    def run_line(definition: GateDefinition, at: Place) -> GateResult:
        context.halt.check()
        context.progress.note(f"{definition.name} starts")
        line = definition.command or ""
        result = judge_gate_line(definition, line, at, paths, order.diff_base_sha)
        context.halt.check()
        return result

    lines = [definition for definition in in_order(order) if _is_line(definition)]
    at = places(order, context, place, len(lines))
    doubts: list[GateResult] = []
    waiting = lines
    while waiting:
        judge_all(waiting, at, judge_one, results)
        # One after the other, because the probes share one folder.
        for definition in () if prepared.planted else waiting:
            doubts += judge_red_again(definition, order, place, paths, results, run_line)
            context.halt.check()
        waiting = [line for line in waiting if results.may_begin(line)]
    found = results.by_gate
    for definition in order.gates:
        if definition.builtin == BASE_TESTS:
            context.progress.gates.begin(definition.name)
            found[definition.name] = (
                _planted(definition, prepared)
                if prepared.planted
                else results.stopped(definition)
                or check_base_tests(definition, order, context, place, found)
            )
    if not prepared.planted:
        found = measure(order, context, place, found)
    return GateReport(
        candidate_sha=order.candidate_sha,
        tree_sha=context.git.tree_of(order.candidate_sha),
        definition_hash=order.definition_hash,
        results=tuple(found[definition.name] for definition in order.gates),
        doubts=tuple(doubts),
    )


def _tell(context: OrderContext, result: GateResult) -> None:
    context.progress.note(f"{result.gate}: {result.ending.value}")
    # A proof is measured last, and its levels are the server's word.
    if not result.proof and not result.stopped_by:
        context.progress.gates.end(result)


def _planted(definition: GateDefinition, prepared: Prepared) -> GateResult:
    listed = ", ".join(prepared.planted[:5])
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=Ending.FAILED,
        sentence=f"The commit has files at paths that `setup` writes: {listed}. The gate did not "
        "run. Remove these files from the commit.",
    )


def _judge_by_program(
    order: GateOrder, context: OrderContext, place: Place
) -> dict[str, GateResult]:
    """What is no shell line, judged while no code of the candidate has run on the checkout."""
    asked = tuple(g for g in order.gates if not _is_line(g) and g.builtin != BASE_TESTS)
    if not asked:
        return {}
    folder = context.folder
    definitions = _Definitions(
        gates=asked,
        protected=order.protected,
        archive_paths=order.archive_paths,
        requirements=order.requirements,
        is_of_person=order.is_of_person,
        declared=order.declared,
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
    seconds = sum(gate.gate_timeout_seconds for gate in asked) + GRACE_SECONDS
    layers = place.saved.refresh()
    ended = place.sandbox.run(Command((*program, *arguments), folder.home, seconds, layers=layers))
    context.halt.check()
    found = _read_results(report_file, asked, order.candidate_sha, ended)
    if isinstance(found, str):
        return {gate.name: _result_for_missing_report(gate, ended, found) for gate in asked}
    return {result.gate: result for result in found}


def _is_line(definition: GateDefinition) -> bool:
    return definition.builtin is None and bool((definition.command or "").strip())


def _read_results(
    path: Path, asked: tuple[GateDefinition, ...], sha: str, ended: CommandResult
) -> tuple[GateResult, ...] | str:
    """One result for each gate that was asked for, or why they cannot be believed."""
    if ended.timed_out:
        return f"Headgate ended it after {ended.seconds:.0f} s"
    if ended.exit_code not in _JUDGED:
        return f"the judge ended with {ended.exit_code}"
    try:
        report = _REPORT.validate_json(path.read_bytes())
    except OSError as error:
        return f"there is no report ({error.strerror})"
    except ValidationError:
        return "the report could not be read"
    if report.candidate_sha != sha:
        return f"the report is for another commit ({report.candidate_sha})"
    said = {(result.gate, result.judges) for result in report.results}
    if len(report.results) != len(asked) or said != {(gate.name, gate.judges) for gate in asked}:
        return "the report is for other gates"
    return report.results


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
