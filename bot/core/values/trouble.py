"""What keeps failing, and would be tried for ever or dropped in silence."""

from datetime import datetime
from enum import StrEnum

from bot.core.values.ids import Frozen


class TroubleKind(StrEnum):
    """`ended`: a repository's job failed or took too long; `died`: its process did not live to the
    end; `unreachable` and `refused`: the repository cannot be read; `access`: we may not work there;
    `delivery`: a webhook delivery that cannot be read; `signature`: GitHub signs with another secret;
    `runner`: a runner asks for an order and must not have it; `server`: another server of this App
    works in the repository; `empty`: there is no commit yet to begin with.
    """

    ENDED = "ended"
    DIED = "died"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    ACCESS = "access"
    DELIVERY = "delivery"
    SIGNATURE = "signature"
    RUNNER = "runner"
    SERVER = "server"
    EMPTY = "empty"


class Trouble(Frozen):
    """`about` is a repository's id, a delivery's GUID, or empty; it is left alone until `until`.

    `progress` is how far the work had come; one that comes further each time is no loop.
    """

    kind: TroubleKind
    about: str
    since: datetime
    at: datetime
    tries: int
    until: datetime
    why: str
    progress: int = 0
