"""`headgate localhub`: the GitHub in a box as a process of its own."""

import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from types import FrameType

from bot.localhub.actions.engine import Settings as ActionsSettings
from bot.localhub.fault_file import FaultFileError, plant_file
from bot.localhub.hub import Hub
from bot.localhub.mount import actions_of, extension
from bot.localhub.seed import load, plant, write_credentials
from bot.localhub.server import serve


@dataclass(frozen=True)
class LocalhubOptions:
    """The command line."""

    seed: Path
    port: int
    folder: Path | None
    credentials: Path | None
    faults: Path | None
    runner_lost_seconds: float


def run_localhub(options: LocalhubOptions) -> None:
    """Serve until Ctrl-C or SIGTERM. Credentials are written once the hub answers."""
    folder = options.folder or Path(mkdtemp(prefix="localhub-"))
    hub = Hub(folder)
    if options.faults is not None:
        try:
            plant_file(hub.faults, options.faults)
        except (FaultFileError, OSError) as problem:
            hub.close()
            raise SystemExit(str(problem)) from problem
    service = actions_of(hub, ActionsSettings(runner_lost_seconds=options.runner_lost_seconds))
    credentials = options.credentials or folder / "credentials.json"

    def _ready(url: str) -> None:
        planted = plant(hub, load(options.seed), options.seed.parent)
        write_credentials(credentials, planted, url)
        sys.stdout.write(f"localhub is at {url}; credentials in {credentials}\n")
        sys.stdout.flush()

    def _stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, _stop)
    try:
        serve(hub, "127.0.0.1", options.port, [extension(service)], on_ready=_ready)
    except KeyboardInterrupt:
        return
    finally:
        service.close()
