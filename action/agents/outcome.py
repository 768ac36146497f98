"""How an agent run ended, before its tree is inspected."""

from dataclasses import dataclass

from action.report import AgentEnding, AgentQuestion, Obstacle

TRANSCRIPT_CHARACTERS_MAX = 64_000


@dataclass(frozen=True)
class AgentOutcome:
    """How the agent stopped, by its own account."""

    ending: AgentEnding
    sentence: str
    questions: tuple[AgentQuestion, ...] = ()
    obstacle: Obstacle | None = None
    retry_after_seconds: float | None = None


class Transcript:
    """What was said and done, in order; `tail` keeps the end."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def add(self, who: str, text: str) -> None:
        self._parts.append(f"--- {who}\n{text.strip()}\n")

    @property
    def tail(self) -> str:
        """The last 64,000 characters."""
        return "".join(self._parts)[-TRANSCRIPT_CHARACTERS_MAX:]
