"""Issues that tell of an incident on a branch: open until it is over."""

from enum import StrEnum

from bot.core.values.ids import Frozen, Sha


class IncidentKind(StrEnum):
    """`ADOPTED`: commits came past Headgate. `SMOKE`: red after a landing."""

    ADOPTED = "adopted"
    SMOKE = "smoke"


class Incident(Frozen):
    """`branch` empty: the default branch; `sha` is the newest commit that it is about."""

    kind: IncidentKind
    sha: Sha
    branch: str = ""

    @property
    def slug(self) -> str:
        """The name of its issue among those of the repository itself."""
        return f"{self.kind} {self.sha} {self.branch}".rstrip()


def incident_of(slug: str) -> Incident | None:
    """What an issue of the repository itself is about; None where it is about no incident."""
    kind, _, rest = slug.partition(" ")
    sha, _, branch = rest.partition(" ")
    if kind not in set(IncidentKind) or not sha:
        return None
    return Incident(kind=IncidentKind(kind), sha=Sha(sha), branch=branch)
