"""`headgate gates run`: the policy's gates on a commit of this clone, as a runner runs them."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from action.order import GateOrder, SandboxRule
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.entry.commands.policy_here import policy_of
from bot.entry.terminal import Terminal
from bot.ports import UserError
from gates.result import GateDefinition, definition_hash


class _GitError(Exception):
    """git's error message."""


def run_gates(base: str, only: tuple[str, ...]) -> int:
    """Judge HEAD against its fork from `base`. Returns 0 if all required gates passed, 1 if not, 2 if nothing
    was judged."""
    errors = Terminal(stderr=True, soft_wrap=True, highlight=False)
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
        errors.print(f"There is no {POLICY_PATH} here: `headgate init` writes a first one.")
        return 2
    try:
        policy = policy_of(POLICY_PATH, text)
    except UserError as wrong:
        errors.print(wrong.sentence)
        return 2
    if dirty:
        errors.print("What is not committed is not judged.")
    gates = _asked(policy, only)
    left_out = sorted(set(policy.file.gates) - {gate.name for gate in gates} - set(only))
    if left_out and not only:
        errors.print(f"Not asked here, because a server is needed: {', '.join(left_out)}.")
    unknown = sorted(set(only) - {gate.name for gate in gates})
    if unknown or not gates:
        here = ", ".join(gate.name for gate in _asked(policy, ())) or "none"
        named = f" ({', '.join(unknown)})" if unknown else ""
        errors.print(f"There is no such gate that can run here{named}. Gates: {here}.")
        return 2
    return _judged(top, _order(policy, gates, head, left))


def _asked(policy: Policy, only: tuple[str, ...]) -> tuple[GateDefinition, ...]:
    """`spec_verify` needs the requirements of a change, which a server knows."""
    known = (gate for gate in policy.gates if gate.builtin != "spec_verify")
    return tuple(gate for gate in known if not only or gate.name in only)


def _order(policy: Policy, gates: tuple[GateDefinition, ...], head: str, left: str) -> GateOrder:
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
        at_once=policy.file.gates_at_once,
        stop_at_first_red=policy.file.stop_at_first_red,
        setup=policy.setup,
        environment=policy.environment,
        egress_hosts=policy.file.egress,
        # One's own code on one's own machine: walls where they can be had.
        sandbox=SandboxRule.NONE_ALLOWED,
        sandbox_allow=policy.sandbox_allow,
    )


def _judged(top: Path, order: GateOrder) -> int:
    with tempfile.TemporaryDirectory(prefix="headgate-order-") as folder:
        file = Path(folder, "order.json")
        file.write_text(order.model_dump_json(), encoding="utf-8")
        program = (sys.executable, "-P", "-m", "action", "judge")
        asked = ("--order", str(file), "--repository", str(top))
        return subprocess.run([*program, *asked], check=False).returncode


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
            text=True,
            check=True,
        )
    except OSError as error:
        raise _GitError(f"git could not be started: {error.strerror}.") from error
    except subprocess.CalledProcessError as error:
        said = " ".join(error.stderr.split())
        raise _GitError(f"git {arguments[0]}: {said}" if said else "HEAD is no commit.") from error
    return done.stdout.strip()
