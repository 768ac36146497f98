"""Sees at the look at main where another server of the App writes the ledger, although main rests."""

from bot.core.journal.state import RepositoryState
from bot.core.talk.trouble_text import ledger_of_another
from bot.core.values.ids import RepositoryId, Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.trouble import TroubleKind
from bot.shell.ledger_file import LEDGER_REF
from bot.shell.observe_branches import fetched
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent
from bot.shell.troubles import meet

_REPOSITORIES_KEPT = 1_000


class LedgerLook:
    """Of one process; each ledger that is not ours is told once."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._told: Recent[RepositoryId, Sha] = Recent(_REPOSITORIES_KEPT)

    def tip_of_main(self, facts: RepositoryFacts, state: RepositoryState) -> Sha | None:
        git = self._ports.git
        # Both in one answer: a server lists all its refs whatever is asked for.
        there = git.remote_refs(facts, (facts.main_ref, LEDGER_REF))
        self.compare(facts, state, there.get(LEDGER_REF))
        return fetched(git, facts, state.main, there.get(facts.main_ref))

    def compare(self, facts: RepositoryFacts, state: RepositoryState, there: Sha | None) -> None:
        """`there` is what the ledger's ref names now.

        What goes on from ours is our own, from before a restore; what ours goes on from is an old answer.
        """
        ours = state.ledger_commit
        if there is None or ours is None or there == ours:
            return
        if self._told.get(facts.id) == there:
            return
        git = self._ports.git
        if not git.has(facts, there) or not git.has(facts, ours):
            git.fetch(facts)
        if not git.has(facts, there):
            # It has moved again.
            return
        self._told.put(facts.id, there)
        is_ours = git.history(facts, ours, there) is not None
        # Where no ref leads to ours any more, what is there does not stand in its history.
        if is_ours or (git.has(facts, ours) and git.history(facts, there, ours) is not None):
            return
        sentence = ledger_of_another(there)
        meet(self._ports, TroubleKind.SERVER, str(facts.id), sentence, facts.full_name)
