"""What an agent run may spend, for both kinds of agent and from any thread.

A request is admitted with an upper estimate of its tokens, which is reserved until the request has
ended, and is charged with what it used. So requests that run side by side cannot pass a limit
together: one that does not fit beside the others waits for them. Only a request that runs alone may
pass the limit, because its true size is known afterwards.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from action.order import AgentSettings, find_price
from action.report import AgentEnding, TokenUse


@dataclass(frozen=True)
class LimitReached:
    ending: AgentEnding
    sentence: str


@dataclass(frozen=True)
class _Spent:
    """Weighted tokens and dollars; what has no price is counted in tokens only."""

    weighted: int = 0
    dollars: float = 0.0


class Admission:
    """The right to one request. Leaving its context frees what was reserved for it."""

    def __init__(self, budget: "Budget", model: str) -> None:
        self._budget = budget
        self._model = model

    def charge(self, use: TokenUse) -> None:
        """Count what an answer used; every answer is charged, also one that broke off."""
        self._budget.charge(self._model, use)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._budget.release(self)


class Budget:
    """One agent run's counts against its limits."""

    def __init__(self, agent: AgentSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = agent.limits
        self._prices = agent.prices
        self._clock = clock
        self._started = clock()
        self._changed = threading.Condition()
        self._reserved: dict[Admission, _Spent] = {}
        self._turns = 0
        self._tokens = TokenUse()
        self._dollars = 0.0
        self._is_closed = False

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
        """The limit that forbids another request, if any."""
        limits = self.limits
        if self.seconds_left <= 0:
            return LimitReached(
                AgentEnding.OUT_OF_TIME,
                f"The agent's time is up ({limits.agent_timeout_seconds} s).",
            )
        if limits.dollars_max is not None and self._dollars >= limits.dollars_max:
            return LimitReached(
                AgentEnding.OUT_OF_DOLLARS,
                f"The agent's money is spent (${self._dollars:.2f} of ${limits.dollars_max:.2f}).",
            )
        if self._tokens.weighted >= limits.tokens_max:
            return LimitReached(
                AgentEnding.OUT_OF_TOKENS,
                f"The agent's tokens are spent ({self._tokens.weighted:,} of "
                f"{limits.tokens_max:,}, weighted by their prices).",
            )
        if self._turns >= limits.turns_max:
            return LimitReached(
                AgentEnding.OUT_OF_TURNS, f"The agent's {limits.turns_max} turns are used up."
            )
        return None

    def admit(self, model: str, upper: TokenUse) -> Admission | LimitReached:
        """Count a turn and reserve `upper` for it; waits while it does not fit beside others."""
        asked = self._priced(model, upper)
        with self._changed:
            while True:
                if self._is_closed:
                    return LimitReached(AgentEnding.OUT_OF_TIME, "The agent's run has ended.")
                over = self.over()
                if over is not None:
                    return over
                if not self._reserved or self._has_room_for(asked):
                    admission = Admission(self, model)
                    self._reserved[admission] = asked
                    self._turns += 1
                    return admission
                self._changed.wait(self.seconds_left)

    def close(self) -> None:
        """Admit no more requests; those that wait are refused."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def charge(self, model: str, use: TokenUse) -> None:
        """Count an answer's tokens."""
        spent = self._priced(model, use)
        with self._changed:
            self._tokens += use
            self._dollars += spent.dollars

    def release(self, admission: Admission) -> None:
        """Free what was reserved for a request that has ended."""
        with self._changed:
            del self._reserved[admission]
            self._changed.notify_all()

    def _priced(self, model: str, use: TokenUse) -> _Spent:
        price = find_price(model, self._prices)
        dollars = price.cost(use) if price else None
        return _Spent(use.weighted, dollars or 0.0)

    def _has_room_for(self, asked: _Spent) -> bool:
        together = (*self._reserved.values(), asked)
        weighted = self._tokens.weighted + sum(one.weighted for one in together)
        dollars = self._dollars + sum(one.dollars for one in together)
        limits = self.limits
        is_affordable = limits.dollars_max is None or dollars <= limits.dollars_max
        return is_affordable and weighted <= limits.tokens_max
