"""What both kinds of order need, and the steps that they share.

A step that does not succeed returns a sentence; `None` is success.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from action.halt import Halt
from action.harness.addresses import allows_plain_http
from action.harness.egress import egress_proxy
from action.harness.folder import OrderFolder
from action.harness.git import OrderGit, Source
from action.harness.progress import Progress
from action.order import AgentOrder, GateOrder
from action.report import SandboxKind
from action.sandbox.choice import SandboxRefusal, choose
from action.sandbox.sandbox import Command, Sandbox, shell
from gates.error_line import error_line

OUTPUT_CHARACTERS = 2_000
_HOSTS_NAMED = 10
_NONE: Mapping[str, str] = {}


@dataclass(frozen=True)
class OrderContext:
    folder: OrderFolder
    environment: Mapping[str, str]
    read_token: str
    halt: Halt
    progress: Progress
    secrets: tuple[str, ...] = ()

    @property
    def git(self) -> OrderGit:
        return OrderGit(self.folder.git, self.folder.tree)

    def source(self, order: AgentOrder | GateOrder) -> Source:
        """Where the order's commits come from."""
        return Source(order.clone_url, self.read_token, allows_plain_http(self.environment))


def open_sandbox(
    context: OrderContext, order: AgentOrder | GateOrder, also_shown: tuple[Path, ...] = ()
) -> Sandbox | SandboxRefusal:
    """A sandbox that works, and that ends as soon as a halt is requested."""

    def make(kind: SandboxKind) -> Sandbox:
        base = order.base_sha if isinstance(order, AgentOrder) else ""
        sandbox = context.folder.make_sandbox(
            kind, context.environment, also_shown, order.sandbox_allow, diff_base=base
        )
        context.folder.give_to(sandbox)
        return sandbox

    chosen = choose(order.sandbox, make)
    if isinstance(chosen, Sandbox):
        context.halt.on_ask(chosen.end)
        context.progress.note(f"Sandbox: {chosen.kind.value}")
    return chosen


def set_up(context: OrderContext, order: AgentOrder | GateOrder, sandbox: Sandbox) -> str | None:
    """Run the policy's setup commands; returns what failed, without what the runner gave them."""
    lines = tuple(Line("Setup", s.run, s.setup_timeout_seconds) for s in order.setup)
    named = order.environment
    if not order.setup or not (named.variables or named.ca_files):
        return run_lines(context, order, sandbox, lines)
    from action.harness.setup_environment import Given, read_given, written_by_setup
    from action.redaction import redacted

    given = read_given(named, context.environment, context.folder)
    if not isinstance(given, Given):
        return given
    failed = run_lines(context, order, sandbox, lines, given.variables)
    failed = failed or written_by_setup(given, context.folder) or None
    return redacted(failed, given.secrets) if failed else None


@dataclass(frozen=True)
class Line:
    what: str
    run: str
    timeout_seconds: float


def run_lines(
    context: OrderContext,
    order: AgentOrder | GateOrder,
    sandbox: Sandbox,
    lines: tuple[Line, ...],
    variables: Mapping[str, str] = _NONE,
) -> str | None:
    """Run an order's lines of the policy, the only ones inside with a network, up to what fails."""
    refused: dict[str, None] = {}
    with egress_proxy(order.egress_hosts, context.folder.root / "egress", refused) as proxies:
        for number, line in enumerate(lines, start=1):
            context.progress.note(f"{line.what} {number} of {len(lines)}: {line.run}")
            ended = sandbox.run(
                Command(
                    shell(line.run),
                    context.folder.tree,
                    line.timeout_seconds,
                    env=variables,
                    proxies=proxies,
                )
            )
            context.halt.check()
            name = f"{line.what} `{line.run}`"
            if ended.timed_out:
                return f"{name} took longer than {line.timeout_seconds:g} s.{_said_of(refused)}"
            if not ended.is_success:
                how = ended.exit_code if ended.signal is None else f"signal {ended.signal}"
                tail = ended.output_tail.strip()[-OUTPUT_CHARACTERS:]
                said = f"{error_line(tail)}{_said_of(refused)}"
                return f"{name} ended with {how}: {said}\n{tail}"
    return None


def _said_of(refused: dict[str, None]) -> str:
    """The hosts that were refused, which is often why setup failed."""
    hosts = ", ".join(tuple(refused)[:_HOSTS_NAMED])
    return (
        (
            f" These hosts were refused, because `egress` does not list them: {hosts}. To allow "
            "them, add them to `egress` in the policy."
        )
        if hosts
        else ""
    )
