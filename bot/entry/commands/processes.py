"""The long-running commands: serve, worker, sweep, and `up`, which supervises all of them."""

import gc
import importlib
import os
from functools import partial

from rich.console import Console

from bot.entry.log import configure_log
from bot.entry.settings import Settings
from bot.entry.supervise import Part, Program, Supervisor, run_apart
from bot.entry.valkey import valkey_argv, valkey_program

# What `up` imports before it forks: everything that its parts would import each for itself.
_SHARED = (
    "bot.entry.rq_worker",
    "bot.entry.sweep",
    "bot.entry.web.gunicorn_server",
    "bot.entry.wiring",
)


def run_up() -> int:
    """Start the bundled Valkey (unless REDIS_URL names one), web, workers and sweep."""
    settings = Settings()
    console = Console(stderr=True)
    if not run_apart(partial(_prepare_store, settings)):
        console.print(f"The databases could not be prepared (in {settings.var}); see above.")
        return 2
    programs: list[Program | Part] = []
    if not settings.redis_url:
        server = valkey_program()
        if server is None:
            console.print(
                "No Redis: set REDIS_URL, or install valkey-server (`apt-get install valkey`)."
            )
            return 2
        programs.append(Program("doorbell", valkey_argv(server, settings.var)))
    programs.append(Part("web", run_serve))
    programs += [Part(f"worker-{n}", run_worker) for n in range(1, settings.workers + 1)]
    programs.append(Part("sweep", run_sweep))
    for name in _SHARED:
        importlib.import_module(name)
    # The collector writes to whatever it looks at, and a written page is no longer shared.
    gc.collect()
    gc.freeze()
    Supervisor(programs, console, partial(_let_go, settings)).run()
    return 0


def _let_go(settings: Settings, slot: str) -> None:
    run_apart(partial(_let_go_here, settings, slot))


def _let_go_here(settings: Settings, slot: str) -> None:
    from bot.entry.wiring import let_go

    let_go(settings, slot)


def run_serve() -> None:
    """Serve the web doors until stopped."""
    settings = Settings()
    _prepare(settings)
    from bot.entry.web.gunicorn_server import serve

    serve(settings)


def run_worker() -> None:
    """Work until stopped."""
    settings = Settings()
    _prepare(settings)
    from bot.entry.rq_worker import work

    work(settings)


def run_sweep() -> None:
    """Sweep until stopped."""
    settings = Settings()
    _prepare(settings)
    from bot.entry.sweep import keep_sweeping

    keep_sweeping(settings)


def _prepare(settings: Settings) -> None:
    configure_log(settings.log_level)
    if not os.environ.get("HEADGATE_SLOT"):
        # Started alone, not by `up`: the databases may not be there yet.
        _prepare_store(settings)


def _prepare_store(settings: Settings) -> None:
    from bot.entry.wiring import prepare_store

    prepare_store(settings)
