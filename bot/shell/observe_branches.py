"""Observe what the branches of changes show, where that is nothing of ours."""

from collections.abc import Mapping

from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.shell.process_ports import Ports

_BRANCHES, _CANDIDATES = "refs/heads/", "refs/headgate/candidates/"
OWN_BRANCHES = "headgate/"


def foreign_tips(ports: Ports, facts: RepositoryFacts) -> Mapping[str, Sha]:
    """What somebody else pushed to branches of ours, by the branch's name.

    A candidate and the branch that shows it are pushed together, so one look tells them apart, also
    where we crashed before we wrote that down.
    """
    there = ports.git.remote_refs(facts, (f"{_BRANCHES}{OWN_BRANCHES}", _CANDIDATES))
    ours = {sha for ref, sha in there.items() if ref.startswith(_CANDIDATES)}
    return {
        ref.removeprefix(_BRANCHES): sha
        for ref, sha in there.items()
        if ref.startswith(_BRANCHES) and sha not in ours
    }
