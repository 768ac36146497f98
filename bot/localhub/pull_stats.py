"""What git knows of a pull: its commits, its files, and whether it merges."""

from bot.localhub.git_diff import changed_files
from bot.localhub.git_store import FileDelta
from bot.localhub.github_json import Json
from bot.localhub.model import Issue, Pull, Repository
from bot.localhub.shapes.pulls import PullStats, full_pull_shape
from bot.localhub.state import State


def base_tip(repository: Repository, pull: Pull, state: str) -> str:
    """The base that the pull is compared with: the current one while open, then the last one."""
    if state == "open":
        return repository.refs.get(f"refs/heads/{pull.base_ref}", pull.base_sha)
    return pull.base_sha


def commits_of(issue: Issue, pull: Pull) -> list[str]:
    repository = issue.repository
    base = base_tip(repository, pull, issue.state)
    return repository.git.commit_list([pull.head_sha, f"^{base}"], ["--reverse", "--topo-order"])


def files_of(issue: Issue, pull: Pull) -> list[FileDelta]:
    """The pull's files: the head compared with its merge base."""
    repository = issue.repository
    base = base_tip(repository, pull, issue.state)
    left = repository.git.merge_base(base, pull.head_sha)
    return changed_files(repository.git, left, pull.head_sha)


def stats_of(issue: Issue, pull: Pull) -> PullStats:
    """What the full shape of a pull shows; `mergeable` only if it is known."""
    files = files_of(issue, pull)
    base = base_tip(issue.repository, pull, issue.state)
    known = pull.mergeable if pull.mergeable_of == (base, pull.head_sha) else None
    return PullStats(
        mergeable=known if issue.state == "open" else None,
        mergeable_state=_mergeable_state(pull, known),
        commits=len(commits_of(issue, pull)),
        additions=sum(file.additions for file in files),
        deletions=sum(file.deletions for file in files),
        changed_files=len(files),
    )


def _mergeable_state(pull: Pull, mergeable: bool | None) -> str:
    if mergeable is None:
        return "unknown"
    if not mergeable:
        return "dirty"
    return "draft" if pull.draft else "clean"


def pull_payload(state: State, issue: Issue) -> Json:
    if issue.pull is None:
        raise ValueError(f"#{issue.number} is not a pull request")
    return full_pull_shape(state, issue, issue.pull, stats_of(issue, issue.pull))
