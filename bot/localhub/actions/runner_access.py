"""Which runners a job may have, where another owner's workflow asks for them.

GitHub: a called workflow gets the caller's self-hosted runners only where one user, organisation or
enterprise owns both ("Reusing workflow configurations"); localhub has no enterprises. Hosted runners
are always the caller's.
"""

import re
from collections.abc import Sequence

_HOSTED = re.compile(r"(ubuntu|windows|macos)-[a-z0-9.-]+", re.IGNORECASE)


def are_hosted(labels: Sequence[str], group: str | None) -> bool:
    """Whether GitHub's own machines take a job with these labels."""
    return group is None and len(labels) == 1 and _HOSTED.fullmatch(labels[0]) is not None


def refusal(caller: str, called: str, labels: Sequence[str], group: str | None) -> str | None:
    """GitHub's words where a workflow of `called` may not have the runners of `caller`."""
    owners = {repository.partition("/")[0].lower() for repository in (caller, called)}
    if len(owners) == 1 or are_hosted(labels, group):
        return None
    return (
        "Called workflows cannot be queued onto self-hosted runners across "
        "organisations/enterprises. Failed to queue this job. "
        f"Labels: '{', '.join(labels)}'."
    )
