"""Texts for an issue that asks for work: its one comment, its pull, its commit.

Headgate rewrites the comment after every answer, so that it always shows which questions are open.
Questions come from a model and answers from people, so both are escaped.
"""

from bot.core.journal.dialogue_events import DialogueEnding
from bot.core.journal.dialogue_state import Dialogue
from bot.core.spec.issue_text import IssueSpec
from bot.core.state.observed import WorkIssueSnapshot
from bot.core.talk.links import credit
from bot.core.talk.question_text import how_to_answer, question_lines
from bot.core.talk.spec_issue import LABEL as SPEC_LABEL, left_out
from bot.core.talk.text import cell, code, cut, login, marker, plain
from bot.core.values.ids import PullNumber
from bot.core.values.issue_input import EDITS_MAX, ROUNDS_MAX
from bot.core.values.lifecycle import DialoguePhase
from bot.core.values.repository import RepositoryFacts, Role
from bot.core.values.spent import ModelUse

LABEL = "headgate:work"

_OTHER_WAYS = (
    "`/headgate answer skip` continues without the other answers. To end this, comment "
    f"`/headgate stop` or remove the label `{LABEL}`."
)

_ASKS_NO_MORE = (
    "Headgate asks no more questions here. To start again, remove the label and set it again."
)


def dialogue_comment(dialogue: Dialogue, off: str, trouble: str) -> str:
    """The comment as it should be now.

    `off` says what this server cannot do, `trouble` why the spec could not be proposed; both may be
    empty.
    """
    lines = [_head(dialogue)]
    if dialogue.phase is DialoguePhase.ASKING:
        number = (*dialogue.asked.unanswered, *dialogue.asked.questions)[0].number
        lines += ["", f"{how_to_answer(number)} {_OTHER_WAYS}"]
        if dialogue.edits >= EDITS_MAX:
            lines.append(
                "The issue was edited too often. Headgate reads its text again before the next "
                "round."
            )
    if dialogue.failure:
        lines += ["", f"> [!WARNING]\n> A model could not be used: {cell(dialogue.failure, 400)}"]
        lines.append(
            "> Headgate continues with fixed rules: it asks a fixed list of questions and uses "
            "your own words."
        )
    elif off and dialogue.ending is None:
        lines += ["", f"> [!NOTE]\n> {off}"]
    if trouble and dialogue.is_open:
        lines += ["", f"> [!WARNING]\n> The spec could not be proposed: {cell(trouble, 400)}"]
    for number, questions in dialogue.asked.rounds.items():
        lines += ["", f"**Round {number}** of at most {ROUNDS_MAX}", ""]
        for one in questions:
            lines += question_lines(one, dialogue.asked.answers.get(one.number))
    if dialogue.model_use.calls:
        lines += ["", _took(dialogue.model_use)]
    return "\n".join(lines)


def _head(dialogue: Dialogue) -> str:
    who = login(dialogue.asked_by)
    match dialogue.phase:
        case DialoguePhase.THINKING:
            return (
                f"{who} asked for work with the label `{LABEL}`. Headgate is reading this "
                "issue. It will ask here for what is missing, and then propose a spec as a "
                "pull request."
            )
        case DialoguePhase.ASKING:
            count = len(dialogue.asked.unanswered)
            left = "1 question is open" if count == 1 else f"{count} questions are open"
            return (
                f"{who} asked for work with the label `{LABEL}`. {left}; after the answers, "
                "Headgate writes a spec."
            )
        case DialoguePhase.PROPOSED:
            return (
                f"#{dialogue.pull} proposes a spec for this issue, as {code(dialogue.path)}. To "
                "change the spec, edit the file in the pull request; edits of this issue no "
                "longer count. The merge starts the planning. To close the pull request, "
                f"remove the label `{LABEL}`."
            )
        case DialoguePhase.ENDED:
            return _ended(dialogue)


def _ended(dialogue: Dialogue) -> str:
    match dialogue.ending:
        case DialogueEnding.STOPPED:
            why = f"{login(dialogue.ended_by)} stopped this."
        case DialogueEnding.NOT_PERMITTED:
            why = (
                f"{login(dialogue.asked_by)}, who set the label `{LABEL}`, no longer has the role "
                f"{Role.WRITE} here."
            )
        case DialogueEnding.IS_SPEC:
            return f"The label `{SPEC_LABEL}` is set, so the text of this issue is the spec."
        case DialogueEnding.CLOSED:
            return f"This issue was closed. {_ASKS_NO_MORE}"
        case DialogueEnding.REMOVED:
            return (
                "Headgate was removed from this repository for some time. To start again, set "
                f"the label `{LABEL}` again. {_ASKS_NO_MORE}"
            )
        case _:
            why = f"The label `{LABEL}` was removed."
    closed = f" #{dialogue.pull} is closed." if dialogue.pull else ""
    return f"{why}{closed} {_ASKS_NO_MORE}"


def _took(use: ModelUse) -> str:
    calls = "1 call" if use.calls == 1 else f"{use.calls} calls"
    cost = "cost *unknown*" if use.dollars is None else f"${use.dollars:.2f}"
    return f"<sub>Models used so far: {calls}, {use.tokens.total:,} tokens, {cost}.</sub>"


def label_needs_role(labelled_by: str, role: Role) -> str:
    """The comment on the issue when a person without the needed role set the label."""
    return (
        f"The label `{LABEL}` asks for work. To set it, you need the role {Role.WRITE}; "
        f"{login(labelled_by)} has the role {role} here. A person with the role {Role.WRITE} "
        "can set the label again."
    )


def stopped() -> str:
    """The reply to `/headgate stop` on an issue that asks for work."""
    return f"Stopped. {_ASKS_NO_MORE}"


def nothing_asked(pull: PullNumber | None) -> str:
    """The reply to `answer` on an issue without an open question."""
    if pull is None:
        return (
            "No question is open here. To start the questions again, remove the label "
            f"`{LABEL}` and set it again."
        )
    return f"No question is open here: #{pull} proposes the spec. Edit the file there."


def pull_title(dialogue: Dialogue) -> str:
    return f"Spec: {plain(dialogue.title)}"[:240]


def pull_body(
    dialogue: Dialogue, snapshot: WorkIssueSnapshot, path: str, read: IssueSpec, by_model: bool
) -> str:
    """The body of the pull: its source, the answered questions, and the open ones."""
    maker = "A model wrote it" if by_model else "Headgate wrote it by rules"
    lines = [
        marker(f"work issue {snapshot.number}"),
        f"Closes #{snapshot.number}. This pull request proposes {code(path)}. "
        f"{login(dialogue.asked_by)} asked for it with the label `{LABEL}`. {maker} from the "
        "issue and the answers below. Please review it like any other change.",
        "",
        "If something is wrong, edit the file here. After the merge, Headgate plans the spec "
        "and asks for approval. To close this pull request, remove the label from the issue.",
    ]
    answered = [q for q in dialogue.asked.questions if q.number in dialogue.asked.answers]
    if answered:
        lines += ["", "**Asked and answered**", ""]
        for one in answered:
            lines += question_lines(one, dialogue.asked.answers[one.number])
    if dialogue.asked.unanswered:
        lines += ["", "**Still open**", ""]
        for one in dialogue.asked.unanswered:
            lines += question_lines(one, None)
    if read.hidden or read.comments:
        lines += ["", left_out(read)]
    return cut("\n".join(lines))


def commit_message(
    dialogue: Dialogue, snapshot: WorkIssueSnapshot, path: str, facts: RepositoryFacts
) -> str:
    """The commit's message, with the issue's author as co-author."""
    asked_by = login(dialogue.asked_by).removeprefix("@")
    trailer = credit(snapshot.author, snapshot.author_id, facts)
    return (
        f"Propose {path}\n\nFrom issue {snapshot.number}. {asked_by} asked for this work.\n\n"
        f"{trailer}\n"
    )
