"""The command agent: any program that edits the tree, run inside the sandbox.

The prompt is on its stdin and in the file that `HEADGATE_PROMPT_FILE` names. It reaches the model
only through the harness's proxy. Its exit code is a hint; the tree decides (an agent CLI may exit
with 0 although every tool was denied).
"""

from collections.abc import Sequence
from pathlib import Path

from action.agents.budget import Budget
from action.agents.outcome import AgentOutcome, Transcript
from action.report import AgentEnding
from action.sandbox.sandbox import Command, ProxySocket, Sandbox, shell

TAIL_CHARACTERS = 300


def run_command_agent(
    line: str,
    prompt_file: Path,
    sandbox: Sandbox,
    tree: Path,
    proxies: Sequence[ProxySocket],
    budget: Budget,
) -> tuple[AgentOutcome, Transcript]:
    """Run it to its end or its time limit; `prompt_file` must be readable inside."""
    ended = sandbox.run(
        Command(
            shell(line),
            tree,
            budget.seconds_left,
            env={"HEADGATE_PROMPT_FILE": str(prompt_file)},
            proxies=proxies,
            stdin=prompt_file.read_bytes(),
        )
    )
    transcript = Transcript()
    transcript.add("command", ended.output_tail)
    over = budget.over()
    if ended.timed_out:
        limit = budget.limits.agent_timeout_seconds
        outcome = AgentOutcome(AgentEnding.OUT_OF_TIME, f"The agent was ended after {limit} s.")
    elif over is not None and over.ending is not AgentEnding.OUT_OF_TIME:
        outcome = AgentOutcome(over.ending, over.sentence)
    elif budget.unreachable:
        outcome = AgentOutcome(AgentEnding.MODEL_UNREACHABLE, budget.unreachable)
    elif ended.is_success:
        outcome = AgentOutcome(AgentEnding.FINISHED, "The agent's command ended with code 0.")
    else:
        how = f"signal {ended.signal}" if ended.exit_code is None else f"code {ended.exit_code}"
        tail = " ".join(ended.output_tail.split())[-TAIL_CHARACTERS:]
        outcome = AgentOutcome(
            AgentEnding.CRASHED, f"The agent's command ended with {how}. It said last: {tail}"
        )
    return outcome, transcript
