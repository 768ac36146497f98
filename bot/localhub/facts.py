"""Small facts about repositories and actors, for the parts that live beside the hub.

The Actions side asks the hub through these and never touches the model. Deliberately absent: any
way to change something.
"""

from dataclasses import dataclass, field

from pydantic import JsonValue


@dataclass(frozen=True)
class RepositoryFacts:
    """What an Actions service needs to know of a repository; `payload` is the webhook's shape."""

    id: int
    owner: str
    owner_id: int
    name: str
    full_name: str
    default_branch: str
    private: bool
    clone_url: str
    html_url: str
    payload: dict[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class ActorFacts:
    """Who acts, and with which permissions; `payload` is the account's shape."""

    id: int
    login: str
    type: str = "User"
    permissions: dict[str, str] = field(default_factory=dict)
    payload: dict[str, JsonValue] = field(default_factory=dict)
