"""Events of pauses: an order met what is nobody's attempt, and others wait for the same.

Each is a small frozen value in the past tense; see `events` for the rule.
"""

from datetime import datetime
from typing import Literal

from action.report import SandboxKind, TokenUse
from bot.core.values.ids import ChangeId, Digest, Frozen, OrderId, Sha
from bot.core.values.pause import Cause


class OrderDeferred(Frozen):
    """An order ended without an attempt; orders that need `pause` wait until then, at least.

    `change` None: the gates of a commit of main. `pause` names what is waited for, `about` says it to
    people (a model, a command); `main` is where main was. `bundle` is what an agent had done by then.
    """

    type: Literal["OrderDeferred"] = "OrderDeferred"
    change: ChangeId | None
    order: OrderId
    pause: str
    cause: Cause
    about: str
    sentence: str
    deferred_at: datetime
    until: datetime
    main: Sha | None
    turns: int = 0
    tokens: TokenUse = TokenUse()
    model: str = ""
    seconds: float = 0.0
    sandbox: SandboxKind = SandboxKind.NONE
    bundle: Digest | None = None
    left_out: tuple[str, ...] = ()


class PauseProbed(Frozen):
    """An order was placed to see whether these pauses are over; the others wait for it."""

    type: Literal["PauseProbed"] = "PauseProbed"
    order: OrderId
    pauses: tuple[str, ...]


class PausesEnded(Frozen):
    """Nothing waits for these any more: a person said so, or (`ended_by` empty) they are not needed.

    Whoever says so also has every push tried again that GitHub refused.
    """

    type: Literal["PausesEnded"] = "PausesEnded"
    pauses: tuple[str, ...]
    ended_by: str = ""
