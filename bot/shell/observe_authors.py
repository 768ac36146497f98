"""Looks who wrote the specs that somebody approves, where their authors may not approve alone.

A commit's author is whatever its maker wrote. Who moved main is what GitHub saw: of a push whoever
pushed, of a merge whoever opened the pull.
"""

from collections.abc import Iterable, Mapping

from bot.core.decide.specs.plan_new_spec import version_of
from bot.core.journal.state import RepositoryState, SpecRun, SpecRunState
from bot.core.spec.policy import Policy, PolicyRefusal
from bot.core.state.observed import CommentWithRole
from bot.core.values.command import Verb
from bot.core.values.ids import Sha, SpecRunId
from bot.core.values.repository import MainMove, RepositoryFacts
from bot.shell.process_ports import Ports


def authors_at(
    ports: Ports,
    facts: RepositoryFacts,
    state: RepositoryState,
    policy: Policy | PolicyRefusal,
    comments: Iterable[CommentWithRole],
) -> dict[SpecRunId, tuple[str, ...]]:
    """Who wrote what is being approved now; nobody where it cannot be seen."""
    if isinstance(policy, PolicyRefusal) or policy.file.author_may_approve:
        return {}
    issues = {
        found.comment.issue
        for found in comments
        if found.comment and any(c.verb is Verb.APPROVE for c in found.commands)
    }
    runs = [run for run in state.spec_runs.values() if run.is_open and run.issue in issues]
    if not runs:
        return {}
    moves = ports.forge.main_moves(facts)
    return {run.id: _authors(ports, facts, state, run, moves) for run in runs}


def _authors(
    ports: Ports,
    facts: RepositoryFacts,
    state: RepositoryState,
    run: SpecRun,
    moves: tuple[MainMove, ...],
) -> tuple[str, ...]:
    """All who changed the spec since a version that was approved, or since there was none."""
    approved = {
        other.version
        for other in state.spec_runs.values()
        if other.path == run.path
        and (other.id != run.id or run.state is SpecRunState.RUNNING)
        and other.approved_by
    }
    asked = run.proposed_edit.version if run.proposed_edit else run.version
    versions = _Versions(ports, facts, run.path)
    found: list[str] = []
    is_seen = False
    for move in moves:
        after = versions.at(move.after)
        if after in approved:
            break
        # GitHub may list a move a little later than it made it.
        is_seen = is_seen or after == asked
        if after is None or versions.at(move.before) != after:
            found.append(
                ports.forge.author_of_merge(facts, move.after) if move.is_merge else move.by
            )
    # A move by no person (a bot, an account that is gone) leaves it open who wrote the spec.
    return tuple(dict.fromkeys(found)) if is_seen and all(found) else ()


class _Versions:
    """The version of one spec at commits; "" where it is not there, None where a commit is lost."""

    def __init__(self, ports: Ports, facts: RepositoryFacts, path: str) -> None:
        self._ports = ports
        self._facts = facts
        self._path = path
        self._known: dict[Sha, str | None] = {}

    def at(self, commit: Sha) -> str | None:
        if commit not in self._known:
            self._known[commit] = self._read(commit)
        return self._known[commit]

    def _read(self, commit: Sha) -> str | None:
        git = self._ports.git
        if not commit.strip("0"):
            return ""
        if not git.has(self._facts, commit):
            return None
        blobs: Mapping[str, Sha] = git.blobs(self._facts, commit, (self._path,))
        return version_of(blobs) if blobs else ""
