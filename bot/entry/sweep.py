"""The sweep's process: it looks at what is due, without webhooks and without Redis."""

import logging
import secrets
import signal
import threading
from types import FrameType

from bot.core.values.vitals import Part
from bot.entry.log import count_warnings
from bot.entry.settings import Settings
from bot.entry.wiring import make_ports
from bot.ports import Retryable, UserError
from bot.shell.sweep import Beats, sweep

log = logging.getLogger(__name__)

# What is due waits this long at most, Redis or not.
SWEEP_SECONDS = 1.0


def keep_sweeping(settings: Settings) -> None:
    """Sweep until SIGTERM or SIGINT."""
    ports = make_ports(settings, "sweep")
    count_warnings(ports.meter)
    stop = threading.Event()

    def _stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    beats = Beats()
    while not stop.is_set():
        try:
            ports.meter.beat(Part.SWEEP, ports.clock.now())
            sweep(ports, beats)
        except (Retryable, UserError) as failure:
            log.warning("sweep_waits", extra={"why": failure.sentence})
        except Exception:
            log.exception("bug", extra={"reference": secrets.token_hex(4), "where": "sweep"})
        stop.wait(SWEEP_SECONDS)
