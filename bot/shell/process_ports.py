"""What the shell works with: every port, and a few settings, as one value.

Made once per process by `entry.wiring`; passed, never global.
"""

from dataclasses import dataclass

from bot.core.spec.model_choice import ServerModels
from bot.ports import (
    Blobs,
    Budget,
    Clock,
    Doorbell,
    Forge,
    Git,
    Inbox,
    Journal,
    Model,
    OrderStore,
    PromptStore,
    Vitals,
)
from bot.shell.meter import Meter


@dataclass(frozen=True)
class Ports:
    """The ports of one process. `holder` names it among all writers, the same after a restart.

    `model` is None where no key is at hand; `models` says so to the core.
    """

    forge: Forge
    git: Git
    journal: Journal
    inbox: Inbox
    order_store: OrderStore
    blobs: Blobs
    doorbell: Doorbell
    budget: Budget
    clock: Clock
    prompt_store: PromptStore
    model: Model | None
    models: ServerModels
    vitals: Vitals
    meter: Meter
    holder: str
    server_url: str
