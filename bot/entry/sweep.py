"""The sweep's process: it looks at what is due, without webhooks and without Redis."""

import logging
import secrets
import signal
import threading
import time
from types import FrameType

from bot.core.values.vitals import Part
from bot.entry.log import count_warnings
from bot.entry.settings import Settings
from bot.entry.settings_file import CurrentSettings
from bot.entry.wiring import make_ports
from bot.ports import Retryable, UserError
from bot.shell.process_ports import Ports
from bot.shell.sweep import WITH_WEBHOOK, WITHOUT_WEBHOOK, SweepState, sweep

log = logging.getLogger(__name__)

# What is due waits this long at most, Redis or not.
SWEEP_SECONDS = 1.0
_SAID_AGAIN_SECONDS = 60.0


class Waits:
    """Why the sweep waits: the same sentence is said once a minute, not with every beat."""

    def __init__(self) -> None:
        self._said: dict[str, float] = {}

    def is_news(self, sentence: str, now: float) -> bool:
        """Whether the sentence was not said within the last minute."""
        self._said = {s: at for s, at in self._said.items() if now - at < _SAID_AGAIN_SECONDS}
        return self._said.setdefault(sentence, now) == now


def keep_sweeping(settings: Settings) -> None:
    """Sweep until SIGTERM or SIGINT."""
    ports = make_ports(settings, "sweep")
    count_warnings(ports.meter)
    stop = threading.Event()

    def _stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    beats, waits = SweepState(), Waits()
    current = CurrentSettings(settings)
    while not stop.is_set():
        beats.pace = WITH_WEBHOOK if current().has_webhook else WITHOUT_WEBHOOK
        try:
            beat(ports, beats, waits)
        except Exception:
            log.exception("bug", extra={"reference": secrets.token_hex(4), "where": "sweep"})
        stop.wait(SWEEP_SECONDS)


def beat(ports: Ports, beats: SweepState, waits: Waits) -> None:
    """One beat; what keeps the sweep from its work is said in the log."""
    try:
        ports.meter.beat(Part.SWEEP, ports.clock.now())
        sweep(ports, beats)
    except (Retryable, UserError) as failure:
        if waits.is_news(failure.sentence, time.monotonic()):
            log.warning("sweep_waits", extra={"why": failure.sentence})
