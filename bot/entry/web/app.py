"""The Flask app; a request makes one database write and one ring, and leaves the work to others."""

import flask

from bot.core.state.webhook import BODY_BYTES_MAX
from bot.entry.settings import Settings
from bot.entry.settings_file import CurrentSettings
from bot.entry.web.health import health_blueprint
from bot.entry.web.oidc import OidcVerifier
from bot.entry.web.runner_api import runner_blueprint
from bot.entry.web.setup_pages import installed_blueprint
from bot.entry.web.webhook import WebhookEndpoint
from bot.shell.process_ports import Ports

_SETTINGS_LATE_SECONDS = 1.0


def create_app(settings: Settings, ports: Ports) -> flask.Flask:
    app = flask.Flask(__name__)
    # The largest body is a bundle or a webhook; Werkzeug refuses anything larger with 413.
    app.config["MAX_CONTENT_LENGTH"] = 2 * BODY_BYTES_MAX + 64 * 1024
    app.register_blueprint(runner_blueprint(settings, ports, OidcVerifier(settings, ports.clock)))

    app.register_blueprint(health_blueprint(settings, ports))
    # A look at the file for each delivery costs as much as reading the delivery.
    current = CurrentSettings(settings, late_seconds=_SETTINGS_LATE_SECONDS)

    def secret() -> str:
        """`headgate webhook` may change it while we run."""
        return current().webhook_secret.get_secret_value()

    app.register_blueprint(installed_blueprint())
    app.wsgi_app = WebhookEndpoint(app.wsgi_app, ports, secret)  # type: ignore[method-assign]
    return app
