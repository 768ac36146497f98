"""Which labels ask for a machine of GitHub's own."""

import re
from collections.abc import Sequence

_HOSTED = re.compile(r"(ubuntu|windows|macos)-[a-z0-9.-]+", re.IGNORECASE)


def are_hosted(labels: Sequence[str]) -> bool:
    """GitHub's machines have one label; larger ones may be called anything."""
    return len(labels) == 1 and _HOSTED.fullmatch(labels[0]) is not None
