"""An agent order from its lease to its report: fetch, set up, run the agent, collect its work.

The work is handed back whatever the ending (paid work is kept); the ending says whether it is
meant to be judged. `session` uploads it.
"""

import importlib
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from action.agents.adapters.protocol import Told
from action.agents.adapters.table import ADAPTERS
from action.agents.budget import Budget
from action.agents.command import Place, run_command_agent
from action.agents.contact import ModelAccess, ModelContact, deferred
from action.agents.contracts import Contracts
from action.agents.outcome import AgentOutcome, Transcript
from action.agents.prompt import system_prompt, task_prompt
from action.agents.rounds import Rounds
from action.agents.tools import Tools
from action.halt import HaltedError, HaltReason
from action.harness.artefacts import with_artefacts, with_ticked
from action.harness.conventions import conventions
from action.harness.fingerprint import FingerprintWatch
from action.harness.git import START_REF, GitRefusedError
from action.harness.order_context import Line, OrderContext, open_sandbox, run_lines
from action.harness.prepare import prepare
from action.harness.programs import FoundProgram, find_program
from action.harness.words_for_people import FILES, FilesLeft, with_words, words_left_in
from action.harness.work import NoWork, TooMuchWork, Work, collect, refusals
from action.order import AgentOrder, ModelCredentials
from action.redaction import redacted
from action.report import AgentEnding, AgentReport, Obstacle, SandboxKind
from action.sandbox.choice import SandboxRefusal
from action.sandbox.sandbox import Sandbox, SandboxEndedError
from action.sandbox.view import EXTRA_PATHS_VARIABLE

_BUILTIN = "action.agents.builtin"


@dataclass(frozen=True)
class AgentResult:
    """The report, and the bundle that belongs to it (not uploaded yet)."""

    report: AgentReport
    bundle: Path | None


def run_agent_order(
    order: AgentOrder, credentials: ModelCredentials | None, context: OrderContext
) -> AgentResult:
    """Whatever the order, the repository or the agent does wrong is in the report, never raised."""
    started = time.monotonic()
    budget = Budget(order.agent)
    transcript = Transcript()
    work: Work | NoWork | None = None
    kind = SandboxKind.NONE
    if credentials is not None and order.agent.kind not in ADAPTERS and not order.remake:
        _import_soon(_BUILTIN)
    program = _program_of(order, context)
    sandbox = open_sandbox(context, order, program.shown if program else ())
    if isinstance(sandbox, SandboxRefusal):
        outcome = deferred(Obstacle.SANDBOX_REFUSED, sandbox.sentence)
    else:
        kind = sandbox.kind
        ready = _prepare(order, context, sandbox)
        if ready is not None:
            outcome = ready
        else:
            # Time starts with the agent: a slow setup has a limit of its own.
            budget = Budget(order.agent)
            context.progress.watch(budget)
            before = words_left_in(context.folder.tree)
            try:
                outcome, transcript = _carry_out(
                    order, credentials, context, sandbox, budget, program
                )
            except (HaltedError, SandboxEndedError):
                if context.halt.reason is not HaltReason.INTERRUPTED:
                    raise
                outcome = AgentOutcome(AgentEnding.CRASHED, context.halt.sentence)
            try:
                outcome, work = _finish(order, context, sandbox, outcome, before)
            except HaltedError:
                # A signal raises once; what it broke off is done again.
                outcome, work = _finish(order, context, sandbox, outcome, before)
    done = work if isinstance(work, Work) else None
    report = AgentReport(
        order_id=order.order_id,
        ending=outcome.ending,
        sentence=outcome.sentence,
        head_sha=done.head_sha if done else None,
        model=order.agent.model,
        turns=budget.turns,
        tokens=budget.tokens,
        seconds=round(time.monotonic() - started, 3),
        sandbox=kind,
        transcript_tail=redacted(transcript.tail, context.secrets) if transcript.tail else "",
        restarts=tuple(transcript.restarts),
        questions=outcome.questions,
        accounts=outcome.accounts,
        left_out=work.left_out if work else (),
        obstacle=outcome.obstacle,
        retry_after_seconds=outcome.retry_after_seconds,
    )
    return AgentResult(with_ticked(report, order, context.git), done.bundle if done else None)


def _import_soon(module: str) -> None:
    """Begins beside git and the sandbox, which run in processes of their own."""
    threading.Thread(target=importlib.import_module, args=(module,), daemon=True).start()


def _program_of(order: AgentOrder, context: OrderContext) -> FoundProgram | None:
    adapter = ADAPTERS.get(order.agent.kind)
    name = adapter.program if adapter is not None else ""
    return find_program(name, context.environment) if name else None


def _not_installed(name: str) -> AgentOutcome:
    return deferred(
        Obstacle.PROGRAM_MISSING,
        f"The agent's program `{name}` was not found on this runner. Install it, or add its "
        f"folder to PATH or {EXTRA_PATHS_VARIABLE}.",
    )


def _prepare(order: AgentOrder, context: OrderContext, sandbox: Sandbox) -> AgentOutcome | None:
    context.progress.note(f"Fetching {order.repository} at {order.start_sha[:12]}")
    git = context.git
    source = context.source(order)
    try:
        git.create()
        git.fetch(source, order.start_ref, order.start_sha, START_REF)
        git.fetch_history_between(source, order.base_sha, order.start_sha)
        lines = order.replace(setup=()) if order.remake else order
        begin = with_artefacts(order, git)
        prepared = prepare(lines, context, sandbox, begin, FILES)
    except GitRefusedError as refused:
        sentence = f"The repository could not be fetched: {refused}"
        return deferred(Obstacle.FETCH_FAILED, sentence)
    if prepared.failed is not None:
        return deferred(Obstacle.SETUP_FAILED, prepared.failed)
    return None


def _carry_out(
    order: AgentOrder,
    credentials: ModelCredentials | None,
    context: OrderContext,
    sandbox: Sandbox,
    budget: Budget,
    program: FoundProgram | None,
) -> tuple[AgentOutcome, Transcript]:
    """Let the order's lines, or its agent, work on the tree."""
    if order.remake:
        return _remade(order, context, sandbox), Transcript()
    adapter = ADAPTERS.get(order.agent.kind)
    if adapter is not None and adapter.program and program is None:
        return _not_installed(adapter.program), Transcript()
    return _run_agent(order, credentials, context, sandbox, budget, program)


def _run_agent(
    order: AgentOrder,
    credentials: ModelCredentials | None,
    context: OrderContext,
    sandbox: Sandbox,
    budget: Budget,
    program: FoundProgram | None,
) -> tuple[AgentOutcome, Transcript]:
    context.progress.note(f"The agent is working on {order.change}, attempt {order.attempt}")
    task = task_prompt(order, conventions(context.git, order.base_sha))
    quick = [gate for gate in order.gates if gate.name in order.quick_gates]
    contracts = Contracts(order.agent.deny, order.agent.before_done)
    tree = context.folder.tree
    check = partial(_refusals, order, context)
    rounds = Rounds(quick, sandbox, tree, budget, contracts, check)
    tasks_path = order.artefacts.tasks_path if order.artefacts else ""
    context.progress.follow(FingerprintWatch(tree, lambda: rounds.seen_red, tasks_path))
    if (adapter := ADAPTERS.get(order.agent.kind)) is not None:
        # Imported here: no other order needs an HTTP server and client.
        from action.harness.model_proxy import model_proxy

        asked, helpers = order.agent.model, order.agent.helpers
        told = Told(
            program=str(program.path) if program else order.agent.command or "",
            text=task,
            whole=f"{system_prompt()}\n{task}",
            model=asked,
            helper=helpers[0] if helpers else asked,
            given=context.folder.given,
            mcp=order.agent.mcp,
        )
        with ExitStack() as stack:
            folder = context.folder.root / "model"
            access = (
                stack.enter_context(model_proxy(credentials, asked, budget, folder, helpers))
                if credentials is not None
                else ModelAccess((), ModelContact())
            )
            quiet_seconds = float(order.agent.quiet_seconds)
            place = Place(sandbox, tree, access, budget, quiet_seconds)
            progress = context.progress
            return run_command_agent(adapter, told, place, rounds, progress.step, progress.events)
    if credentials is None:
        sentence = "The server gave no model credentials. Set a model key on the server."
        return deferred(Obstacle.MODEL_REFUSED, sentence), Transcript()
    # Imported by no other order, because the SDK costs 74 MiB and more than a second.
    from action.agents.builtin import Model, Task, run_builtin_agent

    model = Model(credentials, order.agent.model, budget, context.halt)
    try:
        tools = Tools(sandbox, tree, rounds)
        wanted = Task(system_prompt(), task, order.asking, rounds.has_gates)
        return run_builtin_agent(
            model, tools, budget, wanted, context.progress.step, context.progress.events
        )
    finally:
        model.close()


def _remade(order: AgentOrder, context: OrderContext, sandbox: Sandbox) -> AgentOutcome:
    """The policy's lines in place of an agent, on lock files in conflict, which the checkout has from main.

    Setup has not run: one that installs what the files name could not succeed before.
    """
    lines = tuple(Line("Remake", r.run, r.remake_timeout_seconds) for r in order.remake)
    failed = run_lines(context, order, sandbox, lines)
    if failed is not None:
        return AgentOutcome(AgentEnding.CRASHED, failed)
    names = ", ".join(file for one in order.remake for file in one.files)
    return AgentOutcome(AgentEnding.FINISHED, f"Generated again: {names}.")


def _refusals(order: AgentOrder, context: OrderContext) -> tuple[str, ...]:
    """Told to the living agent; where they cannot be seen, collecting the work says why."""
    try:
        return refusals(context.folder, context.git, order)
    except (GitRefusedError, OSError):
        return ()


def _finish(
    order: AgentOrder,
    context: OrderContext,
    sandbox: Sandbox,
    outcome: AgentOutcome,
    before: FilesLeft,
) -> tuple[AgentOutcome, Work | NoWork | None]:
    """What comes of the agent's tree once nothing runs inside any more."""
    sandbox.end()
    outcome = with_words(order, context.folder.tree, outcome, before, context.secrets)
    return _collect_work(order, context, outcome)


def _collect_work(
    order: AgentOrder, context: OrderContext, outcome: AgentOutcome
) -> tuple[AgentOutcome, Work | NoWork | None]:
    """The tree decides: an agent's own claim counts only if there is work."""
    context.halt.check_wanted()
    context.progress.note("Collecting the work")
    try:
        collected = collect(context.folder, context.git, order)
    except (GitRefusedError, OSError) as refused:
        sentence = f"The work could not be collected: {refused}"
        return AgentOutcome(AgentEnding.CRASHED, sentence), None
    if isinstance(collected, TooMuchWork):
        return _with_refused(outcome, collected.sentence), None
    if collected.refused:
        said = f"Refused and removed from the work: {'; '.join(collected.refused)}."
        return _with_refused(outcome, said), collected
    if order.remake and outcome.ending is not AgentEnding.FINISHED:
        return outcome, None
    if isinstance(collected, NoWork) and outcome.ending is AgentEnding.FINISHED:
        sentence = "The agent finished without changing a file."
        return AgentOutcome(AgentEnding.NOTHING_CHANGED, sentence), collected
    return outcome, collected


def _with_refused(outcome: AgentOutcome, sentence: str) -> AgentOutcome:
    """An agent whose files were refused has not finished, whatever it said."""
    is_finished = outcome.ending is AgentEnding.FINISHED
    ending = AgentEnding.WORK_REFUSED if is_finished else outcome.ending
    return replace(outcome, ending=ending, sentence=f"{outcome.sentence} {sentence}")
