"""`headgate webhook URL`: adds a webhook to the App, while the server runs."""

import secrets

from bot.adapters.github.registration import look_at_app, set_webhook
from bot.core.talk import setup_text
from bot.entry.settings import Settings
from bot.entry.settings_file import write_settings
from bot.entry.terminal import Terminal
from bot.entry.web.setup_pages import webhook_address
from bot.ports import Retryable, UserError


def run_webhook(url: str, *, new_secret: bool = False) -> int:
    """0: GitHub has the address and the secret; 1: it refused; 2: that is no address."""
    console = Terminal(stderr=True, soft_wrap=True, highlight=False)
    settings = Settings()
    address = webhook_address(url)
    if not address:
        console.print(setup_text.webhook_not_an_address(url))
        return 2
    if not settings.has_app:
        console.print(setup_text.NO_APP)
        return 1
    key = settings.app_key()
    before = "" if new_secret else settings.webhook_secret.get_secret_value()
    secret = before or secrets.token_hex(32)
    try:
        set_webhook(settings.github_api_url, settings.app_id, key, address, secret)
    except (Retryable, UserError) as failure:
        console.print(failure.sentence)
        return 1
    # After GitHub has it: until it is here, the server only refuses what it will be sent again.
    write_settings({"HEADGATE_WEBHOOK_SECRET": secret})
    app = look_at_app(settings.github_api_url, settings.app_id, key)
    page = f"{settings.github_url}{app.settings_path}"
    console.print(setup_text.webhook_added(address, page))
    return 0
