"""`headgate gates run`: the policy's gates on a commit of this clone, as a runner runs them."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from action.order import GateOrder, SandboxRule
from action.report import GateOrderReport
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.talk.policy_text import no_file
from bot.entry.commands.before_start import git_trouble
from bot.entry.commands.gates_asked import AskedHere, Clone, asked_here, with_proof
from bot.entry.commands.policy_here import policy_of
from bot.entry.terminal import Terminal
from bot.ports import UserError
from gates.judge import all_required_passed
from gates.proof import RequirementProof
from gates.result import Ending, GateDefinition, GateReport, definition_hash
from gates.wording import plain_text


class _GitError(Exception):
    """git's error message."""


def run_gates(base: str, only: tuple[str, ...], specs: tuple[str, ...] = ()) -> int:
    """Judge HEAD against its fork from `base`; `specs` say which requirements it is about. Returns 0 if all
    required gates passed, 1 if not, 2 if nothing was judged."""
    errors = Terminal(stderr=True, soft_wrap=True, highlight=False)
    if trouble := git_trouble():
        errors.print(trouble.sentence)
        return 2
    next_step = "Go into a clone of the repository."
    try:
        top = Path(_git(Path(), "rev-parse", "--show-toplevel"))
        next_step = "Commit first: gates judge a commit."
        head = _git(top, "rev-parse", "--verify", "--quiet", "HEAD")
        next_step = (
            f"There is no `{base}` that HEAD left: name the branch with --base, as `--base main`."
        )
        left = _git(top, "merge-base", base, "HEAD")
        dirty = _git(top, "status", "--porcelain")
    except _GitError as error:
        errors.print(f"{error} {next_step}")
        return 2
    text = _policy_text(top, left)
    if text is None:
        errors.print(no_file(POLICY_PATH))
        return 2
    try:
        policy = policy_of(POLICY_PATH, text)
    except UserError as wrong:
        errors.print(wrong.sentence)
        return 2
    if dirty:
        errors.print("What is not committed is not judged.")
    try:
        asked = asked_here(_clone(top, left, head), policy, specs)
    except UserError as wrong:
        errors.print(wrong.sentence)
        return 2
    gates = _asked(policy, only, asked)
    if not only:
        for sentence in _not_run(policy, asked):
            errors.print(sentence)
    if any(gate.builtin == "spec_verify" for gate in gates):
        errors.print(_about(asked))
    unknown = sorted(set(only) - {gate.name for gate in gates})
    if unknown or not gates:
        here = ", ".join(gate.name for gate in _asked(policy, (), asked)) or "none"
        named = f" ({', '.join(unknown)})" if unknown else ""
        errors.print(f"There is no such gate that can run here{named}. Gates: {here}.")
        return 2
    report = _judged(top, _order(policy, gates, head, left, asked))
    if report is None or report.report is None:
        return 2
    judged = with_proof(report.report, policy, asked)
    Terminal(soft_wrap=True, highlight=False).out(_summary(report, judged))
    return 0 if all_required_passed(gates, judged) else 1


def _asked(policy: Policy, only: tuple[str, ...], asked: AskedHere) -> tuple[GateDefinition, ...]:
    """Without a requirement there is nothing to prove."""
    known = (gate for gate in policy.gates if gate.builtin != "spec_verify" or asked.asked)
    return tuple(gate for gate in known if not only or gate.name in only)


def _not_run(policy: Policy, asked: AskedHere) -> Iterator[str]:
    """Which gates of the policy say nothing here, and who would."""
    for name, gate in policy.file.gates.items():
        if gate.builtin == "spec_verify" and not asked.asked:
            yield f"{name} is not run: no test that you touch names a requirement. Name a spec by --spec."
        elif gate.review is not None:
            yield f"{name} is not run: a model of the server reads what all other gates have passed."
        elif gate.acceptance is not None:
            yield f"{name} is not run: it is the word of a person with the role {gate.acceptance}."
        elif gate.external is not None:
            yield f"{name} is not run: another App reports {gate.external.check} on GitHub."


def _about(asked: AskedHere) -> str:
    named = ", ".join(one.id.partition("#")[2] for one in asked.asked)
    return (
        f"Requirements: {named} ({asked.others} others are not asked; --spec names a whole spec)."
    )


def _order(
    policy: Policy, gates: tuple[GateDefinition, ...], head: str, left: str, asked: AskedHere
) -> GateOrder:
    return GateOrder(
        order_id="local",
        repository="this clone",
        clone_url="",
        candidate_sha=head,
        candidate_ref="HEAD",
        diff_base_sha=left,
        definition_hash=definition_hash(gates),
        gates=gates,
        protected=policy.protected,
        requirements=asked.asked,
        measured=policy.measured,
        at_once=policy.file.gates_at_once,
        stop_at_first_red=policy.file.stop_at_first_red,
        setup=policy.setup,
        environment=policy.environment,
        egress_hosts=policy.file.egress,
        # One's own code on one's own machine: walls where they can be had.
        sandbox=SandboxRule.NONE_ALLOWED,
        sandbox_allow=policy.sandbox_allow,
    )


def _judged(top: Path, order: GateOrder) -> GateOrderReport | None:
    with tempfile.TemporaryDirectory(prefix="headgate-order-") as folder:
        file, out = Path(folder, "order.json"), Path(folder, "report.json")
        file.write_text(order.model_dump_json(), encoding="utf-8")
        program = (sys.executable, "-P", "-m", "action", "judge")
        asked = ("--order", str(file), "--repository", str(top), "--out", str(out))
        subprocess.run([*program, *asked], check=False)
        return GateOrderReport.model_validate_json(out.read_bytes()) if out.is_file() else None


def _summary(order: GateOrderReport, judged: GateReport) -> str:
    lines = [f"{plain_text(order.sentence)} (walls: {order.sandbox.value})"]
    for result in judged.results:
        lines.append(f"{result.ending.value:>13}  {result.gate}: {plain_text(result.sentence)}")
        lines += [f"{'':15}{one}" for one in map(_proven, result.proof)]
        if result.ending is not Ending.PASSED:
            tail = plain_text(result.log_tail).splitlines()[-20:]
            lines += [f"{'':15}{line}" for line in tail]
            lines += [
                f"{'':15}{a.path}:{a.line_start}: {plain_text(a.message)}"
                for a in result.annotations[:20]
            ]
    return "\n".join(lines)


def _proven(proof: RequirementProof) -> str:
    tests = ", ".join(test.id for test in proof.tests[:3]) or "no test"
    why = f" ({proof.why})" if proof.why else ""
    return plain_text(f"{proof.requirement.partition('#')[2]}: {proof.level}{why}: {tests}")


def _clone(top: Path, base: str, head: str) -> Clone:
    def paths(commit: str) -> list[str]:
        return _git(top, "ls-tree", "-r", "-z", "--name-only", commit).strip("\0").split("\0")

    def read(commit: str, path: str) -> bytes:
        place = f"{commit}:{path}"
        done = subprocess.run(["git", "cat-file", "blob", place], cwd=top, capture_output=True)
        return done.stdout

    changed = _git(top, "diff", "-z", "--name-only", "--no-renames", base, head)
    return Clone(paths, read, base, head, tuple(filter(None, changed.split("\0"))))


def _policy_text(top: Path, commit: str) -> str | None:
    """The policy as base has it; before the first one is merged, the clone's own."""
    try:
        return _git(top, "show", f"{commit}:{POLICY_PATH}")
    except _GitError:
        file = top / POLICY_PATH
        return file.read_text("utf-8", "replace") if file.is_file() else None


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            encoding="utf-8",
            # The name of a file may be any bytes.
            errors="replace",
            check=True,
        )
    except subprocess.CalledProcessError as error:
        said = " ".join(error.stderr.split())
        raise _GitError(f"git {arguments[0]}: {said}." if said else "HEAD is no commit.") from error
    return done.stdout.strip()
