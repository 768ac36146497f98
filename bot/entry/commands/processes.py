"""The long-running commands: serve, worker, sweep, and `up`, which supervises all of them."""

import gc
import importlib
import os
from functools import partial

from rich.console import Console

from bot.core.talk import setup_text
from bot.entry.log import configure_log
from bot.entry.settings import Settings
from bot.entry.settings_file import settings_with_app
from bot.entry.supervise import Part, Program, Supervisor, run_in_fork
from bot.entry.valkey import valkey_argv, valkey_program

# What `up` imports before it forks, so that its processes share that memory.
_SHARED = (
    "bot.entry.rq_worker",
    "bot.entry.sweep",
    "bot.entry.web.gunicorn_server",
    "bot.entry.wiring",
)


def run_up() -> int:
    """Start Valkey (unless REDIS_URL is set), web, workers and sweep; returns 2 if it cannot."""
    settings = Settings()
    console = Console(stderr=True)
    if settings.app_id and not settings.app_key():
        console.print(setup_text.no_key(settings.app_id), soft_wrap=True)
        return 2
    if not run_in_fork(partial(_prepare_store, settings)):
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
    _import_shared(settings)
    Supervisor(programs, console, partial(_release_in_fork, settings)).run()
    return 0


def _import_shared(settings: Settings) -> None:
    from sqlalchemy import make_url

    for name in _SHARED:
        importlib.import_module(name)
    make_url(settings.journal_url).get_dialect()
    # The collector writes to objects that it examines, and a written page is no longer shared.
    gc.collect()
    gc.freeze()


def _release_in_fork(settings: Settings, slot: str) -> None:
    run_in_fork(partial(_release_leases, settings, slot))


def _release_leases(settings: Settings, slot: str) -> None:
    from bot.entry.wiring import release_leases_of_dead

    release_leases_of_dead(settings, slot)


def run_serve() -> None:
    settings = Settings()
    _prepare(settings)
    from bot.entry.web.gunicorn_server import serve

    serve(settings)


def run_worker() -> None:
    _prepare(Settings())
    settings = settings_with_app()
    from bot.entry.rq_worker import work

    work(settings)


def run_sweep() -> None:
    _prepare(Settings())
    settings = settings_with_app()
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
