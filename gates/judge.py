"""Judges one checkout by a list of definitions; every gate runs, whatever the others say.

Builtin gates come first because they are fast, then commands in the given order; each command
starts with the files as the commit has them.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gates.command_gate import CommandContext, could_not_run, judge_command
from gates.environment import gate_environment
from gates.execute import Progress
from gates.failure_locations import FailureLocations
from gates.plumbing import CheckoutError, Plumbing, open_plumbing
from gates.pristine import PristineFiles
from gates.result import Ending, GateDefinition, GateReport, GateResult, definition_hash
from gates.settings import JudgeSettings
from gates.tree import FrozenTree, TreeDiff, read_diff, read_tree


@dataclass(frozen=True)
class Subject:
    """What is judged: a checkout, and the commit that its diff is taken against."""

    checkout: Path
    diff_base_sha: str


def judge(
    subject: Subject,
    definitions: Sequence[GateDefinition],
    settings: JudgeSettings,
    on_progress: Progress,
) -> GateReport:
    """Run every gate once; results are in the order in which the gates ran.

    Raises `CheckoutError` if there is no clean tree. Afterwards the files are as
    before. Run one judgement at a time in a process: it adopts and ends orphans.
    """
    with open_plumbing(subject.checkout) as plumbing:
        tree = read_tree(plumbing)
        diff = _diff_or_reason(plumbing, tree, subject.diff_base_sha)
        run = _Run(
            settings=settings,
            diff=diff,
            files=PristineFiles(plumbing),
            context=CommandContext(
                checkout=plumbing.checkout,
                environment=gate_environment(os.environ),
                diff_base_sha=subject.diff_base_sha,
                locations=FailureLocations(tree.entries, plumbing.checkout),
            ),
            ends_at=time.monotonic() + settings.total_timeout_seconds,
            on_progress=on_progress,
        )
        results = []
        for position, definition in enumerate(_fast_first(definitions), start=1):
            on_progress(f"Gate {position} of {len(definitions)}: {definition.name}")
            result = _judge_one(definition, run)
            on_progress(f"{definition.name}: {result.ending.value}. {result.sentence}")
            results.append(result)
    return GateReport(
        candidate_sha=tree.commit_sha,
        tree_sha=tree.tree_sha,
        definition_hash=definition_hash(definitions),
        results=tuple(results),
    )


def all_required_passed(definitions: Sequence[GateDefinition], report: GateReport) -> bool:
    """Whether each required gate passed; no required gate at all is not a pass (law 6)."""
    required = {definition.name for definition in definitions if definition.required}
    passed = {result.gate for result in report.results if result.ending is Ending.PASSED}
    return bool(required) and required <= passed


@dataclass(frozen=True)
class _Run:
    settings: JudgeSettings
    diff: TreeDiff | str
    files: PristineFiles
    context: CommandContext
    ends_at: float
    on_progress: Progress


def _fast_first(definitions: Sequence[GateDefinition]) -> list[GateDefinition]:
    return sorted(definitions, key=lambda definition: definition.builtin is None)


def _diff_or_reason(plumbing: Plumbing, tree: FrozenTree, base_sha: str) -> TreeDiff | str:
    # A missing base must not stop the gates that judge the tree.
    try:
        return read_diff(plumbing, tree, base_sha)
    except CheckoutError as refusal:
        return refusal.sentence


def _judge_one(definition: GateDefinition, run: _Run) -> GateResult:
    match definition.builtin, definition.command:
        case (str() as builtin, None):
            return _judge_builtin(definition, builtin, run)
        case (None, str() as line) if line.strip():
            return _judge_by_command(definition, line, run)
        case _:
            sentence = (
                "The definition must have one of `command` and `builtin`. Correct the policy."
            )
            return could_not_run(definition, sentence)


def _judge_builtin(definition: GateDefinition, name: str, run: _Run) -> GateResult:
    # Imported here: a gate that is a command needs none of what builtin gates need.
    from gates.registry import BUILTIN_GATES

    builtin = BUILTIN_GATES.get(name)
    if builtin is None:
        known = ", ".join(sorted(BUILTIN_GATES))
        sentence = f"There is no builtin gate {name!r} (there is: {known}). Correct the policy."
        return could_not_run(definition, sentence)
    if builtin.judges is not definition.judges:
        sentence = f"{name} judges the {builtin.judges.value}, not the {definition.judges.value}."
        return could_not_run(definition, f"{sentence} Correct the policy.")
    if isinstance(run.diff, str):
        return could_not_run(definition, run.diff)
    started = time.monotonic()
    judgement = builtin.judge(run.diff, run.settings)
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=judgement.ending,
        sentence=judgement.sentence,
        seconds=round(time.monotonic() - started, 3),
        annotations=judgement.annotations,
    )


def _judge_by_command(definition: GateDefinition, line: str, run: _Run) -> GateResult:
    left = run.ends_at - time.monotonic()
    if left <= 0:
        total = run.settings.total_timeout_seconds
        return could_not_run(definition, f"The limit of {total:,} s for all gates was used up.")
    try:
        run.files.restore()
    except CheckoutError as refusal:
        sentence = f"An earlier gate changed the checkout. {refusal.sentence}"
        return could_not_run(definition, sentence)
    timeout_seconds = min(float(definition.gate_timeout_seconds), round(max(left, 0.1), 1))
    return judge_command(definition, line, run.context, timeout_seconds, run.on_progress)
