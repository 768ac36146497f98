"""The Flask app behind the webhook's door: nothing is done inside a request but one write and a nudge."""

import flask

from bot.core.state.webhook import BODY_BYTES_MAX
from bot.entry.settings import Settings
from bot.entry.web.oidc import OidcVerifier
from bot.entry.web.runner import runner_doors
from bot.entry.web.webhook import WebhookDoor
from bot.shell.process_ports import Ports


def create_app(settings: Settings, ports: Ports) -> flask.Flask:
    """The app over one bench."""
    app = flask.Flask(__name__)
    # The largest body is a bundle or a webhook; anything larger is cut off by Werkzeug with a 413.
    app.config["MAX_CONTENT_LENGTH"] = 2 * BODY_BYTES_MAX + 64 * 1024
    app.register_blueprint(runner_doors(settings, ports, OidcVerifier(settings, ports.clock)))

    @app.get("/health")
    def health() -> tuple[dict[str, str], int]:
        """200 while the journal can be read."""
        ports.journal.repositories()
        return {"status": "ok"}, 200

    secret = settings.webhook_secret.get_secret_value()
    app.wsgi_app = WebhookDoor(app.wsgi_app, ports, secret)  # type: ignore[method-assign]
    return app
