"""What the shell works with: every port, and a few settings, as one value.

Made once per process by `entry.wiring`; passed, never global.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.core.spec.model_choice import ServerModels
from bot.health_ports import Troubles, Vitals
from bot.order_ports import OrderStore, Transcripts
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
    PromptStore,
    Readings,
)
from bot.shell.meter import Meter
from bot.shell.turns import Turns


@dataclass(frozen=True)
class Ports:
    """The ports of one process. `holder` names it among all writers, the same after a restart.

    `model` is None where no key is at hand; `models` says so to the core. `workflow_files` are what a
    repository needs besides its policy.
    """

    forge: Forge
    git: Git
    journal: Journal
    inbox: Inbox
    order_store: OrderStore
    transcripts: Transcripts
    blobs: Blobs
    doorbell: Doorbell
    budget: Budget
    clock: Clock
    prompt_store: PromptStore
    model: Model | None
    models: ServerModels
    vitals: Vitals
    troubles: Troubles
    readings: Readings
    meter: Meter
    holder: str
    server_url: str
    workflow_files: Mapping[str, str]
    turns: Turns = field(default_factory=Turns)
