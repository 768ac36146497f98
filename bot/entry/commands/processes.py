"""The long-running commands: serve, worker, sweep, gateway, and `up`, which supervises all of them."""

import gc
import importlib
import os
from functools import partial

from bot.core.talk import setup_text, start_text
from bot.entry.commands.before_start import check_before_start, port_trouble, store_trouble
from bot.entry.jobs import Jobs
from bot.entry.log import configure_log
from bot.entry.settings import Settings
from bot.entry.settings_file import settings_with_app
from bot.entry.supervise import Part, Program, Supervisor, run_in_fork
from bot.entry.terminal import Terminal
from bot.entry.valkey import valkey_argv, valkey_program

# What `up` imports before it forks, so that its processes share that memory.
_SHARED = (
    "bot.entry.rq_worker",
    "bot.entry.sweep",
    "bot.entry.web.gunicorn_server",
    "bot.entry.wiring",
)


# What a process of the server writes is for its user alone.
_UMASK = 0o077


def run_up() -> int:
    """Start Valkey (unless REDIS_URL is set), web, workers, sweep and gateway; returns 2 if it cannot."""
    os.umask(_UMASK)
    settings = Settings()
    console = Terminal(stderr=True)
    if settings.app_id and not settings.app_key():
        console.print(setup_text.no_key(settings.app_id, settings.app_key_file), soft_wrap=True)
        return 2
    if says := open_to_all(settings):
        console.print(says, soft_wrap=True)
        return 2
    if not run_in_fork(partial(check_before_start, settings)):
        return 2
    programs: list[Program | Part] = []
    if not settings.redis_url and (server := valkey_program()):
        programs.append(Program("redis", valkey_argv(server, settings.var)))
    programs.append(Part("web", run_serve))
    programs += [
        Part(f"worker-{n}", partial(run_worker, Jobs.PEOPLE))
        for n in range(1, settings.workers + 1)
    ]
    programs.append(Part("reader", partial(run_worker, Jobs.READINGS)))
    programs.append(Part("sweep", run_sweep))
    if settings.has_gateway:
        programs.append(Part("gateway", run_gateway))
    _import_shared(settings)
    console.print(_address(settings), soft_wrap=True, highlight=False)
    Supervisor(programs, console, partial(_release_in_fork, settings)).run()
    return 0


def _address(settings: Settings) -> str:
    gateway = settings.gateway_address if settings.has_gateway else ""
    url = f"http://{settings.host}:{settings.port}"
    return start_text.address(url, settings.public_url.rstrip("/"), gateway)


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
    # Below `up` it has been asked.
    if not os.environ.get("HEADGATE_SLOT") and (says := open_to_all(settings)):
        raise SystemExit(says)
    _prepare(settings)
    _check_port("HEADGATE_PORT", settings.host, settings.port)
    from bot.entry.web.gunicorn_server import serve

    serve(settings)


def open_to_all(settings: Settings) -> str:
    """What forbids to serve everybody; empty where owners are named, or the App is private."""
    if settings.served_owners or not settings.has_app or settings.model_key is None:
        return ""
    from bot.adapters.github.registration import is_public, look_at_app

    app = look_at_app(settings.github_api_url, settings.app_id, settings.app_key())
    if app.slug and is_public(settings.github_api_url, app.slug):
        return setup_text.public_without_owners(app.slug)
    return ""


def run_worker(jobs: Jobs) -> None:
    _prepare(Settings())
    settings = settings_with_app()
    from bot.entry.rq_worker import work

    work(settings, jobs)


def run_sweep() -> None:
    _prepare(Settings())
    settings = settings_with_app()
    from bot.entry.sweep import keep_sweeping

    keep_sweeping(settings)


def run_gateway() -> None:
    _prepare(Settings())
    settings = settings_with_app()
    _check_port("HEADGATE_GATEWAY_PORT", settings.host, settings.gateway_port)
    from bot.entry.gateway.run import serve_gateway

    serve_gateway(settings)


def _prepare(settings: Settings) -> None:
    os.umask(_UMASK)
    configure_log(settings.log_level)
    if not os.environ.get("HEADGATE_SLOT"):
        # Started alone, not by `up`: nobody has asked, and the databases may not be there yet.
        if settings.app_id and not settings.app_key():
            raise SystemExit(setup_text.no_key(settings.app_id, settings.app_key_file))
        _prepare_store(settings)


def _check_port(name: str, host: str, port: int) -> None:
    """For a process that is started alone; `up` has looked at all ports."""
    if not os.environ.get("HEADGATE_SLOT") and (trouble := port_trouble(name, host, port)):
        raise SystemExit(trouble.sentence)


def _prepare_store(settings: Settings) -> None:
    if trouble := store_trouble(settings):
        raise SystemExit(trouble.sentence)
