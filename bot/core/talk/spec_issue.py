"""Texts for a spec that somebody wrote as an issue: its pull, its commit, comments on the issue."""

from bot.core.spec.issue_text import IssueSpec
from bot.core.state.observed import SpecIssueSnapshot
from bot.core.talk.links import credit
from bot.core.talk.text import code, cut, login, marker, plain
from bot.core.values.ids import PullNumber
from bot.core.values.repository import RepositoryFacts, Role

LABEL = "headgate:spec"


def pull_title(title: str) -> str:
    return f"Spec: {plain(title)}"[:240]


def pull_body(snapshot: SpecIssueSnapshot, path: str, read: IssueSpec) -> str:
    """The body of the pull; its merge closes the issue, because then the file is the spec."""
    lines = [
        marker(f"spec issue {snapshot.number}"),
        f"Closes #{snapshot.number}. This pull request commits the issue's text, written by "
        f"{login(snapshot.author)}, as {code(path)}. {login(snapshot.labelled_by)} asked for it "
        f"with the label `{LABEL}`.",
        "",
        "To change the file, edit the issue; Headgate overwrites pushes to this branch. After "
        "the merge, Headgate plans the spec and asks for approval. To close this pull request, "
        "remove the label.",
    ]
    if read.hidden or read.comments:
        lines += ["", left_out(read)]
    return cut("\n".join(lines))


def commit_message(snapshot: SpecIssueSnapshot, path: str, facts: RepositoryFacts) -> str:
    """The commit's message, with the issue's author as co-author."""
    trailer = credit(snapshot.author, snapshot.author_id, facts)
    return f"Add {path}\n\nFrom issue {snapshot.number}.\n\n{trailer}\n"


def offered(pull: PullNumber, path: str) -> str:
    """The comment on the issue when its pull is open."""
    return (
        f"This issue is a spec. #{pull} commits it as {code(path)}. If you edit the issue, "
        "Headgate updates that pull request. The merge starts the planning."
    )


def on_main(path: str) -> str:
    """The comment on the issue when main already has its text."""
    return (
        f"This text is already on main, as {code(path)}, so there is nothing to commit. If you "
        "edit the issue, a pull request will propose the new text. To plan the spec again "
        f"without a change, comment `/headgate run {path}`."
    )


def withdrawn(pull: PullNumber) -> str:
    return (
        f"The label `{LABEL}` was removed, so #{pull} is closed. To open a new pull request, "
        "set it again."
    )


def label_needs_role(labelled_by: str, role: Role) -> str:
    """The comment on the issue when a person without the needed role set the label."""
    return (
        f"The label `{LABEL}` asks for a commit. To set it, you need the role {Role.WRITE}; "
        f"{login(labelled_by)} has the role {role} here. A person with the role {Role.WRITE} "
        "can set the label again."
    )


def left_out(read: IssueSpec) -> str:
    """Which parts of an issue's text do not go into the file, because GitHub does not show them."""
    parts = [f"{read.hidden} hidden characters"] if read.hidden else []
    parts += [f"{read.comments} HTML comments"] if read.comments else []
    return f"Not copied into the file, because GitHub does not show them: {' and '.join(parts)}."
