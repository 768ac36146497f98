"""Which refs the server has, asked without a process: by one request of git's protocol, version 2.

`git ls-remote` starts two programs for it, and one of them takes ten times as long to start as the answer.
Whatever is not a plain answer is left to git: refusals, redirects, older servers, proxies. Sources: gitprotocol-v2, gitprotocol-http.
"""

import base64
import os
import re
import ssl
import time
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from bot.core.values.ids import Ref, Sha

_TIMEOUT_SECONDS = 10.0
_READ_BYTES = 1 << 16
_FLUSH, _DELIMITER = b"0000", b"0001"
_KIND = "application/x-git-upload-pack-%s"
_PROXIES = ("http_proxy", "https_proxy", "HTTPS_PROXY")
# Where git is told which certificates to trust.
_CERTIFICATES = ("GIT_SSL_CAINFO", "CURL_CA_BUNDLE")
_REF = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) (refs/[^ \0\n]+)\n")


def listed_refs(url: str, token: str, prefixes: tuple[str, ...]) -> dict[Ref, Sha] | None:
    """The refs that begin with one of these; None where git must ask. `token` may be ""."""
    where = urlsplit(url)
    if where.scheme not in ("http", "https") or any(os.environ.get(name) for name in _PROXIES):
        return None
    headers = {
        "Content-Type": _KIND % "request",
        "Accept": _KIND % "result",
        "Git-Protocol": "version=2",
        "User-Agent": "git/headgate",
    }
    if token:
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        headers["Authorization"] = f"Basic {basic}"
    try:
        said = _answer(
            where.scheme, where.netloc, f"{where.path}/git-upload-pack", headers, prefixes
        )
    except (OSError, HTTPException, ValueError):
        return None
    return None if said is None else _read(said)


def _answer(
    scheme: str, server: str, path: str, headers: dict[str, str], prefixes: tuple[str, ...]
) -> bytes | None:
    """Each connection is for one request: nobody asks often enough to keep it."""
    until = time.monotonic() + _TIMEOUT_SECONDS
    connection = (
        HTTPSConnection(server, timeout=_TIMEOUT_SECONDS, context=_trusted(_certificates()))
        if scheme == "https"
        else HTTPConnection(server, timeout=_TIMEOUT_SECONDS)
    )
    try:
        connection.request("POST", path, _asked(prefixes), headers)
        with connection.getresponse() as response:
            if response.status != 200 or response.getheader("Content-Type") != _KIND % "result":
                return None
            parts = []
            while part := response.read(_READ_BYTES):
                parts.append(part)
                if time.monotonic() > until:
                    return None
            return b"".join(parts)
    finally:
        connection.close()


def _certificates() -> str | None:
    return next((file for name in _CERTIFICATES if (file := os.environ.get(name))), None)


@cache
def _trusted(certificates: str | None) -> ssl.SSLContext:
    """Read once: it takes 25 ms."""
    return ssl.create_default_context(cafile=certificates)


def _asked(prefixes: tuple[str, ...]) -> bytes:
    wanted = (_line(f"ref-prefix {prefix}\n") for prefix in prefixes)
    return b"".join([_line("command=ls-refs\n"), _DELIMITER, *wanted, _FLUSH])


def _line(words: str) -> bytes:
    content = words.encode()
    return b"%04x%b" % (len(content) + 4, content)


def _read(said: bytes) -> dict[Ref, Sha] | None:
    """None where it is not a list of refs with its end."""
    found: dict[Ref, Sha] = {}
    at = 0
    while said[at : at + 4] != _FLUSH:
        try:
            end = at + int(said[at : at + 4], 16)
        except ValueError:
            return None
        ref = _REF.fullmatch(said, at + 4, end)
        if ref is None:
            return None
        found[Ref(ref[2].decode(errors="replace"))] = Sha(ref[1].decode())
        at = end
    return found
