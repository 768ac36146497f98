"""Small facts about repositories and actors, for the parts that live beside the hub.

The Actions side asks the hub through these and never touches the model. They are the service's own
words, so that both sides speak of one thing.
"""

from bot.localhub.actions.host import ActorFacts, RepositoryFacts

__all__ = ["ActorFacts", "RepositoryFacts"]
