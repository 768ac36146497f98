"""Moves main, the only place that does: from exactly the commit that a candidate was judged on."""

from dataclasses import dataclass

from bot.core.talk.refusal_text import landing_refused
from bot.core.values.candidate import MovedBy, PushOutcome, RefUpdate
from bot.core.values.github_refusal import read_refusal
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.shell.process_ports import Ports


@dataclass(frozen=True)
class Move:
    """Whether main is at (or past) the candidate, else why not.

    `moved_by` is None where it was found there. `is_refused`: the same would be refused again.
    """

    is_done: bool
    moved_by: MovedBy | None = None
    sentence: str = ""
    is_refused: bool = False


def move_main(ports: Ports, facts: RepositoryFacts, base: Sha, candidate: Sha) -> Move:
    """Move main from exactly `base` to `candidate`.

    By GitHub's own compare-and-swap; where we cannot use it, by a push that leases the base. The
    server's answer proves that main moved.
    """
    moved_by = MovedBy.UPDATE_REFS
    result = ports.forge.move_main(facts, base, candidate)
    if result is None:
        moved_by = MovedBy.PUSH
        lease = RefUpdate(ref=facts.main_ref, old=base, new=candidate)
        result = ports.git.push(facts, (lease,))
    if result.outcome is PushOutcome.DONE:
        return Move(is_done=True, moved_by=moved_by)
    elsewhere = found_elsewhere(ports, facts, base, candidate)
    if elsewhere is not None:
        return elsewhere
    if result.outcome is PushOutcome.REFUSED:
        sentence = landing_refused(read_refusal(result.sentence))
        return Move(is_done=False, sentence=sentence, is_refused=True)
    return Move(is_done=False, sentence=f"main was not moved: {result.sentence}")


def found_elsewhere(ports: Ports, facts: RepositoryFacts, base: Sha, candidate: Sha) -> Move | None:
    """What it means that main is not at `base`; None where it is there."""
    there = ports.git.remote_ref(facts, facts.main_ref)
    if there is None or there == base:
        return None
    if not ports.git.has(facts, there):
        ports.git.fetch(facts)
    history = ports.git.history(facts, base, there)
    if history and history[0].sha == candidate:
        return Move(is_done=True)
    return Move(is_done=False, sentence=f"main is at {there[:12]}, not at {base[:12]}.")
