"""What a function that performs an effect is given."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from bot.core.journal.effect_class import EffectClass
from bot.core.journal.effects import Effect
from bot.core.journal.events import TextPublished
from bot.core.journal.state import RepositoryState
from bot.core.values.repository import RepositoryFacts
from bot.shell.process_ports import Ports

# GitHub's clock and ours may differ; a search for what we created begins this much earlier.
CLOCK_SLACK = timedelta(minutes=10)

EffectT_co = TypeVar("EffectT_co", bound=EffectClass, covariant=True)


@dataclass(frozen=True)
class Task(Generic[EffectT_co]):
    """One effect to perform, with `batch`: itself first, then what goes in the same request.

    `look_first`: it may have happened already, so a create looks for its natural key.
    """

    ports: Ports
    facts: RepositoryFacts
    state: RepositoryState
    effect: EffectT_co
    batch: tuple[Effect, ...]
    look_first: bool

    def may_be_since(self, intended_at: datetime) -> datetime:
        """From when on it may have happened, by GitHub's clock."""
        rewound = self.state.rewound
        since = min(intended_at, rewound.known_until) if rewound else intended_at
        return since - CLOCK_SLACK


def published(ports: Ports, subject: str, digest: str, revision: int = 0) -> TextPublished:
    return TextPublished(
        subject=subject, digest=digest, published_at=ports.clock.now(), revision=revision
    )
