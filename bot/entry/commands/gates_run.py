"""`headgate gates run`: the policy's gates on a commit of this clone, as a runner and a worker have them."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic_core import to_jsonable_python

from action.order import GateOrder, SandboxRule
from action.report import GateOrderReport
from bot.core.spec.awaited_gates import ReviewGate
from bot.core.spec.policy import Policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.talk.policy_text import no_file
from bot.core.talk.steering_text import shadows_text, steered_here_text
from bot.core.values.ids import Sha
from bot.core.values.spent import ModelUse, together
from bot.core.values.steering import Steering
from bot.entry.commands.before_start import git_trouble
from bot.entry.commands.gates_asked import AskedOfCommit, Clone, asked_here, with_proof
from bot.entry.commands.gates_review import LocalReview, Work, diff_here, reader_here
from bot.entry.commands.gates_steering import steering_here
from bot.entry.commands.policy_here import policy_of
from bot.entry.terminal import Terminal
from bot.ports import UserError
from gates.graded.rounds import could_not_run
from gates.proof import RequirementProof
from gates.result import Ending, GateDefinition, GateResult, definition_hash
from gates.wording import plain_text

_CLEARED_WITHIN_SECONDS = 30.0
# What HEAD may have left, where nobody says it: as a clone has it, and as a repository without a remote.
_BASES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")


@dataclass(frozen=True)
class RunOptions:
    """`only` names gates, `specs` say which requirements the work is about; `review`: models may be asked."""

    base: str
    only: tuple[str, ...] = ()
    specs: tuple[str, ...] = ()
    review: bool = False
    as_json: bool = False


class _GitError(Exception):
    """git's error message."""


@dataclass(frozen=True)
class _Here:
    top: Path
    head: str
    left: str
    policy: Policy
    asked: AskedOfCommit
    steering: Steering


@dataclass(frozen=True)
class _Judged:
    """What was said: by the runner's gates, and of the rest which did not run, and why."""

    order: GateOrderReport | None
    results: tuple[GateResult, ...]
    not_run: dict[str, str]
    use: ModelUse


def run_gates(options: RunOptions) -> int:
    """Judge HEAD against its fork from the base. Returns 1 if a required gate did not pass, or the work brings what
    a runner would take for itself; 2 if nothing was judged, else 0."""
    errors = Terminal(stderr=True, soft_wrap=True, highlight=False)
    out = Terminal(soft_wrap=True, highlight=False)
    try:
        here = _here(options, errors.print)
        if here.steering.shadows:
            errors.print(f"No gate runs. {shadows_text(here.steering)}")
            if options.as_json:
                out.out(_json(here, (), _Judged(None, (), {}, ModelUse())))
            return 1
        not_run = _not_run(here, options)
        for name, why in not_run.items():
            errors.print(f"{name} does not run: {why}")
        gates, reviews = _chosen(here, options)
    except UserError as wrong:
        errors.print(wrong.sentence)
        return 2
    if options.review and not reviews:
        errors.print("The policy has no gate with `review`, so no model is asked.")
    if any(gate.builtin == "spec_verify" for gate in gates):
        errors.print(_about(here.asked))
    order = _ordered(here.top, _order(here, gates)) if gates else None
    report = order.report if order is not None else None
    if gates and report is None:
        if order is not None:
            errors.print(plain_text(order.sentence))
            if options.as_json:
                out.out(_json(here, (), _Judged(order, (), not_run, ModelUse())))
        return 2
    results = with_proof(report, here.policy, here.asked).results if report is not None else ()
    if reviews and _is_red(gates, results):
        why = (
            "a required gate did not pass. The model reviews only after all other required "
            "gates have passed."
        )
        errors.print(f"{', '.join(gate.name for gate in reviews)} does not run: {why}")
        not_run |= {gate.name: why for gate in reviews}
        reviews = ()
    read, use = _reviewed(here, reviews, errors.print)
    judged = _Judged(order, (*results, *read), not_run, use)
    shown = _json(here, (*gates, *reviews), judged) if options.as_json else _summary(judged)
    if shown:
        out.out(shown)
    return _code((*gates, *reviews), judged)


def _here(options: RunOptions, say: Callable[[str], None]) -> _Here:
    """Raises `UserError`, with the next step."""
    if trouble := git_trouble():
        raise UserError(trouble.sentence)
    next_step = "Change to a clone of the repository."
    try:
        top = Path(_git(Path(), "rev-parse", "--show-toplevel"))
        next_step = "Commit first, because gates judge a commit."
        head = _git(top, "rev-parse", "--verify", "--quiet", "HEAD")
        next_step = "Name the branch that HEAD started from, for example `--base main`."
        base = options.base or _base(top)
        left = _git(top, "merge-base", base, "HEAD")
        dirty = _git(top, "status", "--porcelain")
    except _GitError as error:
        raise UserError(f"{error} {next_step}") from error
    text = _policy_text(top, left)
    if text is None:
        raise UserError(no_file(POLICY_PATH))
    policy = policy_of(POLICY_PATH, text)
    if left == head:
        say(f"HEAD has no changes that {base} does not have. The gates judge HEAD as it is.")
    if dirty:
        say("Uncommitted changes are not judged.")
    git_dir = Path(_git(top, "rev-parse", "--absolute-git-dir"))
    steering = steering_here(git_dir, Sha(left), Sha(head), policy)
    if steering.files and not steering.shadows:
        say(steered_here_text(steering))
    asked = asked_here(_clone(top, left, head), policy, options.specs)
    return _Here(top, head, left, policy, asked, steering)


def _base(top: Path) -> str:
    for one in _BASES:
        with contextlib.suppress(_GitError):
            _git(top, "rev-parse", "--verify", "--quiet", f"{one}^{{commit}}")
            return one
    raise UserError(
        f"None of these exist: {', '.join(_BASES)}. Name the branch that HEAD started from with "
        "--base."
    )


_Chosen = tuple[tuple[GateDefinition, ...], tuple[ReviewGate, ...]]


def _chosen(here: _Here, options: RunOptions) -> _Chosen:
    """The gates that run, and those at which a model is asked. Raises `UserError` for a name of neither."""
    policy = here.policy
    known = [g for g in policy.gates if not _has_no_subject(here, g.builtin)]
    names = [*(gate.name for gate in known), *(gate.name for gate in policy.review_gates)]
    unknown = sorted(set(options.only) - set(names))
    gates = tuple(g for g in known if not options.only or g.name in options.only)
    reviews = tuple(g for g in policy.review_gates if options.review or g.name in options.only)
    listed = ", ".join(names)
    if unknown:
        named = ", ".join(unknown)
        raise UserError(
            f"These gates do not exist or cannot run here: {named}. Gates that can run: "
            f"{listed or 'none'}."
        )
    if not gates and not reviews:
        how = (
            f"Name one of: {listed}." if listed else f"{POLICY_PATH} has no gate that can run here."
        )
        raise UserError(f"No gate has run. {how}")
    return gates, reviews


def _has_no_subject(here: _Here, builtin: str | None) -> bool:
    """Without a requirement there is nothing to prove, and without a diff nothing has a scope."""
    is_unproven = builtin == "spec_verify" and not here.asked.asked
    return is_unproven or (builtin == "scope_check" and here.left == here.head)


def _not_run(here: _Here, options: RunOptions) -> dict[str, str]:
    """Why gates of the policy say nothing here, and who would; nothing of those that were not asked for."""
    found = {}
    for name, gate in here.policy.file.gates.items():
        if options.only and name not in options.only:
            continue
        if _has_no_subject(here, gate.builtin):
            found[name] = (
                "there is no diff."
                if gate.builtin == "scope_check"
                else "no changed test names a requirement. Name a spec with --spec."
            )
        elif gate.acceptance is not None:
            found[name] = f"a person with the role {gate.acceptance} decides it on GitHub."
        elif gate.external is not None:
            found[name] = f"another App reports {gate.external.check} on GitHub."
    if not options.only and not options.review:
        found |= {gate.name: _unasked(here, gate) for gate in here.policy.review_gates}
    return found


def _unasked(here: _Here, gate: ReviewGate) -> str:
    how = f"to let a model review the diff, use `headgate gates run {gate.name}` or `--review`"
    reader = reader_here(here.policy, lambda _sentence: None)
    if isinstance(reader, str):
        return f"{how}. {reader[0].upper()}{reader[1:]}"
    return f"{how}: {LocalReview(gate, _work(here), reader).outlook()}"


def _is_red(gates: Sequence[GateDefinition], results: Sequence[GateResult]) -> bool:
    passed = {result.gate for result in results if result.ending is Ending.PASSED}
    return any(gate.required and gate.name not in passed for gate in gates)


def _reviewed(
    here: _Here, reviews: Sequence[ReviewGate], say: Callable[[str], None]
) -> tuple[tuple[GateResult, ...], ModelUse]:
    """What a model says, and what that took."""
    reader = reader_here(here.policy, say) if reviews else ""
    if isinstance(reader, str):
        return tuple(could_not_run(gate.name, reader) for gate in reviews), ModelUse()
    results, use = [], ModelUse()
    for gate in reviews:
        review = LocalReview(gate, _work(here), reader)
        say(f"{gate.name}: {review.outlook()}")
        results.append(review.result())
        use = together(use, review.use)
    return tuple(results), use


def _work(here: _Here) -> Work:
    git_dir = Path(_git(here.top, "rev-parse", "--absolute-git-dir"))
    try:
        branch = _git(here.top, "symbolic-ref", "--quiet", "HEAD")
    except _GitError:
        branch = here.left
    files = diff_here(git_dir, here.left, here.head)
    return Work(branch, Sha(here.head), files, git_dir / "headgate" / "reviews")


def _code(gates: Sequence[GateDefinition | ReviewGate], judged: _Judged) -> int:
    ended = {result.gate: result for result in judged.results}
    required = [ended.get(gate.name) for gate in gates if gate.required]
    if any(result is None or result.ending is not Ending.PASSED for result in required):
        return 1
    said = [r for r in ended.values() if r.ending is not Ending.COULD_NOT_RUN and not r.stopped_by]
    return 0 if said else 2


def _about(asked: AskedOfCommit) -> str:
    named = ", ".join(one.id.partition("#")[2] for one in asked.asked)
    return (
        f"Requirements: {named} ({asked.others} others are not checked; to check a whole spec, "
        "use --spec)."
    )


def _order(here: _Here, gates: tuple[GateDefinition, ...]) -> GateOrder:
    policy = here.policy
    return GateOrder(
        order_id="local",
        repository="this clone",
        clone_url="",
        candidate_sha=here.head,
        candidate_ref="HEAD",
        diff_base_sha=here.left,
        definition_hash=definition_hash(gates),
        gates=gates,
        protected=policy.protected,
        requirements=here.asked.asked,
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


def _ordered(top: Path, order: GateOrder) -> GateOrderReport | None:
    with tempfile.TemporaryDirectory(prefix="headgate-order-") as folder:
        file, out = Path(folder, "order.json"), Path(folder, "report.json")
        file.write_text(order.model_dump_json(), encoding="utf-8")
        program = (sys.executable, "-P", "-m", "action", "judge")
        asked = ("--order", str(file), "--repository", str(top), "--out", str(out))
        # In a session of its own: a Ctrl-C comes to it from us, once, and it clears up.
        with subprocess.Popen([*program, *asked], start_new_session=True) as judge:
            try:
                judge.wait()
            except KeyboardInterrupt:
                judge.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    judge.wait(_CLEARED_WITHIN_SECONDS)
                judge.kill()
                raise
        return GateOrderReport.model_validate_json(out.read_bytes()) if out.is_file() else None


def _json(here: _Here, gates: Sequence[GateDefinition | ReviewGate], judged: _Judged) -> str:
    required = {gate.name: gate.required for gate in gates}
    order = judged.order
    shown = {
        "commit": here.head,
        "base": here.left,
        "sentence": order.sentence if order is not None else "",
        "walls": order.sandbox.value if order is not None else None,
        "gates": [{"required": required[one.gate], **asdict(one)} for one in judged.results],
        "not_run": judged.not_run,
        "steers": {name: getattr(here.steering, name) for name in ("runner", "setup", "shadows")},
        "model": to_jsonable_python(judged.use) if judged.use.calls else None,
    }
    return json.dumps(shown, indent=2)


def _summary(judged: _Judged) -> str:
    order = judged.order
    lines = [f"{plain_text(order.sentence)} (sandbox: {order.sandbox.value})"] if order else []
    for result in judged.results:
        lines += _lines(result)
    if judged.use.calls:
        dollars = judged.use.dollars
        cost = "an unknown amount" if dollars is None else f"${dollars:.4f}"
        calls = "once" if judged.use.calls == 1 else f"{judged.use.calls} times"
        lines.append(f"The model was asked {calls}: {judged.use.tokens.total:,} tokens, {cost}.")
    return "\n".join(lines)


def _lines(result: GateResult) -> Iterator[str]:
    yield f"{result.ending.value:>13}  {result.gate}: {plain_text(result.sentence)}"
    for one in result.proof:
        yield f"{'':15}{_proven(one)}"
    if result.ending is not Ending.PASSED:
        for line in plain_text(result.log_tail).splitlines()[-20:]:
            yield f"{'':15}{line}"
    for note in result.annotations[:20]:
        first, *others = plain_text(note.message).splitlines() or [""]
        yield f"{'':15}{note.path}:{note.line_start}: {first}"
        # A line's own output has said the rest.
        for line in () if result.log_tail else others:
            yield f"{'':17}{line}"


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
        raise _GitError(
            f"git {arguments[0]}: {said}." if said else "HEAD is not a commit."
        ) from error
    return done.stdout.strip()
