"""What an agent run may spend, checked before each turn.

Turns, tokens and time are counted here for both kinds of agent, from any thread.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from action.order import AgentLimits
from action.report import AgentEnding, TokenUse


@dataclass(frozen=True)
class LimitReached:
    ending: AgentEnding
    sentence: str


class Budget:
    """One agent run's counts against its limits."""

    def __init__(self, limits: AgentLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._turns = 0
        self._tokens = TokenUse()

    @property
    def turns(self) -> int:
        return self._turns

    @property
    def tokens(self) -> TokenUse:
        return self._tokens

    @property
    def seconds_left(self) -> float:
        """Time that is left, never below zero."""
        spent = self._clock() - self._started
        return max(0.0, self.limits.agent_timeout_seconds - spent)

    def over(self) -> LimitReached | None:
        """The limit that forbids another turn, if any."""
        limits = self.limits
        if self.seconds_left <= 0:
            return LimitReached(
                AgentEnding.OUT_OF_TIME,
                f"The agent's time is up ({limits.agent_timeout_seconds} s).",
            )
        if self._tokens.total >= limits.tokens_max:
            return LimitReached(
                AgentEnding.OUT_OF_TOKENS,
                f"The agent's tokens are spent ({self._tokens.total} of {limits.tokens_max}).",
            )
        if self._turns >= limits.turns_max:
            return LimitReached(
                AgentEnding.OUT_OF_TURNS, f"The agent's {limits.turns_max} turns are used up."
            )
        return None

    def count_turn(self) -> None:
        with self._lock:
            self._turns += 1

    def count_tokens(self, use: TokenUse) -> None:
        """Count an answer's tokens."""
        with self._lock:
            self._tokens = TokenUse(
                input=self._tokens.input + use.input,
                output=self._tokens.output + use.output,
                cache_read=self._tokens.cache_read + use.cache_read,
                cache_write=self._tokens.cache_write + use.cache_write,
            )
