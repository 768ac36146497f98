"""Judges one checkout by Headgate's own gates; every gate runs, whatever the others say.

All is read from git's objects, and nothing of the candidate is started. Shell lines are run by the harness of a
gate order alone (`action.harness.gate_line`).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gates.command_gate import could_not_run
from gates.plumbing import CheckoutError, Plumbing, open_plumbing
from gates.result import Ending, GateDefinition, GateReport, GateResult, definition_hash
from gates.settings import JudgeSettings
from gates.tree import FrozenTree, TreeDiff, read_diff, read_tree

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Subject:
    checkout: Path
    diff_base_sha: str


def judge(
    subject: Subject,
    definitions: Sequence[GateDefinition],
    settings: JudgeSettings,
    on_progress: Progress,
) -> GateReport:
    """Ask every gate once, in the given order. Raises `CheckoutError` if there is no commit."""
    with open_plumbing(subject.checkout) as plumbing:
        tree = read_tree(plumbing)
        diff = _diff_or_reason(plumbing, tree, subject.diff_base_sha)
        run = _Run(settings, plumbing, tree, diff)
        results = []
        for position, definition in enumerate(definitions, start=1):
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
    required = {definition.name for definition in definitions if definition.required}
    passed = {result.gate for result in report.results if result.ending is Ending.PASSED}
    return bool(required) and required <= passed


@dataclass(frozen=True)
class _Run:
    settings: JudgeSettings
    plumbing: Plumbing
    tree: FrozenTree
    diff: TreeDiff | str


def _diff_or_reason(plumbing: Plumbing, tree: FrozenTree, base_sha: str) -> TreeDiff | str:
    # Each gate says it.
    try:
        return read_diff(plumbing, tree, base_sha)
    except CheckoutError as refusal:
        return refusal.sentence


def _judge_one(definition: GateDefinition, run: _Run) -> GateResult:
    match definition.builtin, definition.command:
        case (str() as builtin, None):
            return _judge_builtin(definition, builtin, run)
        case (None, str() as line) if line.strip():
            return could_not_run(definition, "Only a runner can run a shell line.")
        case _:
            sentence = (
                "The definition must have one of `command` and `builtin`. Correct the policy."
            )
            return could_not_run(definition, sentence)


def _judge_builtin(definition: GateDefinition, name: str, run: _Run) -> GateResult:
    # Imported here: a judge without gates starts without them.
    from gates.builtin import BuiltinSubject
    from gates.contents import contents_after, contents_before
    from gates.profiles.plugins import readers_of
    from gates.profiles.profile import ProfileError
    from gates.registry import BUILTIN_GATES

    builtin = BUILTIN_GATES.get(name)
    if builtin is None:
        known = ", ".join(sorted(BUILTIN_GATES))
        sentence = f"There is no builtin gate {name!r} (known: {known}). Correct the policy."
        return could_not_run(definition, sentence)
    if builtin.judges is not definition.judges:
        sentence = f"{name} judges the {builtin.judges.value}, not the {definition.judges.value}."
        return could_not_run(definition, f"{sentence} Correct the policy.")
    if isinstance(run.diff, str):
        return could_not_run(definition, run.diff)
    started = time.monotonic()
    try:
        subject = BuiltinSubject(
            run.diff,
            run.settings,
            run.tree.entries,
            contents_before(run.plumbing, run.diff),
            contents_after(run.plumbing, run.tree),
            readers_of(definition.profiles),
        )
        judgement = builtin.judge(subject)
    except (CheckoutError, ProfileError) as refusal:
        return could_not_run(definition, refusal.sentence)
    return GateResult(
        gate=definition.name,
        judges=definition.judges,
        ending=judgement.ending,
        sentence=judgement.sentence,
        seconds=round(time.monotonic() - started, 3),
        annotations=judgement.annotations,
        failed_tests=judgement.failed_tests,
        proof=judgement.proof,
    )
