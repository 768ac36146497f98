"""When an agent says that it is done: quick gates run in the sandbox, files are checked that would be
refused, and the team's rules.

A failure goes back to the same conversation at most three times (a *round*). None of it counts as a
judgement, because the agent owns the tree; the gates judge outside.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from action.agents.budget import Budget
from action.agents.contracts import Contracts
from action.agents.shown_output import Head, shown_output
from action.sandbox.sandbox import Command, CommandResult, Sandbox, shell
from gates.result import GateDefinition
from gates.unseen import spelled_out

ROUNDS_MAX = 3
_RED = (
    "You said that you are done, but a gate that will judge your work is red in this tree:\n\n{said}\n"
    "Mend it, check again, and end with DONE on the last line, or with GIVE UP: and why."
)

_REFUSED = (
    "You said that you are done, but some of what you changed cannot be taken:\n\n{said}\n"
    "Put it back as it was (`git checkout HEAD -- PATH`; delete what is new), do what is needed another way, and "
    "end with DONE on the last line, or with GIVE UP: and why."
)
_REFUSED_MAX = 20


class Rounds:
    """What stands against the end of one order's agent, and how often that has gone back to it.

    `refusals` are sentences about files of the tree that would not be taken.
    """

    def __init__(
        self,
        gates: Sequence[GateDefinition],
        sandbox: Sandbox,
        tree: Path,
        budget: Budget,
        contracts: Contracts | None = None,
        refusals: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._refusals = refusals
        self.contracts = contracts or Contracts()
        self._gates = [gate for gate in gates if gate.command]
        self._sandbox = sandbox
        self._tree = tree
        self._budget = budget
        self._used = 0
        self._red: dict[str, bool] = {}

    @property
    def has_gates(self) -> bool:
        return bool(self._gates)

    @property
    def seen_red(self) -> tuple[str, ...]:
        return tuple(gate for gate, is_red in dict(self._red).items() if is_red)

    def red(self) -> str:
        """What to say to an agent that is done; empty where its work may be handed in."""
        if self._used >= ROUNDS_MAX or self._budget.over() is not None:
            return ""
        said = self.contracts.unmet() or self._refused() or self._red_gates()
        self._used += 1 if said else 0
        return said

    def _refused(self) -> str:
        said = "".join(f"- {one}\n" for one in self._refusals()[:_REFUSED_MAX])
        return _REFUSED.format(said=said) if said else ""

    def _red_gates(self) -> str:
        said = self.run(only_red=True)
        return _RED.format(said=said) if said else ""

    def run(self, only_red: bool = False) -> str:
        """Each gate with how it ended and what it said; empty where nothing is to be told."""
        return "\n".join(said for gate in self._gates if (said := self._run(gate, only_red)))

    def _run(self, gate: GateDefinition, only_red: bool) -> str:
        seconds = min(float(gate.gate_timeout_seconds), self._budget.seconds_left)
        head = Head()
        line = shell(gate.command or "")
        ended = self._sandbox.run(Command(line, self._tree, seconds), head.add)
        self._red[gate.name] = not ended.is_success
        if ended.is_success:
            return "" if only_red else f"Gate {gate.name} is green.\n"
        how = f"was ended after {seconds:g} s" if ended.timed_out else f"ended with {_code(ended)}"
        output = shown_output(head.text, ended.output_tail, ended.output_bytes).strip()
        said = spelled_out(output) or "[no output]"
        return f"Gate {gate.name} (`{gate.command}`) {how}:\n{said}\n"


def _code(ended: CommandResult) -> str:
    return f"signal {ended.signal}" if ended.exit_code is None else f"code {ended.exit_code}"
