"""The headers of a request to a model and of its answer: what is passed on, and what is ours. Pure."""

import re
from collections.abc import Iterable, Mapping

# Of a client's request what may be said to a provider (everything about identity is ours, and what kind of
# text the body is), and of an answer what is passed back.
HEADERS_PASSED_ON = ("accept", "anthropic-version", "user-agent")
HEADERS_PASSED_BACK = ("content-type", "request-id", "retry-after", "anthropic-version")
# A value that every program writes and reads alike; another is left out, like a header that we do not know.
_HEADER_VALUE = re.compile(r"[!-~](?:[ -~]{0,1000}[!-~])?")

# What Claude Code and the SDKs send, as far as it changes neither who answers nor what it costs.
_BETAS = frozenset({
    *("claude-code-20250219", "interleaved-thinking-2025-05-14", "redact-thinking-2026-02-12"),
    *("thinking-token-count-2026-05-13", "context-management-2025-06-27", "effort-2025-11-24"),
    *("prompt-caching-scope-2026-01-05", "mid-conversation-system-2026-04-07"),
    *("advanced-tool-use-2025-11-20", "tool-search-tool-2025-10-19", "tool-examples-2025-10-29"),
    *("extended-cache-ttl-2025-04-11", "cache-diagnosis-2026-04-07", "context-1m-2025-08-07"),
    *("structured-outputs-2025-11-13", "structured-outputs-2025-12-15"),
    *("fine-grained-tool-streaming-2025-05-14", "token-efficient-tools-2025-02-19"),
    *("token-efficient-tools-2026-03-28", "token-counting-2024-11-01", "task-budgets-2026-03-13"),
    *("prompt-caching-2024-07-31", "pdfs-2024-09-25", "output-128k-2025-02-19"),
    *("model-context-window-exceeded-2025-08-26", "computer-use-2025-01-24"),
    "computer-use-2025-11-24",
})  # fmt: skip


def headers_to_send(said: Mapping[str, str], betas: Iterable[str], key: str) -> dict[str, str]:
    """A request's headers, with the key; `said` are those of the client, `betas` its wishes."""
    headers = {
        name: said[name]
        for name in HEADERS_PASSED_ON
        if _HEADER_VALUE.fullmatch(said.get(name, ""))
    }
    if known := known_betas(",".join(betas)):
        headers["anthropic-beta"] = known
    return headers | {
        "authorization": f"Bearer {key}",
        "accept-encoding": "identity",
        "content-type": "application/json",
    }


def known_betas(header: str) -> str:
    """The betas of an `anthropic-beta` header that may be asked for; the others are left out."""
    return ",".join(b for b in (one.strip() for one in header.split(",")) if b in _BETAS)
