"""What the shell works with: every port, and a few settings, as one value.

Made once per process by `entry.wiring`; passed, never global.
"""

from dataclasses import dataclass

from bot.ports import Blobs, Budget, Clock, Desk, Doorbell, Forge, Git, Inbox, Journal


@dataclass(frozen=True)
class Bench:
    """The ports of one process. `holder` names it among all writers, the same after a restart."""

    forge: Forge
    git: Git
    journal: Journal
    inbox: Inbox
    desk: Desk
    blobs: Blobs
    doorbell: Doorbell
    budget: Budget
    clock: Clock
    holder: str
    server_url: str
