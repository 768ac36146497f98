"""What both kinds of order need around them, and the steps that they share.

A step that does not succeed returns a sentence; `None` is success.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from action.halt import Halt
from action.harness.egress import egress_door
from action.harness.folder import OrderFolder
from action.harness.git import OrderGit, Source
from action.harness.progress import Progress
from action.order import AgentOrder, GateOrder
from action.report import SandboxKind
from action.sandbox.choice import SandboxRefusal, choose
from action.sandbox.sandbox import Command, Sandbox, shell

OUTPUT_CHARACTERS = 2_000


@dataclass(frozen=True)
class Setting:
    """One order's surroundings on the runner."""

    folder: OrderFolder
    environment: Mapping[str, str]
    read_token: str
    halt: Halt
    progress: Progress

    @property
    def git(self) -> OrderGit:
        """Our repository beside the work tree."""
        return OrderGit(self.folder.git, self.folder.tree)

    def source(self, order: AgentOrder | GateOrder) -> Source:
        """Where the order's commits come from."""
        return Source(order.clone_url, self.read_token)


def open_sandbox(
    setting: Setting, order: AgentOrder | GateOrder, also_shown: tuple[Path, ...] = ()
) -> Sandbox | SandboxRefusal:
    """A sandbox that works, and that ends as soon as a halt is asked for."""

    def make(kind: SandboxKind) -> Sandbox:
        sandbox = setting.folder.make_sandbox(kind, setting.environment, also_shown)
        setting.folder.give_to(sandbox)
        return sandbox

    chosen = choose(order.sandbox, make)
    if isinstance(chosen, Sandbox):
        setting.halt.on_ask(chosen.end)
        setting.progress.note(f"Sandbox: {chosen.kind.value}")
    return chosen


def set_up(setting: Setting, order: AgentOrder | GateOrder, sandbox: Sandbox) -> str | None:
    """Run the policy's setup commands; the only time that anything inside has a network."""
    with egress_door(order.egress_hosts, setting.folder.root / "egress") as doors:
        for number, setup in enumerate(order.setup, start=1):
            setting.progress.note(f"Setup {number} of {len(order.setup)}: {setup.run}")
            ended = sandbox.run(
                Command(
                    shell(setup.run),
                    setting.folder.tree,
                    setup.setup_timeout_seconds,
                    doors=doors,
                )
            )
            setting.halt.check()
            if ended.timed_out:
                return f"Setup `{setup.run}` took longer than {setup.setup_timeout_seconds} s."
            if not ended.is_success:
                how = ended.exit_code if ended.signal is None else f"signal {ended.signal}"
                tail = ended.output_tail.strip()[-OUTPUT_CHARACTERS:]
                return f"Setup `{setup.run}` ended with {how}:\n{tail}"
    return None
