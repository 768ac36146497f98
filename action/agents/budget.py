"""What an agent run may spend, for both kinds of agent and from any thread.

A request is admitted with an upper estimate of its tokens, which is reserved until the request has
ended, and is charged with what it used. So requests that run side by side cannot pass a limit
together: one that does not fit beside the others waits for them. One that alone could pass the limit
of money is not sent. Only the limit of tokens may be passed by a request that runs alone.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from action.order import AgentSettings, find_price
from action.report import AgentEnding, TokenUse

# How long a prompt cache keeps what it was not told to keep longer.
_CACHE_SECONDS = 300.0


@dataclass(frozen=True)
class LimitReached:
    ending: AgentEnding
    sentence: str


@dataclass(frozen=True)
class _Spent:
    """Weighted tokens and dollars; what has no price is counted in tokens only."""

    weighted: int = 0
    dollars: float = 0.0


@dataclass(frozen=True)
class _Seen:
    """What a request that was expected to read so many tokens was charged, and when."""

    expected: int
    used: TokenUse
    at: float


@dataclass(frozen=True)
class LastAnswer:
    """How long a conversation was when a model answered last, and how long ago that is."""

    tokens: int
    age_seconds: float


class Admission:
    """The right to one request. Leaving its context frees what was reserved for it."""

    def __init__(self, budget: "Budget", model: str, upper: TokenUse) -> None:
        self._budget = budget
        self._model = model
        self._upper = upper

    def charge(self, use: TokenUse) -> None:
        """Count what an answer used; every answer is charged, also one that broke off."""
        self._budget.charge(self._model, use, self._upper)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._budget.release(self)


class Budget:
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
        self._seen: dict[str, list[_Seen]] = {}
        self._too_dear: LimitReached | None = None
        self._is_closed = False

    @property
    def turns(self) -> int:
        return self._turns

    @property
    def has_open_requests(self) -> bool:
        return bool(self._reserved)

    @property
    def tokens(self) -> TokenUse:
        return self._tokens

    @property
    def dollars(self) -> float | None:
        """What was spent on models with a price; None where the order knows no price at all."""
        return self._dollars if self._prices else None

    def last_answer(self, model: str) -> LastAnswer | None:
        """Of this model; None where it has not answered."""
        seen = self._seen.get(model)
        if not seen:
            return None
        return LastAnswer(seen[-1].used.total, self._clock() - seen[-1].at)

    def shares(self) -> dict[str, float]:
        """How much of each limit is used, by what it limits; above 1 where it is passed."""
        limits = self.limits
        shares = {
            "turns": self._turns / limits.turns_max,
            "tokens": self._tokens.weighted / limits.tokens_max,
            "time": 1 - self.seconds_left / limits.agent_timeout_seconds,
        }
        if limits.dollars_max:
            shares["money"] = self._dollars / limits.dollars_max
        return shares

    @property
    def seconds_left(self) -> float:
        spent = self._clock() - self._started
        return max(0.0, self.limits.agent_timeout_seconds - spent)

    def over(self) -> LimitReached | None:
        """The limit that forbids another request, if any."""
        limits = self.limits
        if self.seconds_left <= 0:
            return LimitReached(
                AgentEnding.OUT_OF_TIME,
                f"The agent has used all of its time ({limits.agent_timeout_seconds} s).",
            )
        if limits.dollars_max is not None and self._dollars >= limits.dollars_max:
            return LimitReached(
                AgentEnding.OUT_OF_DOLLARS,
                f"The agent has spent its budget (${self._dollars:.2f} of "
                f"${limits.dollars_max:.2f}).",
            )
        if self._too_dear is not None:
            return self._too_dear
        if self._tokens.weighted >= limits.tokens_max:
            return LimitReached(
                AgentEnding.OUT_OF_TOKENS,
                f"The agent has used all of its tokens ({self._tokens.weighted:,} of "
                f"{limits.tokens_max:,}, weighted by their prices).",
            )
        if self._turns >= limits.turns_max:
            return LimitReached(
                AgentEnding.OUT_OF_TURNS, f"The agent has used all of its {limits.turns_max} turns."
            )
        return None

    def admit(self, model: str, upper: TokenUse) -> Admission | LimitReached:
        """Count a turn and reserve `upper` for it; waits while it does not fit beside others.

        A request that alone may cost more than is left ends the run.
        """
        with self._changed:
            while True:
                if self._is_closed:
                    return LimitReached(AgentEnding.OUT_OF_TIME, "The agent's run has ended.")
                over = self.over()
                if over is not None:
                    return over
                asked = self._priced(model, self._likely(model, upper))
                if not self._reserved:
                    self._too_dear = self._beyond_money(asked)
                if self._too_dear is not None:
                    return self._too_dear
                if not self._reserved or self._has_room_for(asked):
                    admission = Admission(self, model, upper)
                    self._reserved[admission] = asked
                    self._turns += 1
                    return admission
                self._changed.wait(self.seconds_left)

    def admit_now(self, model: str, upper: TokenUse) -> Admission | LimitReached | None:
        """As `admit`; None where that would wait."""
        with self._changed:
            likely = self._likely(model, upper)
            is_beside = bool(self._reserved) and self.over() is None
            if is_beside and not self._has_room_for(self._priced(model, likely)):
                return None
            return self.admit(model, upper)

    def go_on_from(self, turns: int, used: Mapping[str, TokenUse]) -> None:
        """Count what was spent before, by model."""
        with self._changed:
            self._turns += turns
            for model, use in used.items():
                self._tokens += use
                self._dollars += self._priced(model, use).dollars

    def answer_tokens_left(self, model: str, reading: TokenUse) -> int:
        """The longest answer that the limits still allow to a request that reads so much.

        What is reserved for others is not taken off: a request is admitted beside them, or waits.
        """
        one = TokenUse(output=1)
        with self._changed:
            reading = self._likely(model, reading)
        read, written = self._priced(model, reading), self._priced(model, one)
        left = (self.limits.tokens_max - self._tokens.weighted - read.weighted) // written.weighted
        if self.limits.dollars_max is not None and written.dollars:
            dollars = self.limits.dollars_max - self._dollars - read.dollars
            left = min(left, int(dollars / written.dollars))
        return max(0, left)

    def close(self) -> None:
        """Admit no more requests; those that wait are refused."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def charge(self, model: str, use: TokenUse, upper: TokenUse) -> None:
        """Count an answer's tokens."""
        spent = self._priced(model, use)
        with self._changed:
            self._tokens += use
            self._dollars += spent.dollars
            now = self._clock()
            cached = [one for one in self._seen.get(model, ()) if one.at > now - _CACHE_SECONDS]
            self._seen[model] = [*cached, _Seen(upper.input, use, now)]

    def release(self, admission: Admission) -> None:
        with self._changed:
            del self._reserved[admission]
            self._changed.notify_all()

    def _likely(self, model: str, upper: TokenUse) -> TokenUse:
        """Closer than `upper`, where a conversation goes on that the same model read a moment ago.

        A cache makes its next request ten times cheaper than `upper`. Only of a request that runs
        alone: beside others a mistake would be made many times at once.
        """
        seen = self._seen.get(model)
        if self._reserved or not seen:
            return upper
        since = self._clock() - _CACHE_SECONDS
        shorter = [one for one in seen if one.at > since and 0 < one.expected <= upper.input]
        if not shorter:
            return upper
        last = max(shorter, key=lambda one: one.expected)
        used = last.used
        likely = TokenUse(
            input=used.input + upper.input - last.expected,
            cache_read=used.cache_read + used.cache_write + used.cache_write_hour,
            output=upper.output,
        )
        price = find_price(model, self._prices)
        return upper if price is not None and price.cost(likely) is None else likely

    def _beyond_money(self, asked: _Spent) -> LimitReached | None:
        limit = self.limits.dollars_max
        if limit is None or self._dollars + asked.dollars <= limit:
            return None
        return LimitReached(
            AgentEnding.OUT_OF_DOLLARS,
            f"The agent's next request may cost ${asked.dollars:.2f}, but only "
            f"${limit - self._dollars:.2f} of ${limit:.2f} is left.",
        )

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
