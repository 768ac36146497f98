"""The web server: the webhook, the runners' API, and health."""
