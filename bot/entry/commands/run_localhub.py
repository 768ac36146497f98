"""`headgate localhub`: the local GitHub as a process of its own."""

import contextlib
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from types import FrameType

from bot.entry.commands.before_start import port_trouble
from bot.localhub.actions.engine import Settings as ActionsSettings
from bot.localhub.fault_file import FaultFileError, plant_file
from bot.localhub.hub import Hub
from bot.localhub.model_server.script import ScriptError, load_script
from bot.localhub.model_server.server import running as model_running
from bot.localhub.mount import actions_of, extension
from bot.localhub.seed import Seed, SeedError, apply_seed, load_seed, write_credentials
from bot.localhub.server import serve


@dataclass(frozen=True)
class LocalhubOptions:
    seed: Path
    port: int
    folder: Path | None
    credentials: Path | None
    faults: Path | None
    runner_lost_seconds: float
    model: Path | None
    model_port: int


def run_localhub(options: LocalhubOptions) -> int:
    """Serve until Ctrl-C or SIGTERM. Credentials are written once the hub answers.

    Returns 2 if the seed or the script of the model cannot be read, or a port is taken.
    """
    script = None
    try:
        seed = load_seed(options.seed)
    except (OSError, SeedError) as wrong:
        sys.stderr.write(f"{_told(wrong)}\n")
        return 2
    if options.model is not None:
        try:
            script = load_script(options.model)
        except (OSError, ScriptError) as wrong:
            sys.stderr.write(f"{_told(wrong)}\n")
            return 2
    for option, port in (
        ("--port", options.port),
        ("--model-port", options.model_port if options.model else 0),
    ):
        if trouble := port_trouble(option, "127.0.0.1", port):
            sys.stderr.write(f"{trouble.sentence}\n")
            return 2
    with contextlib.ExitStack() as beside:
        if script is not None:
            url = beside.enter_context(model_running(script, options.model_port))
            sys.stdout.write(f"the scripted model is at {url}; set ANTHROPIC_BASE_URL to it\n")
            sys.stdout.flush()
        _serve_hub(options, seed)
    return 0


def _told(wrong: Exception) -> str:
    if isinstance(wrong, OSError):
        return f"{wrong.filename}: {wrong.strerror}"
    return str(wrong)


def _serve_hub(options: LocalhubOptions, seed: Seed) -> None:
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
        planted = apply_seed(hub, seed, options.seed.parent)
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
