"""localhub as a process of its own for benches: `python -m tests.bench.hub` serves until SIGTERM.

Beside GitHub's routes it serves its exchange log, and the time that it spent on each request of the
App, so that a bench can subtract it.
"""

import argparse
import json
import signal
import time
from pathlib import Path
from types import FrameType

from flask import Flask, Response, g, jsonify, request

from bot.localhub.actions.engine import Settings as ActionsSettings
from bot.localhub.hub import Hub
from bot.localhub.model import TokenKind
from bot.localhub.mount import actions_of, extension
from bot.localhub.server import serve
from tests.testkit.hub_setup import (
    EVENTS,
    PERMISSIONS,
    POLICY,
    SECRET,
    create_people_and_repositories,
)

REPOSITORY = "team/shop"
PERSON = "ada"
EXCHANGES = "/_bench/exchanges"
ANSWERS = "/_bench/answers"

# A job fails after this long without its runner; GitHub waits longer, too long for a bench.
RUNNER_LOST_SECONDS = 12.0


def main() -> None:
    """Serve one hub; its credentials are written to a file once it is set up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--webhook-url", required=True)
    parser.add_argument("--max-parallel", type=int, default=3)
    asked = parser.parse_args()
    hub = Hub(asked.folder / "hub")
    service = actions_of(hub, ActionsSettings(runner_lost_seconds=RUNNER_LOST_SECONDS))

    def set_up(_url: str) -> None:
        policy = f"{POLICY}planner: deterministic\nmax_parallel: {asked.max_parallel}\n"
        tokens = create_people_and_repositories(hub, {}, policy)
        app = hub.register_app("headgate", asked.webhook_url, SECRET, PERMISSIONS, EVENTS)
        hub.install_app(app.app_id, "team")
        (asked.folder / "app.pem").write_text(app.private_key_pem)
        written = {"token": tokens[PERSON], "app_id": app.app_id}
        (asked.folder / "credentials.part").write_text(json.dumps(written))
        (asked.folder / "credentials.part").rename(asked.folder / "credentials.json")

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    try:
        serve(hub, "127.0.0.1", asked.port, [extension(service), _bench_routes], on_ready=set_up)
    except KeyboardInterrupt:
        return
    finally:
        service.close()


def _bench_routes(app: Flask, hub: Hub) -> None:
    answers: list[dict[str, float | str]] = []

    @app.before_request
    def begin() -> None:
        g.bench_began = time.time()

    @app.teardown_request
    def end(_problem: BaseException | None) -> None:
        kind = getattr(g.get("actor"), "kind", None)
        if kind in (TokenKind.APP_JWT, TokenKind.INSTALLATION) and "bench_began" in g:
            what = f"{request.method} {request.path}"
            answers.append({"what": what, "begin": g.bench_began, "end": time.time()})

    @app.get(ANSWERS)
    def served_answers() -> Response:
        return jsonify(answers)

    @app.get(EXCHANGES)
    def exchanges() -> Response:
        return jsonify(
            [
                {"method": e.method, "path": e.path, "status": e.status, "by": e.token_kind}
                for e in hub.exchanges
                if e.is_write
            ]
        )


if __name__ == "__main__":
    main()
