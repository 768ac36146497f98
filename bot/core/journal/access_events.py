"""Events of a repository's own life: its names, its rules, and whether Headgate may work in it."""

from datetime import datetime
from typing import Literal

from bot.core.values.ids import Frozen
from bot.core.values.repository import AwayReason, RepositoryFacts
from bot.core.values.rules import RepositoryRules


class RepositoryChanged(Frozen):
    """GitHub has it under another name, owner, default branch or installation; its id stays."""

    type: Literal["RepositoryChanged"] = "RepositoryChanged"
    facts: RepositoryFacts
    seen_at: datetime


class AccessLost(Frozen):
    """Headgate may do nothing here until `AccessRegained`; what is under way waits."""

    type: Literal["AccessLost"] = "AccessLost"
    reason: AwayReason
    lacks: tuple[str, ...] = ()
    seen_at: datetime


class AccessRegained(Frozen):
    """Headgate may work here again, and goes on."""

    type: Literal["AccessRegained"] = "AccessRegained"
    seen_at: datetime


class JournalRewound(Frozen):
    """Events after `known_until` were lost: a restored backup, or a database's last commits.

    What we did since then may have happened without a word of it here, and is looked for.
    """

    type: Literal["JournalRewound"] = "JournalRewound"
    known_until: datetime
    seen_at: datetime


class RulesRead(Frozen):
    """The rules of the default branch are others than we knew, or were read for the first time."""

    type: Literal["RulesRead"] = "RulesRead"
    rules: RepositoryRules
    read_at: datetime
    branch_of_queue: str = ""
