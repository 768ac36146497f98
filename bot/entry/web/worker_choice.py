"""Which gunicorn worker serves: our keep-alive worker, or gunicorn's own threaded one.

Ours overrides methods that gunicorn does not promise to keep. What it relies on is checked at
start-up; after an upgrade that has changed it, gunicorn's own worker serves, only slower.
"""

import importlib
import inspect
import logging
from collections.abc import Callable

from bot.entry.web.admission import Peers

log = logging.getLogger(__name__)

# gunicorn's name for its own threaded worker.
STOCK_WORKER = "gthread"


def worker_class(gthread: object, peers: Peers | None = None) -> type | str:
    """A value for gunicorn's `worker_class`. `gthread` is gunicorn's module of threaded workers."""
    if changed := changed_internals(gthread):
        log.warning("keep_alive_worker_not_used", extra={"changed": ", ".join(changed)})
        return STOCK_WORKER
    # Not at the top: the subclass cannot be made where gunicorn's class is missing.
    from bot.entry.web.keep_alive import KeepAliveWorker

    return type("Worker", (KeepAliveWorker,), {"peers": peers}) if peers else KeepAliveWorker


def threaded_workers() -> object:
    """gunicorn's module of threaded workers; None if there is no such module."""
    try:
        return importlib.import_module("gunicorn.workers.gthread")
    except ImportError:
        return None


def changed_internals(gthread: object) -> list[str]:
    """What KeepAliveWorker relies on and does not find, by name."""
    worker = getattr(gthread, "ThreadWorker", None)
    connection = getattr(gthread, "TConn", None)
    enqueue = getattr(worker, "enqueue_req", None)
    found = {
        "ThreadWorker": inspect.isclass(worker),
        "ThreadWorker.init_process": _accepts(getattr(worker, "init_process", None), 1),
        "ThreadWorker.handle": _accepts(getattr(worker, "handle", None), 2),
        # Every connection that `handle` gets must have gone through `enqueue_req`.
        "ThreadWorker.enqueue_req": _accepts(enqueue, 2) and _uses(enqueue, "submit", "handle"),
        # Ours is in place of theirs; what they count and keep is what we count and keep.
        "ThreadWorker.accept": _uses(getattr(worker, "accept", None), "enqueue_req", "nr_conns"),
        "ThreadWorker.on_client_socket_readable": _uses(
            getattr(worker, "on_client_socket_readable", None), "keepalived_conns", "poller"
        ),
        "ThreadWorker.murder_pending": _uses(getattr(worker, "run", None), "murder_pending"),
        "ThreadWorker.finish_request": _accepts(getattr(worker, "finish_request", None), 3),
        "ThreadWorker._keepalive_after": _uses(
            getattr(worker, "_keepalive_after", None), "parser", "finish_body"
        ),
        "TConn": _accepts(getattr(connection, "__init__", None), 5)
        and _uses(getattr(worker, "handle", None), "data_ready", "parser"),
        "ThreadWorker.alive": _uses(getattr(worker, "run", None), "alive"),
        "TConn.sock": _uses(getattr(connection, "__init__", None), "sock"),
    }
    return [name for name, is_as_known in found.items() if not is_as_known]


def _accepts(function: Callable[..., object] | None, positional: int) -> bool:
    """Whether it can be called with so many positional arguments, `self` included."""
    if not callable(function):
        return False
    try:
        inspect.signature(function).bind(*[None] * positional)
    except (TypeError, ValueError):
        return False
    return True


def _uses(function: Callable[..., object] | None, *attributes: str) -> bool:
    code = getattr(function, "__code__", None)
    return code is not None and set(attributes) <= set(code.co_names)
