"""What is said of a spec that is an issue: in its pull, in its commit, and on the issue."""

from bot.core.spec.issue_text import IssueSpec
from bot.core.state.observed import SpecIssueSnapshot
from bot.core.talk.links import credit
from bot.core.talk.text import code, cut, login, marker, plain
from bot.core.values.ids import PullNumber
from bot.core.values.repository import RepositoryFacts, Role

LABEL = "headgate:spec"


def pull_title(title: str) -> str:
    """The title of the pull."""
    return f"Spec: {plain(title)}"[:240]


def pull_body(snapshot: SpecIssueSnapshot, path: str, read: IssueSpec) -> str:
    """The body of the pull; merging it closes the issue, because the file is the spec from then."""
    lines = [
        marker(f"spec issue {snapshot.number}"),
        f"Closes #{snapshot.number}: commits its text, by {login(snapshot.author)}, as {code(path)}. "
        f"{login(snapshot.labelled_by)} asked for it with the label `{LABEL}`.",
        "",
        "Edit the issue to change the file; pushes to this branch are overwritten. When this is "
        "merged, Headgate plans the spec and asks for approval. Taking the label away closes this.",
    ]
    if read.hidden or read.comments:
        lines += ["", left_out(read)]
    return cut("\n".join(lines))


def commit_message(snapshot: SpecIssueSnapshot, path: str, facts: RepositoryFacts) -> str:
    """The commit's message, which credits the author."""
    trailer = credit(snapshot.author, snapshot.author_id, facts)
    return f"Write down {path}\n\nFrom issue {snapshot.number}.\n\n{trailer}\n"


def offered(pull: PullNumber, path: str) -> str:
    """Said on the issue when its pull is open."""
    return (
        f"This issue is a spec: #{pull} commits it as {code(path)}. Edits of the issue update that "
        "pull; merging it starts the planning."
    )


def on_main(path: str) -> str:
    """Said on the issue when there is nothing to commit, because main has its text already."""
    return (
        f"This text is on main already, as {code(path)}: there is nothing to commit. Edit the issue "
        f"and a pull will offer the new text; `/headgate run {path}` plans the spec once more as it is."
    )


def withdrawn(pull: PullNumber) -> str:
    """Said on the issue when its label is gone."""
    return f"The label `{LABEL}` is gone, so #{pull} is closed. Setting it again opens a new one."


def label_needs_role(labelled_by: str, role: Role) -> str:
    """Said on the issue when somebody labelled it who may not."""
    return (
        f"The label `{LABEL}` asks for a commit, which needs the role {Role.WRITE}; "
        f"{login(labelled_by)} has {role} here. Somebody with that role can set it again."
    )


def left_out(read: IssueSpec) -> str:
    """What of an issue's text does not go into the file, because nobody would see it."""
    parts = [f"{read.hidden} hidden characters"] if read.hidden else []
    parts += [f"{read.comments} HTML comments"] if read.comments else []
    return f"Left out of the file, because GitHub does not show them: {' and '.join(parts)}."
