"""Which addresses the harness speaks to: https, and only the servers that the runner's owner lists.

Plain http is for a server on the same machine, and only where `HEADGATE_PLAIN_HTTP=loopback` says so.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

SERVERS_VARIABLE = "HEADGATE_SERVERS"
PLAIN_HTTP_VARIABLE = "HEADGATE_PLAIN_HTTP"
_LOOPBACK = "loopback"


def allows_plain_http(environment: Mapping[str, str]) -> bool:
    return environment.get(PLAIN_HTTP_VARIABLE) == _LOOPBACK


def is_address(url: str) -> bool:
    """Whether this is a web address at all; `https://[` cannot even be taken apart."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def refusal_of_url(url: str, plain_http: bool) -> str:
    """Why nothing is asked of this address; empty where it may be."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_loopback = host == "localhost" or host.startswith("127.") or host == "::1"
    if parts.scheme == "https" or (parts.scheme == "http" and is_loopback and plain_http):
        return ""
    return (
        f"{parts.scheme or 'no'}://{host} is not https, and only https is allowed (for a server "
        f"on the same machine, set {PLAIN_HTTP_VARIABLE}={_LOOPBACK})"
    )


def refusal_of_server(url: str, environment: Mapping[str, str]) -> str:
    """Why this runner works for no such server; empty where it does."""
    listed = [one.rstrip("/") for one in environment.get(SERVERS_VARIABLE, "").split(",") if one]
    if listed and url.rstrip("/") not in listed:
        return (
            f"{url} is not in {SERVERS_VARIABLE} of this runner ({', '.join(listed)}); add it "
            "there if you trust it"
        )
    return refusal_of_url(url, allows_plain_http(environment))
