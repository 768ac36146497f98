"""What a person's pull in the queue takes from a spec, where the policy says that this must not land."""

from bot.core.journal.state import QueuedPull, RepositoryState


def lost_by(state: RepositoryState, pull: QueuedPull) -> tuple[str, ...]:
    """Sentences about the queued head; empty where nothing is lost, or another head was read last."""
    digest = state.pull_digests.get(pull.number)
    return digest.lost if digest is not None and digest.head == pull.head else ()
