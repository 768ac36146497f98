"""Whether the workflow file that would hold an order's lease is one that somebody approved.

Approved is what Headgate itself offers, what came to main by a pull that was merged, and what somebody
who maintains the repository pushed. What was approved once stays so until the file changes. It is
judged before the dispatch, by a worker; a lease asks only whether the file that runs is the order's.
"""

from bot.core.journal.state import RepositoryState
from bot.core.talk.workflow_file import FOLDER, unapproved
from bot.core.values.ids import Sha
from bot.core.values.repository import MainMove, RepositoryFacts, Role
from bot.order_ports import ApprovedFile
from bot.ports import UserError
from bot.shell.process_ports import Ports


def path_of(workflow: str) -> str:
    return f"{FOLDER}{workflow}"


def approve_workflow(
    ports: Ports, facts: RepositoryFacts, state: RepositoryState, path: str, commit: Sha
) -> ApprovedFile | None:
    """The file at a commit of main; None where there is no such file.

    Raises `UserError` where nobody approved it.
    """
    found = ports.git.blobs(facts, commit, (path,)).get(path)
    if found is None:
        return None
    if not _is_approved(ports, facts, state, path, commit, found):
        raise UserError(unapproved(path.removeprefix(FOLDER)))
    return ApprovedFile(path=path, content=found, commit=commit)


def may_lease(
    ports: Ports, facts: RepositoryFacts, approved: ApprovedFile, path: str, commit: Sha
) -> bool:
    """Whether the file at the commit that runs is the approved one; asks GitHub where main has moved."""
    if path != approved.path:
        return False
    return commit == approved.commit or ports.forge.blob(facts, commit, path) == approved.content


def _is_approved(
    ports: Ports,
    facts: RepositoryFacts,
    state: RepositoryState,
    path: str,
    commit: Sha,
    found: Sha,
) -> bool:
    if found == state.workflows.get(path) or _is_older(state, path):
        return True
    if _is_offered(ports, facts, path, commit):
        return True
    changed = ports.git.last_change(facts, commit, path)
    if changed is not None and ports.forge.came_by_pull(facts, changed):
        return True
    return _is_of_a_maintainer(ports, facts, path, found)


def _is_older(state: RepositoryState, path: str) -> bool:
    """Whether a release that did not look at the file worked with it before."""
    worked = any(o.dispatched_at and not o.dispatched_with for o in state.orders.values())
    return worked and path not in state.workflows


def _is_offered(ports: Ports, facts: RepositoryFacts, path: str, commit: Sha) -> bool:
    text = ports.git.files(facts, commit, (path,)).get(path, b"")
    # GitHub's page for a new file may leave out the last line's end.
    offered = (one.strip().encode() for one in ports.workflow_files.values())
    return text.strip() in offered


def _is_of_a_maintainer(ports: Ports, facts: RepositoryFacts, path: str, content: Sha) -> bool:
    """By who moved main, as GitHub saw it: a commit's author is whatever its maker wrote."""

    def brought(move: MainMove) -> bool:
        return at(move.after) == content != at(move.before)

    def at(commit: Sha) -> Sha | None:
        """Nothing before main's first push; the content where a commit is lost, which shows nothing."""
        if not commit.strip("0"):
            return None
        if not ports.git.has(facts, commit):
            return content
        return ports.git.blobs(facts, commit, (path,)).get(path)

    move = next(filter(brought, ports.forge.main_moves(facts)), None)
    if move is None or not move.by:
        return False
    return move.is_merge or ports.forge.role(facts, move.by).covers(Role.MAINTAIN)
