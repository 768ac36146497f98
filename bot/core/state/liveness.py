"""Whether every part that Headgate needs works, judged by when each was last alive."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from bot.core.values.vitals import Part, Pulse

# A worker that waits beats every thirty seconds, a sweep every ten.
SILENT_AFTER = timedelta(seconds=60)
# GitHub is asked every minute; while it limits us, less often.
GITHUB_SILENT_AFTER = timedelta(minutes=5)
# A process that was silent for this long was removed on purpose.
GONE_AFTER = timedelta(hours=1)

_START = {
    Part.WORKER: "headgate worker",
    Part.READER: "headgate worker readings",
    Part.SWEEP: "headgate sweep",
}
# A worker that does all jobs reads, too: where no reader ever was, none is missed.
_NEEDED = {Part.WORKER, Part.SWEEP}


def silent(pulses: Iterable[Pulse], now: datetime) -> tuple[Pulse, ...]:
    """Processes that should live and have not been heard of."""
    return tuple(p for p in pulses if p.part in _START and SILENT_AFTER < now - p.at <= GONE_AFTER)


def gone(pulses: Iterable[Pulse], now: datetime) -> tuple[str, ...]:
    """Processes that were removed on purpose."""
    return tuple(p.process for p in pulses if now - p.at > GONE_AFTER)


def missing(pulses: Sequence[Pulse], now: datetime) -> dict[Part, str]:
    """What does not work, each with a sentence that says what to do."""
    found = {}
    for part, command in _START.items():
        newest = max((p.at for p in pulses if p.part is part), default=None)
        if newest is None and part in _NEEDED:
            found[part] = f"No {part} has started yet. Start `{command}`."
        elif newest is not None and now - newest > SILENT_AFTER:
            seconds = round((now - newest).total_seconds())
            found[part] = (
                f"There was no heartbeat of a {part} for {seconds} s. Check that `{command}` is "
                "running, and look in its log."
            )
    if says := _of_github(pulses, now):
        found[Part.GITHUB] = says
    return found


def _of_github(pulses: Sequence[Pulse], now: datetime) -> str:
    newest = max((p for p in pulses if p.part is Part.GITHUB), key=lambda p: p.at, default=None)
    if newest is None:
        return "GitHub has not answered yet. The sweep asks it once a minute."
    if newest.says:
        return newest.says
    if now - newest.at > GITHUB_SILENT_AFTER:
        minutes = round((now - newest.at).total_seconds() / 60)
        return f"GitHub last answered {minutes} minutes ago. Look in the sweep's log."
    return ""
