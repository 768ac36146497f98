"""How long what keeps failing is left alone, from when on it is told, and when it is given up."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from bot.core.values.trouble import Trouble, TroubleKind

# A trouble that was not met for this long is over.
TOLD_FOR = timedelta(days=1)
# GitHub's deliveries of the last hour are looked at every minute: nothing new, nothing to tell.
_SIGNATURE_TOLD_FOR = timedelta(hours=2)


class _Patience(NamedTuple):
    """The first pause, its factor and its limit; after how many tries it is reported, and given up."""

    first: timedelta
    factor: int
    longest: timedelta
    told_from: int = 1
    tries_max: int | None = None


_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)

_PATIENCE = {
    TroubleKind.ENDED: _Patience(_MINUTE, 2, _HOUR),
    # A process that is killed once, for a new release, say, goes on at once.
    TroubleKind.DIED: _Patience(timedelta(seconds=5), 2, _HOUR, told_from=2),
    TroubleKind.UNREACHABLE: _Patience(timedelta(seconds=5), 2, 5 * _MINUTE, told_from=3),
    TroubleKind.REFUSED: _Patience(_MINUTE, 2, _HOUR),
    TroubleKind.ACCESS: _Patience(_HOUR, 1, _HOUR),
    # What it would have told is found by looking, so that giving it up loses no more than time.
    TroubleKind.DELIVERY: _Patience(timedelta(seconds=2), 3, _HOUR, told_from=8, tries_max=8),
    # While a secret is replaced some deliveries still have the old one.
    TroubleKind.SIGNATURE: _Patience(_HOUR, 1, _HOUR, told_from=2),
    # Told at once, and then no more often than this.
    TroubleKind.RUNNER: _Patience(_MINUTE, 2, _HOUR),
    TroubleKind.SERVER: _Patience(_MINUTE, 2, _HOUR),
    TroubleKind.EMPTY: _Patience(_HOUR, 2, timedelta(days=1)),
}


def met_again(known: Trouble | None, new: Trouble) -> Trouble:
    """The trouble once it is met again; `new` is what it would be for the first time.

    What is met before its time is not counted, and what has come further begins anew, as does another
    reason why we may not work.
    """
    is_another = new.kind is TroubleKind.ACCESS and known is not None and known.why != new.why
    # Of a clock that was ahead: nothing else lies so far ahead.
    is_of_another_time = known is not None and known.until > new.at + 2 * _longest(new.kind)
    if known is None or known.progress != new.progress or is_another or is_of_another_time:
        return new.replace(until=new.at + _pause(new.kind, 1))
    if new.at < known.until:
        return known.replace(at=new.at, why=new.why)
    tries = known.tries + 1
    return new.replace(since=known.since, tries=tries, until=new.at + _pause(new.kind, tries))


def _pause(kind: TroubleKind, tries: int) -> timedelta:
    patience = _PATIENCE[kind]
    if kind is TroubleKind.DIED:
        tries -= 1
        if not tries:
            return timedelta()
    return min(patience.first * float(patience.factor ** min(tries - 1, 20)), patience.longest)


def _longest(kind: TroubleKind) -> timedelta:
    return _PATIENCE[kind].longest


def is_given_up(trouble: Trouble) -> bool:
    most = _PATIENCE[trouble.kind].tries_max
    return most is not None and trouble.tries >= most


def is_told(trouble: Trouble) -> bool:
    """Whether the server's operator should know of it."""
    return trouble.tries >= _PATIENCE[trouble.kind].told_from


def standing(troubles: Iterable[Trouble], now: datetime) -> tuple[Trouble, ...]:
    """The troubles to report now, the oldest first."""
    told = (t for t in troubles if is_told(t) and now - t.at <= _told_for(t.kind))
    return tuple(sorted(told, key=lambda t: (t.since, t.kind, t.about)))


def _told_for(kind: TroubleKind) -> timedelta:
    return _SIGNATURE_TOLD_FOR if kind is TroubleKind.SIGNATURE else TOLD_FOR
