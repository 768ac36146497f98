"""What keeps a server from starting, looked for before anything is started: sentences, no tracebacks.

What may pass by itself (GitHub is away) is told and keeps nothing from starting.
"""

import errno
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator

from bot.core.talk import start_text
from bot.core.talk.start_text import Trouble
from bot.entry.settings import Settings
from bot.entry.terminal import Terminal
from bot.entry.valkey import valkey_program
from bot.ports import Retryable

# What no waiting repairs.
_FATAL = frozenset({"no_key", "wrong_key", "no_such_app", "clock_off"})
_REDIS_SECONDS = 3
_GIT = (2, 38)
_PORT_SECONDS = 2.0


def check_before_start(settings: Settings) -> None:
    """Prints all that is wrong; if anything is, ends the process with code 2."""
    console = Terminal(stderr=True, soft_wrap=True, highlight=False)
    found = [
        t
        for t in (
            git_trouble(),
            *port_troubles(settings),
            store_trouble(settings),
            redis_trouble(settings),
        )
        if t
    ]
    for trouble in found:
        console.print(trouble.sentence)
    is_fatal = bool(found)
    for trouble, is_lasting in _app_troubles(settings):
        console.print(trouble.sentence)
        is_fatal |= is_lasting
    if is_fatal:
        raise SystemExit(2)


def git_trouble() -> Trouble | None:
    if shutil.which("git") is None:
        return start_text.NO_GIT
    said = git_version()
    numbers = tuple(int(n) for n in re.findall(r"\d+", said)[:2])
    return None if numbers >= _GIT else start_text.git_too_old(said or "git")


def git_version() -> str:
    argv = ["git", "version"]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()


def port_troubles(settings: Settings) -> Iterator[Trouble]:
    """What is wrong with the ports to listen on."""
    ports = [("HEADGATE_PORT", settings.port)]
    if settings.has_gateway:
        ports.append(("HEADGATE_GATEWAY_PORT", settings.gateway_port))
    for name, port in ports:
        if trouble := port_trouble(name, settings.host, port):
            yield trouble


def port_trouble(name: str, host: str, port: int) -> Trouble | None:
    """`name` is the setting of the port."""
    try:
        _try_port(host, port)
    except OSError as failure:
        if failure.errno == errno.EADDRINUSE:
            return start_text.port_taken(name, host, port)
        return start_text.port_refused(name, host, port, failure.strerror or "")
    return None


def _try_port(host: str, port: int) -> None:
    """A server that was killed just now may have it for a moment longer."""
    family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    until = time.monotonic() + _PORT_SECONDS
    while True:
        with socket.socket(family, kind) as probe:
            # As the server does: what was connected there is no hindrance.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(place)
                probe.listen(1)
            except OSError as failure:
                if failure.errno != errno.EADDRINUSE or time.monotonic() > until:
                    raise
            else:
                return
        time.sleep(0.1)


def store_trouble(settings: Settings) -> Trouble | None:
    """Prepares the folder and the databases; what is wrong about them."""
    from sqlalchemy.exc import SQLAlchemyError

    from bot.entry.wiring import keep_private, prepare_store

    try:
        keep_private(settings.var)
        if not os.access(settings.var, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as failure:
        return start_text.folder_refused(str(settings.var), failure.strerror or "")
    try:
        prepare_store(settings)
    except Retryable as failure:
        why = _first_line(failure.sentence)
        if settings.database_url:
            return start_text.database_away(why)
        return start_text.database_file_refused(str(settings.var), why)
    except (SQLAlchemyError, ValueError) as failure:
        # ValueError: a port that is no number.
        return start_text.database_unknown(_first_line(failure))
    except ModuleNotFoundError as failure:
        return start_text.database_unknown(f"no driver {failure.name}")
    return None


def redis_trouble(settings: Settings) -> Trouble | None:
    if not settings.redis_url:
        return None if valkey_program() else start_text.NO_REDIS
    import redis

    try:
        client = redis.Redis.from_url(
            settings.redis_url,
            socket_timeout=_REDIS_SECONDS,
            socket_connect_timeout=_REDIS_SECONDS,
        )
        client.ping()
        client.close()
    except (redis.RedisError, ValueError, TypeError, OSError) as failure:
        # To a client without a password Redis complains about its protocol.
        if "HELLO AUTH" in str(failure) or "Authentication required" in str(failure):
            return start_text.REDIS_WANTS_A_PASSWORD
        return start_text.redis_away(_first_line(failure))
    return None


def _app_troubles(settings: Settings) -> Iterator[tuple[Trouble, bool]]:
    """What GitHub refuses our App, and whether that lasts until a person changes something."""
    if not settings.has_app:
        return
    from bot.adapters.github.registration import look_at_app
    from bot.entry.commands.app_trouble import app_trouble

    app = look_at_app(settings.github_api_url, settings.app_id, settings.app_key())
    if app.problem is not None:
        says, how = app_trouble(app.problem, app.detail, app.clock_ahead, settings)
        yield Trouble(f"{says[:1].upper()}{says[1:]}", how), app.problem.value in _FATAL


def _first_line(failure: object) -> str:
    return str(failure).strip().partition("\n")[0].removeprefix("The database fails: ")
