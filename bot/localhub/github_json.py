"""Parts of GitHub's JSON: times, node ids, and the type of a JSON object.

Every timestamp is UTC with whole seconds, every node id is opaque and stable.
"""

import base64
from datetime import UTC, datetime

Json = dict[str, object]

# git's and GitHub's "no commit": a ref that did not exist before or is deleted.
ZERO_SHA = "0" * 40


def iso(moment: datetime) -> str:
    """`2026-01-31T12:00:00Z`, as the REST API writes times."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def maybe_iso(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)


def node_id(prefix: str, number: int) -> str:
    """An opaque id that looks like GitHub's (`I_kwDO…`), unique per prefix and number."""
    packed = base64.urlsafe_b64encode(b"kw" + number.to_bytes(8, "big")).decode().rstrip("=")
    return f"{prefix}_{packed}"
