"""The policy's `agent:`: who works on a change, and where it stops."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from action.order import AgentKind, AgentLimits, AgentSettings
from bot.core.values.ids import Frozen


class Clarify(StrEnum):
    """Whether an agent may ask people."""

    ON = "on"
    OFF = "off"


ServerName = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,30}$")]

CommandPattern = Annotated[str, Field(min_length=1, max_length=200)]

# Less than a cent pays for no turn.
DollarsMax = Annotated[float, Field(ge=0.01, le=10_000)]


class AgentEntry(Frozen):
    """Which agent works on a change, and where it stops."""

    kind: AgentKind = Field(
        AgentKind.BUILTIN,
        description="Headgate's own agent; a program that the runner has (`claude-code`, `codex`, "
        "`opencode`); any agent that speaks the Agent Client Protocol (`acp`); any `command`.",
    )
    command: str | None = Field(
        None, description="Shell line, for kind: command and kind: acp; the others need none."
    )
    mcp: Annotated[dict[ServerName, str], Field(max_length=10)] = Field(
        {},
        description="Servers of tools (Model Context Protocol) that an agent's program gets, by name: a "
        "shell line each, run beside the agent in its sandbox. It gets no others. Not for kind: "
        "builtin and kind: command.",
    )
    model: str = Field(AgentSettings().model, description="Its model, unless a size names another.")
    helpers: tuple[str, ...] = Field(
        (),
        description="Further models that an agent's program may ask, the first for small things; others are "
        "refused. Without any it asks its model for everything.",
    )
    dollars_max: DollarsMax = Field(
        2.0, description="US dollars that one attempt at a change of size M may cost; S half of it."
    )
    tokens_max: Annotated[int, Field(ge=1)] = Field(
        AgentLimits().tokens_max,
        description="Weighted tokens that one attempt may use, whatever its size: as many input "
        "tokens as cost the same. A cache read counts 0.1, a cache write 1.25 (2 for an hour), "
        "output 5. Where a price is unknown, this is the limit.",
    )
    turns_max: Annotated[int, Field(ge=1)] = Field(
        AgentLimits().turns_max, description="Turns that one attempt may take."
    )
    timeout_seconds: Annotated[int, Field(ge=1, le=86_400)] = Field(
        AgentLimits().agent_timeout_seconds, description="How long one attempt may take."
    )
    quiet_minutes: Annotated[int, Field(ge=0, le=1_440)] = Field(
        15,
        description="How long an agent's program may do nothing (no request, no output, no change of its "
        "tree, no work of its processes) before it is ended and started again, once; 0: for ever.",
    )
    deny: Annotated[tuple[CommandPattern, ...], Field(max_length=30)] = Field(
        (),
        description="Commands that an agent may not run, as patterns of the whole command (`git push*`). "
        "The built-in agent is refused; a program is told when it says that it is done.",
    )
    before_done: Annotated[tuple[CommandPattern, ...], Field(max_length=10)] = Field(
        (),
        description="Commands that an agent has to run before it is done (`*pytest*`); it is sent back to do so.",
    )
    clarify: Clarify = Field(
        Clarify.ON,
        description="Whether an agent may ask people; a program does by `.headgate/questions.json`.",
    )
    clarify_within_hours: Annotated[int, Field(ge=1, le=720)] = Field(
        72, description="How long answers are waited for before the agent goes on as it assumes."
    )
