"""How an agent run ended, before its tree is inspected."""

from dataclasses import dataclass

from action.agents.cut_text import end
from action.agents.event_log import EventLog
from action.report import AgentEnding, AgentQuestion, Obstacle, ThreadAccount

TRANSCRIPT_CHARACTERS_MAX = 64_000


@dataclass(frozen=True)
class AgentOutcome:
    ending: AgentEnding
    sentence: str
    questions: tuple[AgentQuestion, ...] = ()
    accounts: tuple[ThreadAccount, ...] = ()
    obstacle: Obstacle | None = None
    retry_after_seconds: float | None = None


def stated_end(text: str) -> AgentOutcome | None:
    """What an agent's last words say of its end, if they do."""
    last = text.strip().splitlines()[-1].strip(" *`.") if text.strip() else ""
    if last == "DONE":
        return AgentOutcome(AgentEnding.FINISHED, "The agent says that it is done.")
    if last.startswith("GIVE UP:"):
        reason = last.removeprefix("GIVE UP:").strip()
        return AgentOutcome(AgentEnding.GAVE_UP, f"The agent gave up: {reason}")
    return None


class Transcript:
    """What was said and done, in order; `tail` keeps the end, `events` are handed on as they come.

    `restarts` say of each conversation after the first whether it was a new one, and why.
    """

    def __init__(self, events: EventLog | None = None) -> None:
        self.events = events or EventLog()
        self._tail = ""
        self.restarts: list[str] = []

    def restarted(self, why: str) -> None:
        self.restarts.append(why)
        self.add("harness", why)

    def add(self, who: str, text: str, tool: str = "") -> None:
        said = f"--- {who}\n{text.strip()}\n"
        self._tail = end(self._tail + said, TRANSCRIPT_CHARACTERS_MAX)
        self.events.note(who, text, tool)

    @property
    def tail(self) -> str:
        return self._tail
