"""The command agent: any program that edits the tree, run inside the sandbox.

The prompt is on its stdin and in the file that `HEADGATE_PROMPT_FILE` names. It reaches the model
only through the harness's proxy. Its exit code is a hint; the tree decides (an agent CLI may exit
with 0 although every tool was denied). A program that is not there, or a model that does not answer,
is nobody's attempt.
"""

from pathlib import Path

from action.agents.budget import Budget
from action.agents.contact import ModelAccess, deferred
from action.agents.outcome import AgentOutcome, Transcript
from action.report import AgentEnding, Obstacle
from action.sandbox.sandbox import Command, CommandResult, Sandbox, shell

TAIL_CHARACTERS = 300
# POSIX, "Exit Status for Commands".
_NOT_STARTED = {126: "cannot be executed", 127: "was not found"}


def run_command_agent(
    line: str,
    prompt_file: Path,
    sandbox: Sandbox,
    tree: Path,
    model: ModelAccess,
    budget: Budget,
) -> tuple[AgentOutcome, Transcript]:
    """Run it to its end or its time limit; `prompt_file` must be readable inside."""
    ended = sandbox.run(
        Command(
            shell(line),
            tree,
            budget.seconds_left,
            env={"HEADGATE_PROMPT_FILE": str(prompt_file)},
            proxies=model.proxies,
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
    elif model.contact.trouble is not None:
        outcome = model.contact.trouble
    elif ended.is_success:
        outcome = AgentOutcome(AgentEnding.FINISHED, "The agent's command ended with code 0.")
    else:
        outcome = _failed(ended, budget)
    return outcome, transcript


def _failed(ended: CommandResult, budget: Budget) -> AgentOutcome:
    tail = " ".join(ended.output_tail.split())[-TAIL_CHARACTERS:]
    # An agent that has asked the model was there; then a program of its own was missing.
    if ended.exit_code in _NOT_STARTED and not budget.turns:
        missing = f"A program of the agent's command {_NOT_STARTED[ended.exit_code]}"
        sentence = f"{missing} (exit code {ended.exit_code}). It said: {tail}"
        return deferred(Obstacle.PROGRAM_MISSING, sentence)
    how = f"signal {ended.signal}" if ended.exit_code is None else f"code {ended.exit_code}"
    return AgentOutcome(
        AgentEnding.CRASHED, f"The agent's command ended with {how}. It said last: {tail}"
    )
